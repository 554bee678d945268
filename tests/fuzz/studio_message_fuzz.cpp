#include "geste/core/overloaded.hpp"
#include "geste/model/configuration.hpp"

#include "checks.hpp"
#include "studio/server/frames.hpp"
#include "studio/server/keeper.hpp"

using namespace geste;
using namespace geste::studio;

namespace {

/// An arm with a follower and a ball joint, and a loose part.
Scene make_scene() {
  SceneSpec spec;
  spec.bodies = {BodySpec{"upper"}, BodySpec{"lower"}, BodySpec{"hand"}, BodySpec{"ball"},
                 BodySpec{"crate"}};
  spec.joints = {
      {.name = "shoulder", .type = JointType::revolute, .child = "upper"},
      {.name = "elbow", .type = JointType::revolute, .parent = "upper", .child = "lower"},
      {.name = "wrist", .type = JointType::revolute, .parent = "lower", .child = "hand"},
      {.name = "tip", .type = JointType::spherical, .parent = "hand", .child = "ball"},
      {.name = "root", .type = JointType::free, .child = "crate"}};
  for (std::size_t i = 0; i < 3; ++i) {
    spec.joints[i].X_PJ = Pose::translation(0.5, 0, 0);
    spec.joints[i].axis = Vec3::UnitZ();
    spec.joints[i].limits = {{-1, 2}};
  }
  spec.joints[2].follow = FollowSpec{{"elbow"}, LinearFollow{0.5, 0}};
  return Scene::compile(spec).value();
}

void require_sound_state(const Scene& scene, StateKeeper& keeper) {
  fuzz::require(keeper.q().allFinite(), "the state is made of numbers");
  const auto snapshot = keeper.make_snapshot(1);
  std::vector<Placement> known;
  fuzz::require(make_state_frame(*snapshot, 1, known).size() % 4 == 0, "frames are aligned");
  for (const Joint& j : scene.joints())
    if (j.type == JointType::free)
      fuzz::require(std::abs(keeper.q().segment<4>(j.q + 3).norm() - 1) < 1e-9,
                    "quaternions are unit");
}

template <class Deed>
void carry_out(const Scene& scene, StateKeeper& keeper, const Deed& deed) {
  const VecX before = keeper.q();
  const Result<Json> outcome = keeper.apply(deed);
  if (!outcome) {
    fuzz::require_telling(outcome.error());
    fuzz::require(keeper.q() == before, "what is refused changes nothing");
  } else {
    fuzz::require(!dump(*outcome).empty(), "answers can be sent");
  }
  require_sound_state(scene, keeper);
}

}  // namespace

/// Messages, one per line, to one studio.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scene scene = make_scene();
  StateKeeper keeper(scene, make_neutral(scene));
  std::string_view rest = fuzz::as_text(data, size);
  for (int i = 0; i < 20 && !rest.empty(); ++i) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto parsed = parse_request(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const auto* bad = std::get_if<BadRequest>(&parsed)) {
      fuzz::require_telling(bad->error);
      continue;
    }
    std::visit(Overloaded{[&](const SaveConfiguration& d) { keeper.remember(d.name); },
                          [&](const ShareView& d) {
                            fuzz::require(dump(d.view).size() <= 16384, "views are small");
                          },
                          [&](const auto& deed) {
                            if constexpr (requires { keeper.apply(deed); })
                              carry_out(scene, keeper, deed);
                          }},
               std::get<Request>(parsed).deed);
  }
  return 0;
}
