#include "geste/proximity/collision_model.hpp"

#include "geste/proximity/internal/model_builder.hpp"

namespace geste {

const char* to_text(PairRule rule) {
  switch (rule) {
    case PairRule::checked:
      return "checked";
    case PairRule::fixed:
      return "fixed to each other";
    case PairRule::listed:
      return "allowed";
    case PairRule::adjacent:
      return "adjacent";
    case PairRule::always:
      return "always touching";
    case PairRule::never:
      return "never touching";
    case PairRule::beyond_reach:
      return "beyond reach";
    case PairRule::outside_area:
      return "outside the area";
    case PairRule::no_shape:
      return "without geometry";
  }
  return "";
}

Result<CollisionModel> CollisionModel::make(const Scene& scene, const CollisionOptions& options,
                                            const CollisionModel* previous) {
  return CollisionModelBuilder(scene, options, previous).build();
}

PairRule CollisionModel::rule(BodyId a, BodyId b) const {
  if (is_fixed(a, b)) {
    if (!checks_fixed() || a == b) return PairRule::fixed;
    const auto found = fixed_rules_.find(key(a, b));
    return found == fixed_rules_.end() ? PairRule::checked : found->second;
  }
  const bool from_a = row_of_body_[a.index()] >= 0;
  if (!from_a && row_of_body_[b.index()] < 0) return PairRule::no_shape;
  const auto row = static_cast<std::size_t>(row_of_body_[(from_a ? a : b).index()]);
  return rules_[row * row_of_body_.size() + (from_a ? b : a).index()];
}

double CollisionModel::margin(BodyId a, BodyId b) const {
  const auto found = margins_.find(key(a, b));
  if (found != margins_.end()) return found->second + options_.reserve;
  const ActorId actor = actor_of_body_.at(a.index());
  return actor.valid() && actor == actor_of_body_.at(b.index())
             ? options_.reserve
             : options_.margin + options_.reserve;
}

std::vector<RuledPair> CollisionModel::list_pairs() const {
  std::vector<char> has_object(row_of_body_.size(), 0);
  for (const CollisionObject& o : objects_) has_object[o.body.index()] = 1;
  std::vector<RuledPair> pairs;
  for (std::size_t i = 0; i < has_object.size(); ++i) {
    for (std::size_t j = i + 1; has_object[i] && j < has_object.size(); ++j) {
      const BodyId a(i), b(j);
      if (!has_object[j] || (row_of_body_[i] < 0 && row_of_body_[j] < 0) || is_fixed(a, b))
        continue;
      pairs.push_back({a, b, rule(a, b)});
    }
  }
  return pairs;
}

}  // namespace geste
