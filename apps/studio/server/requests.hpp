#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "studio/server/json.hpp"

namespace geste::studio {

// What clients may ask for (docs/design/studio-protocol.md), checked as far as it can be without
// knowing the scene: types, finite numbers, sizes. Names are looked up by who carries it out.

struct SetJoint {
  std::string joint;
  std::vector<double> values;
};
struct SetState {
  std::vector<double> q;
};
struct UseConfiguration {
  std::string name;
};
struct Drag {
  std::string body;
  Vec3 p_B = Vec3::Zero();
  Vec3 p_W = Vec3::Zero();
  std::optional<Quat> rotation;  ///< unit
};
struct MoveByDevice {
  std::string body;
  Vec3 linear = Vec3::Zero();   ///< m/s, world
  Vec3 angular = Vec3::Zero();  ///< rad/s, world
  double seconds = 0;
};
struct SaveConfiguration {
  std::string name;
};
struct MeasureEnd {
  std::string body;  ///< empty: `point` is meant
  Vec3 point = Vec3::Zero();
};
struct Measure {
  MeasureEnd a;
  MeasureEnd b;
};
/// Pairs that interpenetrate, touch or are within the tolerance, fixed ones too.
struct FindClashes {
  double tolerance = 0;  ///< m
};
/// What is asked of one state and takes its time.
using Inquiry = std::variant<Measure, FindClashes>;
struct AskFacts {
  std::string body;
};
struct RunTask {
  std::string kind;
  Json options = Json::object();
  std::uint64_t seed = 1;
  double budget_s = 0;  ///< 0: none
};
struct CancelJob {
  std::int64_t job = 0;
};
struct ForgetResult {
  std::string result;
};
struct ShareView {
  Json view;
};
struct Rename {
  std::string name;
};
struct TakeControl {};
struct GiveControl {
  std::int64_t to = 0;
};

using Deed = std::variant<SetJoint, SetState, UseConfiguration, Drag, MoveByDevice,
                          SaveConfiguration, Measure, FindClashes, AskFacts, RunTask, CancelJob,
                          ForgetResult, ShareView, Rename, TakeControl, GiveControl>;

struct Request {
  std::int64_t id = 0;
  Deed deed;
  bool needs_control = false;
};

struct BadRequest {
  std::optional<std::int64_t> id;  ///< nothing: the message has none that could be answered to
  Error error;
};

std::variant<Request, BadRequest> parse_request(std::string_view text);

}  // namespace geste::studio
