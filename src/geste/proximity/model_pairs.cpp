#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/proximity/internal/model_builder.hpp"
#include "geste/proximity/survey.hpp"

namespace geste {

CollisionModelBuilder::CollisionModelBuilder(const Scene& scene, const CollisionOptions& options,
                                             const CollisionModel* previous)
    : scene_(scene), options_(options), previous_(previous) {
  model_.margin_ = model_.largest_margin_ = options.margin;
  model_.check_fixed_ = options.check_fixed;
  model_.split_ = options.split;
}

Result<CollisionModel> CollisionModelBuilder::build() {
  if (!(options_.margin >= 0) || options_.margin == kInfinity)
    faults_.push_back({.code = "collision.margin",
                       .message = fmt::format("the margin {} m is not a distance", options_.margin),
                       .remedy = "give a finite margin of zero or more"});
  prepare_meshes();
  if (!faults_.empty()) return make_error(std::move(faults_));
  add_objects();
  index_movers();
  place_fixed();
  apply_margins();
  apply_listed();
  apply_adjacent();
  apply_surveys();
  apply_areas();
  if (options_.use_reach) apply_reach();
  if (!faults_.empty()) return make_error(std::move(faults_));
  return std::move(model_);
}

void CollisionModelBuilder::index_movers() {
  // Parents come before children.
  const std::vector<Mover>& movers = scene_.movers();
  for (std::size_t m = 0; m < movers.size(); ++m) {
    const bool follows = movers[m].carried;
    model_.rigid_mover_.push_back(follows ? model_.rigid_mover(movers[m].parent)
                                          : static_cast<int>(m));
  }
  int rows = 0;
  for (const Body& b : scene_.bodies()) {
    const int rigid = model_.rigid_mover(b.mover);
    model_.rigid_mover_of_body_.push_back(rigid);
    const bool row = rigid != 0 && !objects_of_body_[model_.row_of_body_.size()].empty();
    model_.row_of_body_.push_back(row ? rows++ : -1);
  }
  model_.rules_.assign(static_cast<std::size_t>(rows) * scene_.bodies().size(), PairRule::checked);
}

void CollisionModelBuilder::set(BodyId a, BodyId b, PairRule rule) {
  if (model_.is_fixed(a, b)) {
    model_.fixed_rules_.try_emplace(CollisionModel::key(a, b), rule);
    return;
  }
  const std::size_t columns = scene_.bodies().size();
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    if (!moves(from)) continue;
    const auto row = static_cast<std::size_t>(model_.row_of_body_[from.index()]);
    PairRule& entry = model_.rules_[row * columns + to.index()];
    if (entry == PairRule::checked) entry = rule;
  }
}

std::vector<BodyId> CollisionModelBuilder::find_bodies(const std::string& name,
                                                       const char* option) {
  if (const auto actor = scene_.find_actor(name)) return scene_.actor(*actor).bodies;
  if (const auto body = scene_.find_body(name)) return {*body};
  std::vector<std::string> known;
  for (const Actor& a : scene_.actors()) known.push_back(a.name);
  for (const Body& b : scene_.bodies()) known.push_back(b.name);
  faults_.push_back({.code = "collision.unknown_name",
                     .message = fmt::format("there is no body or actor '{}'", name),
                     .element = option,
                     .remedy = suggest_name(name, known)});
  return {};
}

void CollisionModelBuilder::apply_margins() {
  for (const PairMargin& m : options_.margins) {
    if (!(m.margin >= 0) || m.margin == kInfinity) {
      faults_.push_back({.code = "collision.margin",
                         .message = fmt::format("the margin {} m is not a distance", m.margin),
                         .element = fmt::format("margin of '{}'", m.a),
                         .remedy = "give a finite margin of zero or more"});
      continue;
    }
    const Bodies from = find_bodies(m.a, "margin");
    const Bodies to = m.b.empty() ? with_objects_ : find_bodies(m.b, "margin");
    for (const BodyId a : from) {
      for (const BodyId b : to) {
        if (a == b) continue;
        double& entry =
            model_.margins_.try_emplace(CollisionModel::key(a, b), m.margin).first->second;
        entry = std::max(entry, m.margin);
      }
    }
    model_.largest_margin_ = std::max(model_.largest_margin_, m.margin);
  }
}

void CollisionModelBuilder::apply_listed() {
  for (const AllowedPair& p : scene_.allowed_pairs()) set(p.body_a, p.body_b, PairRule::listed);
  for (const PairAllowance& p : options_.allowed) {
    const Bodies from = find_bodies(p.a, "allowed pair"), to = find_bodies(p.b, "allowed pair");
    for (const BodyId a : from) {
      for (const BodyId b : to) {
        if (a != b) set(a, b, PairRule::listed);
      }
    }
  }
}

void CollisionModelBuilder::apply_adjacent() {
  for (const BodyId body : with_objects_) {
    BodyId above = scene_.body(body).parent;
    while (above.valid() && objects_of_body_[above.index()].empty())
      above = scene_.body(above).parent;
    if (above.valid() && !model_.is_fixed(body, above)) set(body, above, PairRule::adjacent);
  }
}

void CollisionModelBuilder::apply_surveys() {
  if (previous_ && previous_->surveyed_with_ == options_.survey) {
    model_.surveys_ = previous_->surveys_;
    model_.surveyed_ = previous_->surveyed_;
  } else {
    std::vector<char> listed(scene_.actors().size(), 0);
    for (const AllowedPair& p : scene_.allowed_pairs()) {
      if (const ActorId actor = scene_.body(p.body_a).actor; actor.valid())
        listed[actor.index()] = 1;
    }
    for (std::size_t a = 0; a < listed.size(); ++a) {
      if (!listed[a] && options_.survey.samples > 0) apply_survey(ActorId(a));
    }
  }
  model_.surveyed_with_ = options_.survey;
  for (const RuledPair& p : model_.surveyed_) {
    if (p.rule == PairRule::always || options_.survey.trust_never) set(p.a, p.b, p.rule);
  }
}

void CollisionModelBuilder::apply_survey(ActorId actor) {
  Survey survey;
  survey.actor = actor;
  std::vector<SurveyedPair> pairs;
  const Bodies& bodies = scene_.actor(actor).bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const BodyId a = bodies[i], b = bodies[j];
      if (objects_of_body_[a.index()].empty() || objects_of_body_[b.index()].empty()) continue;
      if (model_.is_fixed(a, b)) continue;
      if (model_.rule(a, b) == PairRule::adjacent) ++survey.adjacent;
      if (model_.rule(a, b) == PairRule::checked) pairs.push_back({a, b});
    }
  }
  survey.samples =
      survey_pairs(scene_, model_.objects_, actor, options_.survey, options_.cancel, pairs);
  if (survey.samples == 0) return;
  survey.share = compute_open_share(survey.samples, options_.survey.confidence);
  for (const SurveyedPair& p : pairs) {
    if (p.touched && p.parted) {
      ++survey.sometimes;
      continue;
    }
    ++(p.touched ? survey.always : survey.never);
    model_.surveyed_.push_back({p.a, p.b, p.touched ? PairRule::always : PairRule::never});
  }
  model_.surveys_.push_back(survey);
}

}  // namespace geste
