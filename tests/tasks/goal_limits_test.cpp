#include "geste/tasks/internal/goal_limits.hpp"

#include <gtest/gtest.h>

#include <random>

#include "geste/formats/urdf.hpp"
#include "geste/model/configuration.hpp"

namespace geste {
namespace {

Scene make_robot() {
  const auto joint = [](const char* name, const char* type, const char* parent, const char* child) {
    return std::string("<joint name='") + name + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='" + child +
           "'/><limit lower='-1' upper='1.5' velocity='1' effort='1'/></joint>";
  };
  return Scene::compile(
             parse_urdf("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>" +
                            joint("hinge", "revolute", "a", "b") +
                            joint("slide", "prismatic", "b", "c") + "</robot>",
                        "r.urdf")
                 .value())
      .value();
}

TEST(GoalLimits, RoundingIsSetToTheLimitWithANote) {
  const Scene scene = make_robot();
  Notes notes;
  VecX q(2);
  q << 1.50005, -1.000004;
  internal::clamp_rounding(scene, q, notes);
  EXPECT_EQ(q[0], 1.5);
  EXPECT_EQ(q[1], -1);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(to_text(notes[0]),
            "joint 'hinge': the goal is 0.00005 rad beyond its limit, by rounding: the limit is "
            "taken [plan.goal_rounded]\n  remedy: write 1.5");
  EXPECT_NE(notes[1].message.find("0.000004 m"), std::string::npos) << notes[1].message;
}

// What is within stays to the last bit; what is farther out stays as well, and is told elsewhere.
TEST(GoalLimits, NothingElseIsChanged) {
  const Scene scene = make_robot();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> value(-2, 2.5);
  for (int i = 0; i < 2000; ++i) {
    VecX q(2);
    q << value(random), value(random);
    const VecX before = q;
    Notes notes;
    internal::clamp_rounding(scene, q, notes);
    for (int k = 0; k < 2; ++k) {
      const double excess = std::max({-1 - before[k], before[k] - 1.5, 0.0});
      const double rounding = k == 0 ? 1e-4 : 1e-5;
      if (excess == 0 || excess > rounding) {
        EXPECT_EQ(q[k], before[k]);
      }
    }
    EXPECT_EQ(notes.empty(), q == before);
  }
}

}  // namespace
}  // namespace geste
