#include "geste/planning/steering/manhattan_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/core/text.hpp"

namespace geste {
namespace {

/// What an entry of a joint moves; empty where the joint moves in one way only.
const char* name_entry(JointType type, int entry) {
  constexpr const char* kPlanar[] = {"x", "y", "angle"};
  constexpr const char* kFree[] = {"x", "y", "z", "rotation"};
  constexpr const char* kUniversal[] = {"first", "second"};
  switch (type) {
    case JointType::planar:
      return kPlanar[entry];
    case JointType::free:
      return kFree[entry];
    case JointType::universal:
      return kUniversal[entry];
    default:
      return "";
  }
}

/// Whether a name means what is called `whole`: as it is, or without the actor before it.
bool is_called(std::string_view whole, std::string_view name) {
  return whole == name || (whole.size() > name.size() && whole.ends_with(name) &&
                           whole[whole.size() - name.size() - 1] == '/');
}

/// Reads one name after the other.
class OrderReader {
 public:
  explicit OrderReader(const PlanningSpace& space)
      : space_(space), moves_(make_manhattan_moves(space)) {
    for (const ManhattanMove& move : moves_) known_.push_back(name_move(space, move));
  }

  /// Names of moves come first: a joint's own name leaves out what they take.
  void read(std::span<const std::string> names) {
    std::vector<std::vector<std::size_t>> meant(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) meant[i] = find_moves(names[i]);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (meant[i].empty()) meant[i] = find_rest(names[i], meant);
    for (std::size_t i = 0; i < names.size(); ++i) take(names[i], meant[i]);
    for (std::size_t k = 0; k < moves_.size(); ++k)
      if (std::find(order_.begin(), order_.end(), moves_[k]) == order_.end()) missing_.push_back(k);
  }

  Result<std::vector<ManhattanMove>> finish() {
    if (faults_.empty() && !missing_.empty()) {
      std::vector<std::string> names;
      for (const std::size_t k : missing_) names.push_back(known_[k]);
      add_fault(fmt::format("the order leaves out {}", fmt::join(names, ", ")),
                "name everything that moves once");
    }
    if (!faults_.empty()) return make_error(std::move(faults_));
    return order_;
  }

 private:
  /// The move of a name; several where it does not tell which.
  [[nodiscard]] std::vector<std::size_t> find_moves(std::string_view name) const {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < known_.size(); ++k)
      if (is_called(known_[k], name)) found.push_back(k);
    return found;
  }

  /// The moves of a joint that no other name takes.
  [[nodiscard]] std::vector<std::size_t> find_rest(
      std::string_view joint, const std::vector<std::vector<std::size_t>>& meant) const {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < moves_.size(); ++k) {
      if (!is_called(space_.items()[at(moves_[k].item)].joint.name, joint)) continue;
      const bool is_taken = std::any_of(meant.begin(), meant.end(), [&](const auto& m) {
        return std::find(m.begin(), m.end(), k) != m.end();
      });
      if (!is_taken) found.push_back(k);
    }
    return found;
  }

  void take(const std::string& name, const std::vector<std::size_t>& meant) {
    if (meant.empty())
      return add_fault(fmt::format("nothing that moves is called '{}'", name),
                       suggest_name(name, known_));
    for (const std::size_t k : meant) {
      if (moves_[k].item != moves_[meant.front()].item)
        return add_fault(
            fmt::format("'{}' means {} and {}", name, known_[meant.front()], known_[k]),
            "name the actor too");
      if (std::find(order_.begin(), order_.end(), moves_[k]) != order_.end())
        return add_fault(fmt::format("'{}' comes twice in the order", known_[k]),
                         "name everything that moves once");
      order_.push_back(moves_[k]);
    }
  }

  void add_fault(std::string message, std::string remedy) {
    faults_.push_back({.code = "plan.steering",
                       .message = std::move(message),
                       .element = "order",
                       .remedy = std::move(remedy)});
  }

  const PlanningSpace& space_;
  std::vector<ManhattanMove> moves_;
  std::vector<std::string> known_;
  std::vector<ManhattanMove> order_;
  std::vector<std::size_t> missing_;
  std::vector<Diagnostic> faults_;
};

}  // namespace

std::string name_move(const PlanningSpace& space, const ManhattanMove& move) {
  const PlanningSpace::Item& item = space.items()[at(move.item)];
  const std::string_view part = name_entry(item.joint.type, move.entry - item.x);
  return part.empty() ? item.joint.name : fmt::format("{}.{}", item.joint.name, part);
}

Result<std::vector<ManhattanMove>> find_manhattan_order(const PlanningSpace& space,
                                                        std::span<const std::string> names) {
  OrderReader reader(space);
  reader.read(names);
  return reader.finish();
}

}  // namespace geste
