#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geste/core/text.hpp"
#include "geste/model/internal/compiler.hpp"

namespace geste {

void SceneCompiler::check_follow(const JointSpec& spec) {
  const FollowSpec& f = *spec.follow;
  const std::string element = quoted("joint", spec.name);
  if (count_v(spec.type) != 1) {
    fault("scene.follow_type",
          fmt::format("a {} joint cannot follow another", to_string(spec.type)), element,
          "only joints with one degree of freedom can follow", spec.source);
  }
  const bool callable = std::holds_alternative<CallableFollow>(f.function);
  if (f.leaders.empty() || (!callable && f.leaders.size() != 1)) {
    fault("scene.follow_leaders", fmt::format("names {} leaders", f.leaders.size()), element,
          callable ? "name at least one" : "a linear or table function has exactly one leader",
          spec.source);
  }
  if (callable && !std::get<CallableFollow>(f.function).value) {
    fault("scene.follow_function", "its follow function is empty", element,
          "set CallableFollow::value", spec.source);
  }
  if (const auto* linear = std::get_if<LinearFollow>(&f.function)) {
    if (!std::isfinite(linear->multiplier) || !std::isfinite(linear->offset)) {
      fault("scene.follow_function",
            fmt::format("its multiplier {:g} and offset {:g} must be finite", linear->multiplier,
                        linear->offset),
            element, "correct the values", spec.source);
    }
  }
  if (const auto* table = std::get_if<TableFollow>(&f.function)) {
    const auto& p = table->points;
    const bool finite = std::all_of(p.begin(), p.end(), [](const auto& x) {
      return std::isfinite(x.first) && std::isfinite(x.second);
    });
    const bool rising = std::adjacent_find(p.begin(), p.end(), [](const auto& a, const auto& b) {
                          return !(a.first < b.first);
                        }) == p.end();
    if (p.empty() || !finite || !rising) {
      fault("scene.follow_table",
            "its table needs finite points with strictly rising leader values", element,
            "sort the points and remove equal ones", spec.source);
    }
  }
}

void SceneCompiler::add_followers() {
  for (std::size_t i = 0; i < spec_.joints.size(); ++i) {
    const JointSpec& spec = spec_.joints[i];
    if (!spec.follow) continue;
    check_follow(spec);
    Follower follower{JointId(static_cast<int>(i)), {}, spec.follow->function};
    scene_.joints_[i].role = JointRole::follower;
    for (const std::string& leader : spec.follow->leaders) {
      const auto index = find_joint(leader, quoted("joint", spec.name), spec.source);
      if (!index) continue;
      if (joint(*index).nv != 1) {
        fault(
            "scene.follow_type",
            fmt::format("follows '{}', which has {} degrees of freedom", leader, joint(*index).nv),
            quoted("joint", spec.name), "follow a joint with one degree of freedom", spec.source);
      }
      follower.leaders.push_back(JointId(*index));
    }
    scene_.followers_.push_back(std::move(follower));
  }
  sort_followers();
}

void SceneCompiler::sort_followers() {
  // Leaders before followers: take those whose leaders are settled until none is left.
  std::vector<char> waiting(scene_.joints_.size(), 0);
  for (const Follower& f : scene_.followers_)
    waiting[static_cast<std::size_t>(f.joint.value())] = 1;
  std::vector<Follower> sorted;
  std::vector<Follower> rest = std::move(scene_.followers_);
  while (!rest.empty()) {
    const auto ready = [&](const Follower& f) {
      return std::none_of(f.leaders.begin(), f.leaders.end(), [&](JointId l) {
        return waiting[static_cast<std::size_t>(l.value())] != 0;
      });
    };
    const auto blocked = std::stable_partition(rest.begin(), rest.end(), ready);
    if (blocked == rest.begin()) {
      for (const Follower& f : rest) {
        fault("scene.follow_cycle", "follows itself through its leaders",
              quoted("joint", scene_.joint(f.joint).name), "let one joint of the ring lead",
              spec_.joints[static_cast<std::size_t>(f.joint.value())].source);
      }
      break;
    }
    for (auto f = rest.begin(); f != blocked; ++f) {
      waiting[static_cast<std::size_t>(f->joint.value())] = 0;
      sorted.push_back(std::move(*f));
    }
    rest.erase(rest.begin(), blocked);
  }
  scene_.followers_ = std::move(sorted);
}

void SceneCompiler::add_explicit_loops() {
  for (const ExplicitLoopSpec& spec : spec_.explicit_loops) {
    const std::string element = quoted("loop", spec.name);
    check_unique(loop_names_, spec.name, "loop");
    ExplicitLoop loop{spec.name, {}, {}, 0, 0, spec.formula, spec.bounds};
    if (!spec.formula) {
      fault("scene.loop_formula", "has no formula", element, "set ExplicitLoopSpec::formula");
    }
    for (const std::string& name : spec.leading) {
      const auto index = find_joint(name, element);
      if (!index) continue;
      loop.leading.push_back(JointId(*index));
      loop.nq_leading += joint(*index).nq;
    }
    for (const std::string& name : spec.dependent) {
      const auto index = find_joint(name, element);
      if (!index) continue;
      if (joint(*index).role != JointRole::independent) {
        fault("scene.two_rules",
              fmt::format("joint '{}' is already a {} joint", name, to_string(joint(*index).role)),
              element, "let one rule decide each joint");
      }
      joint(*index).role = JointRole::dependent;
      loop.dependent.push_back(JointId(*index));
      loop.nq_dependent += joint(*index).nq;
    }
    scene_.explicit_loops_.push_back(std::move(loop));
  }
  for (const ExplicitLoop& loop : scene_.explicit_loops_) {
    for (JointId id : loop.leading) {
      if (scene_.joint(id).role == JointRole::independent) continue;
      fault("scene.loop_leading",
            fmt::format("its leading joint '{}' is not independent", scene_.joint(id).name),
            quoted("loop", loop.name), "lead with joints that no other rule decides");
    }
  }
}

void SceneCompiler::add_loops() {
  for (const LoopSpec& spec : spec_.loops) {
    const std::string element = quoted("loop", spec.name);
    check_unique(loop_names_, spec.name, "loop");
    check_pose(spec.X_A, element);
    check_pose(spec.X_B, element);
    const auto a = find_body(spec.body_a, element);
    const auto b = find_body(spec.body_b, element);
    Loop loop;
    loop.name = spec.name;
    loop.body_a = BodyId(a.value_or(-1));
    loop.body_b = BodyId(b.value_or(-1));
    loop.X_A = spec.X_A;
    loop.X_B = spec.X_B;
    loop.constrained = spec.constrained;
    loop.size =
        static_cast<int>(std::count(spec.constrained.begin(), spec.constrained.end(), true));
    if (loop.size == 0) {
      fault("scene.loop_empty", "constrains nothing", element, "constrain at least one component");
    }
    for (const std::string& name : spec.joints) {
      if (const auto index = find_joint(name, element)) loop.joints.push_back(JointId(*index));
    }
    scene_.loops_.push_back(std::move(loop));
  }
}

void SceneCompiler::add_attachments() {
  carrier_.assign(scene_.bodies_.size(), -1);
  carried_at_.assign(scene_.bodies_.size(), std::nullopt);
  for (const AttachmentSpec& spec : spec_.attachments) add_attachment(spec);
}

void SceneCompiler::add_attachment(const AttachmentSpec& spec) {
  const std::string element = quoted("attachment of", spec.body);
  const auto b = find_body(spec.body, element);
  const auto c = find_body(spec.carrier, element);
  if (!b || !c) return;
  if (*b < 0 || *c < 0) {
    fault("scene.attachment", "names the world", element, "name a body and its carrier");
    return;
  }
  const Body& moved = body(*b);
  const bool loose = moved.joint.valid() && scene_.joint(moved.joint).type == JointType::free &&
                     !moved.parent.valid();
  if (!loose) {
    fault("scene.attachment_fixed",
          "the body does not hang on a free joint of the world, so nothing can take it", element,
          "make the part movable");
    return;
  }
  if (carried_at_[static_cast<std::size_t>(*b)]) {
    fault("scene.attachment_twice", "the body is carried already", element, "detach it first");
    return;
  }
  for (int i = *c; i >= 0;) {
    if (i == *b) {
      fault("scene.attachment_cycle", fmt::format("'{}' would carry itself", spec.body), element,
            "choose a carrier that does not hang on the body");
      return;
    }
    const int carrier = carrier_[static_cast<std::size_t>(i)];
    i = carrier >= 0 ? carrier : body(i).parent.value();
  }
  if (is_ruled(moved.joint)) {
    fault("scene.two_rules", "the formula of a closed loop decides or uses the body's joint",
          element, "let one rule decide each joint");
    return;
  }
  check_pose(*spec.X_CB, element);
  joint(moved.joint.value()).role = JointRole::carried;
  carrier_[static_cast<std::size_t>(*b)] = *c;
  carried_at_[static_cast<std::size_t>(*b)] = *spec.X_CB;
}

bool SceneCompiler::is_ruled(JointId id) const {
  return std::any_of(scene_.explicit_loops_.begin(), scene_.explicit_loops_.end(),
                     [&](const ExplicitLoop& loop) {
                       const auto has = [&](const std::vector<JointId>& joints) {
                         return std::find(joints.begin(), joints.end(), id) != joints.end();
                       };
                       return has(loop.leading) || has(loop.dependent);
                     });
}

void SceneCompiler::add_groups() {
  std::unordered_set<std::string> seen;
  for (const GroupSpec& spec : spec_.groups) {
    check_unique(seen, spec.name, "group");
    Group group{spec.name, {}};
    for (const std::string& name : spec.joints) {
      if (const auto index = find_joint(name, quoted("group", spec.name)))
        group.joints.push_back(JointId(*index));
    }
    scene_.groups_.push_back(std::move(group));
  }
}

void SceneCompiler::add_configurations() {
  // Two groups may each have a "home".
  std::map<std::string, std::unordered_set<std::string>> seen_of_group;
  for (const ConfigurationSpec& spec : spec_.configurations) {
    check_unique(seen_of_group[spec.group], spec.name, "configuration", spec.source);
    add_configuration(spec);
  }
}

void SceneCompiler::add_configuration(const ConfigurationSpec& spec) {
  const std::string element = quoted("configuration", spec.name);
  NamedConfiguration configuration{spec.name, spec.group, {}};
  for (const auto& [name, values] : spec.values) {
    const auto index = find_joint(name, element, spec.source);
    if (!index) continue;
    const Joint& j = joint(*index);
    const bool finite =
        std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    if (static_cast<int>(values.size()) != j.nq || !finite) {
      fault("scene.configuration_values",
            fmt::format("joint '{}' ({}) takes {} finite values, {} are given", name,
                        to_string(j.type), j.nq, values.size()),
            element, "give one value for each entry of the joint", spec.source);
      continue;
    }
    VecX entries = Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
    const int rotation = j.type == JointType::spherical ? 0 : j.type == JointType::free ? 3 : -1;
    if (rotation >= 0) {
      const double norm = entries.segment<4>(rotation).norm();
      if (std::abs(norm - 1) > 1e-3) {
        fault("scene.configuration_values",
              fmt::format("the quaternion of joint '{}' has norm {:g}", name, norm), element,
              "give a unit quaternion x, y, z, w", spec.source);
        continue;
      }
      entries.segment<4>(rotation) /= norm;
    }
    configuration.values.emplace_back(JointId(*index), std::move(entries));
  }
  scene_.configurations_.push_back(std::move(configuration));
}

void SceneCompiler::add_frames() {
  for (const FrameSpec& spec : spec_.frames) {
    const auto b = find_body(spec.body, quoted("frame", spec.name));
    if (!scene_.frame_index_.emplace(spec.name, static_cast<int>(scene_.frames_.size())).second) {
      fault("scene.duplicate_frame", "the name is used twice", quoted("frame", spec.name),
            "rename one of the two");
    }
    check_pose(spec.X_BF, quoted("frame", spec.name));
    scene_.frames_.push_back({spec.name, BodyId(b.value_or(-1)), spec.X_BF});
  }
}

void SceneCompiler::add_actors() {
  std::unordered_set<std::string> seen;
  for (const ActorSpec& spec : spec_.actors) {
    check_unique(seen, spec.name, "actor");
    Actor actor{spec.name, spec.kind, {}, {}};
    const ActorId id(static_cast<int>(scene_.actors_.size()));
    for (const std::string& name : spec.bodies) {
      const auto b = find_body(name, quoted("actor", spec.name));
      if (!b || *b < 0) continue;
      actor.bodies.push_back(BodyId(*b));
      body(*b).actor = id;
    }
    scene_.actors_.push_back(std::move(actor));
  }
}

void SceneCompiler::add_allowed_pairs() {
  for (const AllowedPairSpec& spec : spec_.allowed_pairs) {
    const auto a = find_body(spec.body_a, "allowed pair");
    const auto b = find_body(spec.body_b, "allowed pair");
    if (!a || !b) continue;
    scene_.allowed_pairs_.push_back(
        {BodyId(std::min(*a, *b)), BodyId(std::max(*a, *b)), spec.reason});
  }
}

}  // namespace geste
