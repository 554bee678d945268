#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <set>

#include "geste/core/text.hpp"
#include "geste/proximity/internal/model_builder.hpp"
#include "geste/proximity/survey.hpp"

namespace geste {
namespace {

std::uint64_t make_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool is_distance(double x) { return x >= 0 && x < kInfinity; }

/// Whether what hangs on such a joint stays beside what carries it.
bool turns_in_place(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::universal || type == JointType::spherical || type == JointType::fixed;
}

/// Fowler, Noll and Vo's hash over numbers.
class Signature {
 public:
  void add(std::uint64_t x) {
    for (int k = 0; k < 8; ++k, x >>= 8) value_ = (value_ ^ (x & 0xff)) * 0x100000001b3u;
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace

CollisionModelBuilder::CollisionModelBuilder(const Scene& scene, const CollisionOptions& options,
                                             const CollisionModel* previous)
    : scene_(scene), options_(options), previous_(previous) {
  model_.options_ = options;
  model_.options_.cancel = {};
  model_.largest_margin_ = options.margin;
  model_.serial_ = make_serial();
}

Result<CollisionModel> CollisionModelBuilder::build() {
  if (!(options_.survey.confidence > 0 && options_.survey.confidence < 1))
    faults_.push_back({.code = "collision.confidence",
                       .message = fmt::format("the confidence {} is not between 0 and 1",
                                              options_.survey.confidence),
                       .remedy = "ask for 0.95, say"});
  if (!is_distance(options_.margin))
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
    model_.actor_of_body_.push_back(b.actor);
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

std::vector<BodyId> CollisionModelBuilder::find_bodies(const std::string& name, const char* option,
                                                       const Source& source) {
  if (const auto actor = scene_.find_actor(name)) return scene_.actor(*actor).bodies;
  if (const auto body = scene_.find_body(name)) return {*body};
  std::set<std::string> names;
  for (const Actor& a : scene_.actors()) names.insert(a.name);
  for (const Body& b : scene_.bodies()) names.insert(b.name);
  const std::vector<std::string> known(names.begin(), names.end());
  faults_.push_back({.code = "collision.unknown_name",
                     .message = fmt::format("there is no body or actor '{}'", name),
                     .file = source.file,
                     .line = source.line,
                     .element = option,
                     .remedy = suggest_name(name, known)});
  return {};
}

void CollisionModelBuilder::apply_margins() {
  for (const PairMargin& m : options_.margins) {
    if (!is_distance(m.margin)) {
      faults_.push_back({.code = "collision.margin",
                         .message = fmt::format("the margin {} m is not a distance", m.margin),
                         .file = m.source.file,
                         .line = m.source.line,
                         .element = fmt::format("margin of '{}'", m.a),
                         .remedy = "give a finite margin of zero or more"});
      continue;
    }
    const Bodies from = find_bodies(m.a, "margin", m.source);
    const Bodies to = m.b.empty() ? with_objects_ : find_bodies(m.b, "margin", m.source);
    for (const BodyId a : from) {
      for (const BodyId b : to) {
        // "With everything else" is not with oneself.
        if (a == b || (m.b.empty() && std::find(from.begin(), from.end(), b) != from.end()))
          continue;
        double& entry =
            model_.margins_.try_emplace(CollisionModel::key(a, b), m.margin).first->second;
        entry = std::max(entry, m.margin);
      }
    }
    model_.largest_margin_ = std::max(model_.largest_margin_, m.margin);
  }
}

void CollisionModelBuilder::apply_listed() {
  for (const AllowedPair& p : scene_.allowed_pairs()) {
    if (p.body_a.valid() && p.body_b.valid()) set(p.body_a, p.body_b, PairRule::listed);
  }
  for (const PairAllowance& p : options_.allowed) {
    const Bodies from = find_bodies(p.a, "allowed pair", p.source),
                 to = find_bodies(p.b, "allowed pair", p.source);
    for (const BodyId a : from) {
      for (const BodyId b : to) {
        if (a != b) set(a, b, PairRule::listed);
      }
    }
  }
}

/// Joined by one joint that slides or any that turn in place, with bodies without geometry in
/// between. Who floats or drives about can hit what it stands on.
void CollisionModelBuilder::apply_adjacent() {
  for (const BodyId body : with_objects_) {
    BodyId above = body;
    bool near = true;
    do {
      const Body& b = scene_.body(above);
      const JointType type = b.joint.valid() ? scene_.joint(b.joint).type : JointType::fixed;
      const bool direct =
          above == body && b.parent.valid() && !objects_of_body_[b.parent.index()].empty();
      near = near && (turns_in_place(type) || (type == JointType::prismatic && direct));
      above = b.parent;
    } while (above.valid() && objects_of_body_[above.index()].empty());
    if (near && above.valid() && !model_.is_fixed(body, above))
      set(body, above, PairRule::adjacent);
  }
}

void CollisionModelBuilder::apply_surveys() {
  std::vector<char> listed(scene_.actors().size(), 0);
  for (const AllowedPair& p : scene_.allowed_pairs()) {
    if (!p.body_a.valid()) continue;
    if (const ActorId actor = scene_.body(p.body_a).actor; actor.valid()) listed[actor.index()] = 1;
  }
  for (std::size_t a = 0; a < listed.size(); ++a) {
    if (!listed[a] && options_.survey.samples > 0) apply_survey(ActorId(a));
  }
  for (const RuledPair& p : model_.surveyed_) {
    if (p.rule == PairRule::always || options_.survey.trust_never) set(p.a, p.b, p.rule);
  }
}

/// Pairs of an actor's own bodies that nothing is known about, and how many are adjacent.
std::vector<SurveyedPair> CollisionModelBuilder::find_own_pairs(ActorId actor,
                                                                int& adjacent) const {
  std::vector<SurveyedPair> pairs;
  const Bodies& bodies = scene_.actor(actor).bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const BodyId a = bodies[i], b = bodies[j];
      if (objects_of_body_[a.index()].empty() || objects_of_body_[b.index()].empty()) continue;
      if (model_.is_fixed(a, b)) continue;
      if (model_.rule(a, b) == PairRule::adjacent) ++adjacent;
      if (model_.rule(a, b) == PairRule::checked) pairs.push_back({a, b});
    }
  }
  return pairs;
}

/// All that a survey of these pairs depends on: who hangs on whom, limits, shapes, options.
std::uint64_t CollisionModelBuilder::sign(ActorId actor,
                                          const std::vector<SurveyedPair>& pairs) const {
  Signature signature;
  const SurveyOptions& o = options_.survey;
  signature.add(static_cast<std::uint64_t>(o.samples));
  signature.add(o.seed);
  signature.add(o.confidence);
  for (const SurveyedPair& p : pairs) signature.add(CollisionModel::key(p.a, p.b));
  for (const BodyId body : scene_.actor(actor).bodies) {
    for (const int g : scene_.body(body).geometry) {
      const Shape& shape = scene_.geometry()[static_cast<std::size_t>(g)].shape;
      const auto* mesh = std::get_if<MeshShape>(&shape);
      signature.add(mesh ? reinterpret_cast<std::uintptr_t>(mesh->get()) : shape.index());
      const AxisBox box = compute_box(shape);
      for (const double x :
           {box.min.x(), box.min.y(), box.min.z(), box.max.x(), box.max.y(), box.max.z()})
        signature.add(x);
    }
    for (int m = scene_.body(body).mover; m != 0;) {
      const Mover& mover = scene_.movers()[static_cast<std::size_t>(m)];
      signature.add(static_cast<std::uint64_t>(mover.joint.value()) << 1 | (mover.carried ? 1 : 0));
      for (int k = 0; k < 3; ++k) signature.add(mover.X_PJ.p[k]);
      for (const DofLimits& l : scene_.joint(mover.joint).limits) {
        signature.add(l.lower);
        signature.add(l.upper);
      }
      m = mover.parent;
    }
  }
  return signature.value();
}

bool CollisionModelBuilder::reuse_survey(ActorId actor, std::uint64_t signature) {
  if (!previous_) return false;
  const auto& known = previous_->survey_signatures_;
  const auto found = known.find(actor.value());
  if (found == known.end() || found->second != signature) return false;
  for (const Survey& s : previous_->surveys_) {
    if (s.actor == actor) model_.surveys_.push_back(s);
  }
  for (const RuledPair& p : previous_->surveyed_) {
    if (scene_.body(p.a).actor == actor) model_.surveyed_.push_back(p);
  }
  return true;
}

void CollisionModelBuilder::apply_survey(ActorId actor) {
  Survey survey;
  survey.actor = actor;
  survey.confidence = options_.survey.confidence;
  std::vector<SurveyedPair> pairs = find_own_pairs(actor, survey.adjacent);
  const std::uint64_t signature = sign(actor, pairs);
  model_.survey_signatures_[actor.value()] = signature;
  if (reuse_survey(actor, signature)) return;
  survey.samples =
      survey_pairs(scene_, model_.objects_, actor, options_.survey, options_.cancel, pairs);
  if (options_.cancel.requested()) {
    faults_.push_back({.code = "cancelled", .message = "trying configurations was cancelled"});
    return;
  }
  if (survey.samples == 0) return;
  survey.share = compute_open_share(survey.samples, options_.survey.confidence);
  // Too few to tell always from now and then.
  constexpr double kTelling = 0.05;
  for (const SurveyedPair& p : pairs) {
    if (p.touched == p.parted || (p.touched && survey.share > kTelling)) {
      ++survey.sometimes;
      continue;
    }
    ++(p.touched ? survey.always : survey.never);
    model_.surveyed_.push_back({p.a, p.b, p.touched ? PairRule::always : PairRule::never});
  }
  model_.surveys_.push_back(survey);
}

}  // namespace geste
