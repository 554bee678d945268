#include "geste/planning/forest.hpp"

#include <algorithm>

namespace geste {

int SearchForest::plant(ConstVecRef x) {
  const int number = size();
  trees_.emplace_back(*space_);
  component_.push_back(number);
  ++components_;
  note({number, trees_.back().add(x, -1)});
  return number;
}

void SearchForest::note(Place place) {
  all_.add((*this)[place]);
  places_.push_back(place);
}

SearchForest::Place SearchForest::add(const Way& way, Place from) {
  SearchTree& tree = trees_[at(from.tree)];
  const int before = tree.size(), last = tree.add(way, from.point);
  for (int i = before; i <= last; ++i) note({from.tree, i});
  return {from.tree, last};
}

void SearchForest::join(Place a, Place b) {
  meetings_.push_back({a, b});
  const int kept = component(a.tree), gone = component(b.tree);
  std::replace(component_.begin(), component_.end(), gone, kept);
  --components_;
}

double SearchForest::measure_distance(ConstVecRef x) {
  if (all_.size() == 0) return kInfinity;
  return space_->distance((*this)[places_[at(all_.find_nearest(x))]], x);
}

std::optional<SearchForest::Place> SearchForest::find_nearest_stranger(int tree, ConstVecRef x) {
  constexpr int kFew = 10;
  all_.find_nearest(x, kFew, near_);
  for (const int i : near_)
    if (!have_met(places_[at(i)].tree, tree)) return places_[at(i)];
  return std::nullopt;
}

/// Every meeting joined what had not met, so that there is one chain of them.
bool SearchForest::find_meetings(int from, int to, int before, std::vector<Meeting>& chain) const {
  if (from == to) return true;
  for (const Meeting& meeting : meetings_) {
    for (const Meeting& on : {meeting, Meeting{meeting.b, meeting.a}}) {
      if (on.a.tree != from || on.b.tree == before) continue;
      chain.push_back(on);
      if (find_meetings(on.b.tree, to, from, chain)) return true;
      chain.pop_back();
    }
  }
  return false;
}

MatX SearchForest::find_path(int from, int to) const {
  std::vector<Meeting> chain;
  find_meetings(from, to, -1, chain);
  Way way(*space_);
  Place here{from, 0};
  for (const Meeting& meeting : chain) {
    append(here.tree, here.point, meeting.a.point, way);
    here = meeting.b;
  }
  append(here.tree, here.point, 0, way);
  return way.points();
}

void SearchForest::append(int tree, int from, int to, Way& way) const {
  const SearchTree& t = trees_[at(tree)];
  const std::vector<int> back = t.trace(from), on = t.trace(to);
  // Both begin at the root; up to where they part.
  std::size_t last = 0;
  while (last + 1 < std::min(back.size(), on.size()) && back[last + 1] == on[last + 1]) ++last;
  const auto put = [&](int i) {
    if (way.count() == 0 || way.back() != t[i]) way.add(t[i]);
  };
  for (std::size_t k = back.size(); k-- > last;) put(back[k]);
  for (std::size_t k = last + 1; k < on.size(); ++k) put(on[k]);
}

}  // namespace geste
