#include "geste/formats/motion_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "geste/core/rng.hpp"
#include "geste/formats/result_files.hpp"
#include "geste/formats/task_scene.hpp"
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

// Files have few digits: what is nearly a unit quaternion becomes one, the same rotation.
TEST(MotionCsv, QuaternionsAreNormalised) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"part"}, BodySpec{"ball"}};
  spec.joints = {{.name = "root", .type = JointType::free, .child = "part"},
                 {.name = "socket", .type = JointType::spherical, .child = "ball"}};
  const Scene scene = Scene::compile(spec).value();
  Rng rng(6);
  for (int k = 0; k < 50; ++k) {
    Eigen::Vector4d turns[2];
    for (Eigen::Vector4d& turn : turns)
      turn = Eigen::Vector4d(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized();
    const double scale = rng.uniform(0.992, 1.008);
    const Eigen::Vector4d a = scale * turns[0], b = turns[1] / scale;
    const std::string text = fmt::format(
        "time,root:x,root:y,root:z,root:qx,root:qy,root:qz,root:qw,socket:qx,socket:qy,socket:qz,"
        "socket:qw\n0,1,2,3,{},{},{},{},{},{},{},{}\n",
        a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
    const auto motion = parse_motion_csv(text, "m.csv", scene, make_neutral(scene));
    ASSERT_TRUE(motion) << to_text(motion.error());
    EXPECT_LT((motion->q.col(0).segment<4>(3) - turns[0]).norm(), 1e-12);
    EXPECT_LT((motion->q.col(0).segment<4>(7) - turns[1]).norm(), 1e-12);
    EXPECT_EQ(motion->q(2, 0), 3);
  }
  const auto broken =
      parse_motion_csv("time,socket:qx,socket:qy,socket:qz,socket:qw\n0,0.5,0,0,0\n", "m.csv",
                       scene, make_neutral(scene));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, "csv.bad_quaternion");
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

/// A slide, a hinge and a part that lies turned and away from the origin.
TaskScene load_cell() {
  const std::string text =
      "geste: 1\nparts:\n"
      "  - {name: crate, box: [0.2, 0.2, 0.2], movable: true, "
      "pose: {xyz: [1, -2, 0.5], rpy_deg: [0, 0, 90]}}\n"
      "  - {name: lid, box: [0.1, 0.1, 0.1], movable: true}\n";
  return load_task_scene(parse_task(text, "cell.yaml", {}).value()).value();
}

TEST(MotionCsv, NamesUnitsAndWorldPoses) {
  const TaskScene cell = load_cell();
  JointMotion motion;
  motion.times = {0, 1.5};
  motion.q.resize(cell.scene.nq(), 2);
  motion.q.col(0) = motion.q.col(1) = cell.start;
  motion.q(cell.scene.joint(*cell.scene.find_joint("crate/root")).q, 1) = 0.25;  // along its x
  const std::string csv = write_motion_csv(cell.scene, motion);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "time [s],crate:pose.x [m],crate:pose.y [m],crate:pose.z [m],crate:pose.qx,"
            "crate:pose.qy,crate:pose.qz,crate:pose.qw,lid:pose.x [m],lid:pose.y [m],"
            "lid:pose.z [m],lid:pose.qx,lid:pose.qy,lid:pose.qz,lid:pose.qw");
  // Its x is the world's y.
  const auto last = csv.rfind("\n1.5,");
  ASSERT_NE(last, std::string::npos) << csv;
  const auto cells = csv.substr(last + 5, csv.find(",0.5,", last) - last - 5);
  EXPECT_EQ(cells, "1,-1.75") << csv;
  const auto again = parse_motion_csv(csv, "motion.csv", cell.scene, cell.start);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_LT((again->q - motion.q).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(again->times, motion.times);
}

TEST(MotionCsv, ReadsFormerHeadersAndOtherUnits) {
  const Scene scene = make_slider();
  const VecX q0 = make_neutral(scene);
  for (const char* text :
       {"time,j\n0,1\n1,2\n", "time [s],j [m]\n0,1\n1,2\n", "time [ms],j [mm]\n0,1000\n1000,2000\n",
        "time [s], j[cm]\n0,100\n1,200\n"}) {
    const auto motion = parse_motion_csv(text, "m.csv", scene, q0);
    ASSERT_TRUE(motion) << to_text(motion.error());
    EXPECT_NEAR(motion->q(0, 1), 2, 1e-12) << text;
    EXPECT_NEAR(motion->times[1], 1, 1e-12) << text;
  }
  const TaskScene cell = load_cell();
  const auto former = parse_motion_csv(
      "time,crate/root:x,crate/root:y,crate/root:z,crate/root:qx,crate/root:qy,crate/root:qz,"
      "crate/root:qw\n0,0,0,0,0,0,0,1\n1,0.25,0,0,0,0,0,1\n",
      "m.csv", cell.scene, cell.start);
  ASSERT_TRUE(former) << to_text(former.error());
  EXPECT_EQ(former->q(cell.scene.joint(*cell.scene.find_joint("crate/root")).q, 1), 0.25);
}

TEST(MotionCsv, FaultsOfHeadersSayWhatIsMeant) {
  const Scene scene = make_slider();
  const VecX q0 = make_neutral(scene);
  const auto unit = parse_motion_csv("time [s],j [deg]\n0,1\n", "m.csv", scene, q0);
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().code, "csv.unknown_unit");
  EXPECT_EQ(unit.error().column, 2);
  EXPECT_NE(unit.error().remedy.find("mm"), std::string::npos) << unit.error().remedy;
  EXPECT_EQ(parse_motion_csv("time [m],j\n0,1\n", "m.csv", scene, q0).error().code,
            "csv.unknown_unit");
  const TaskScene cell = load_cell();
  const auto mixed =
      parse_motion_csv("time,crate/root:x,crate:pose.y\n0,0,0\n", "m.csv", cell.scene, cell.start);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, "csv.mixed_columns");
  const auto missing =
      parse_motion_csv("time,crate:pose.x,crate:pose.y\n0,0,0\n", "m.csv", cell.scene, cell.start);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "csv.missing_column");
  EXPECT_NE(missing.error().message.find("crate:pose.z"), std::string::npos);
}

TEST(MotionCsv, EvenStepsHoldTheEnd) {
  const Scene scene = make_slider();
  JointMotion motion;
  motion.times = {2, 3, 3.25};
  motion.q.resize(1, 3);
  motion.q << 0, 1, 3;
  EXPECT_EQ(write_even_csv(scene, motion, 0.5), "time [s],j [m]\n2,0\n2.5,0.5\n3,1\n3.5,3\n");
  const std::string fine = write_even_csv(scene, motion, 0.01);
  EXPECT_EQ(std::count(fine.begin(), fine.end(), '\n'), 127);
  EXPECT_THROW((void)write_even_csv(scene, motion, 0), std::invalid_argument);
  Budget none;
  none.max_steps = 2;
  EXPECT_EQ(write_even_csv(scene, motion, 0.01, none), "");
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
