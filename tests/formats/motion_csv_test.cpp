#include "geste/formats/motion_csv.hpp"

#include "geste/formats/result_files.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/configuration.hpp"

#include "formats/glb_reading.hpp"

namespace geste {
namespace {

Scene make_slider() {
  const auto robot = parse_urdf(
      "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='0.1'/>"
      "</geometry></collision></link><joint name='j' type='prismatic'><parent link='a'/>"
      "<child link='b'/><limit lower='-9' upper='9' velocity='1' effort='1'/></joint></robot>",
      "r.urdf");
  return Scene::compile(robot.value()).value();
}

TEST(MotionCsv, AByteOrderMarkIsNoPartOfTheFirstName) {
  const Scene scene = make_slider();
  const auto motion =
      parse_motion_csv("\xEF\xBB\xBFtime,j\n0,1\n1,2\n", "m.csv", scene, make_neutral(scene));
  ASSERT_TRUE(motion) << to_text(motion.error());
  EXPECT_EQ(motion->q(0, 1), 2);
}

TEST(MotionCsv, SemicolonsGetOneMessage) {
  const Scene scene = make_slider();
  const auto motion =
      parse_motion_csv("time;j\n0;1,5\n1;2,5\n", "m.csv", scene, make_neutral(scene));
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, "csv.separator");
  EXPECT_EQ(motion.error().line, 1);
  EXPECT_TRUE(motion.error().also.empty());
  EXPECT_NE(motion.error().remedy.find("commas"), std::string::npos);
}

// Floats cannot tell the seconds of a date apart: the animation begins at 0 whatever the clock.
TEST(ResultFiles, AMotionTimedByTheClockStillMoves) {
  const Scene scene = make_slider();
  for (const double begin : {0.0, -5.0, 1.7e9}) {
    JointMotion motion;
    motion.q.resize(1, 4);
    for (int i = 0; i < 4; ++i) {
      motion.times.push_back(begin + 0.25 * i);
      motion.q(0, i) = i * i;
    }
    const testing::Glb glb(make_motion_glb(scene, motion));
    const auto& sampler = glb.document["animations"][0]["samplers"][0];
    const auto& input = glb.document["accessors"][sampler["input"].get<std::size_t>()];
    EXPECT_EQ(glb.read<float>(input), (std::vector<float>{0, 0.25f, 0.5f, 0.75f})) << begin;
  }
}

}  // namespace
}  // namespace geste
