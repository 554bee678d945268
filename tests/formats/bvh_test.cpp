#include "geste/formats/bvh.hpp"

#include <fmt/format.h>

#include <map>
#include <random>

#include "formats/mocap_reference.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::load_csv;
using testing::mocap;
using testing::number;
using testing::Row;

const double kCmuUnit = 0.056444;

int find_joint(const BvhFile& bvh, const std::string& name) {
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    if (bvh.joints[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no joint " << name;
  return 0;
}

/// A skeleton with every kind of joint: orders, subsets, a repeated axis, two roots, no tip.
const char* const kMixed =
    "HIERARCHY\r\n"
    "ROOT  Base\n{\n\tOFFSET 1 2 3\r\n"
    "\tCHANNELS 6 Yrotation Xposition Zrotation Yposition Xrotation Zposition\n"
    "  JOINT Three {\n OFFSET 0 1.5 0\n CHANNELS 3 Xrotation Zrotation Yrotation\n"
    "    JOINT Two\n{ OFFSET 0.5 .25 -1e0\n CHANNELS 2 zrotation XROTATION\n"
    "      JOINT One { OFFSET 0 0 2 CHANNELS 1 Yrotation\n"
    "        JOINT None { OFFSET 1 0 0 CHANNELS 0\n"
    "          JOINT Slide { OFFSET 4 5 6 CHANNELS 2 Zposition Xrotation\n"
    "            End Site\n{\nOFFSET 0 +1 0\n}\n"
    "            End Site\n{\nOFFSET 1 0 0\n}\n } } } }\n"
    "    JOINT Euler { OFFSET -1 0 0 CHANNELS 3 Zrotation Xrotation Zrotation }\n  }\n}\n"
    "ROOT Other { OFFSET 0 0 7 CHANNELS 1 Zrotation End Site { OFFSET 0 0 1 } }\n"
    "MOTION\r\n  Frames :  3\r\nFRAME   Time:0.02\r\n"
    "10 1 20 2 30 3  40 50 60  70 80  90  5 15  11 22 33  44\n"
    "-10 1.5 20.5 2 -30 3 41 51 61 71 81 91 6 16 12 23 34 45\r\n"
    "\t170 1 20 2 30 3 179 50 60 70 80 359 5 15 11 22 33 -170   \n\n  \r\n";

TEST(Bvh, ReadsTheWholeCollection) {
  GESTE_NEEDS_DATA(mocap("clips.csv"));
  for (const Row& row : load_csv(mocap("clips.csv"))) {
    const Result<BvhFile> bvh = load_bvh(mocap(row.at("file")));
    ASSERT_TRUE(bvh) << to_text(bvh.error());
    EXPECT_EQ(bvh->frames, number(row, "frames"));
    EXPECT_EQ(static_cast<double>(bvh->joints.size()), number(row, "joints"));
    EXPECT_EQ(bvh->channels, number(row, "channels"));
    EXPECT_EQ(bvh->frame_time, number(row, "frame_time_s"));
    EXPECT_EQ(bvh->values.size(), static_cast<std::size_t>(bvh->frames) * bvh->channels);
    // The first frame is an artificial T-pose; one interval per frame after it.
    EXPECT_NEAR((bvh->frames - 2) * bvh->frame_time, number(row, "duration_s_without_tpose"), 1e-3);
    EXPECT_TRUE(bvh->notes.empty()) << to_text(bvh->notes.front());
    const BvhScale scale = guess_bvh_scale(*bvh);
    EXPECT_NEAR(scale.metres_per_unit, kCmuUnit, 1e-6) << row.at("file");
    EXPECT_EQ(scale.note.code, "bvh.scale_guessed") << scale.note.message;
  }
}

TEST(Bvh, HeightsOfTheTPose) {
  GESTE_NEEDS_DATA(mocap("clips.csv"));
  for (const Row& row : load_csv(mocap("clips.csv"))) {
    const BvhFile bvh = load_bvh(mocap(row.at("file"))).value();
    std::vector<Pose> X_WJ;
    compute_bvh_pose(bvh, 0, X_WJ);
    double lowest = 1e9;
    double highest = -1e9;
    for (std::size_t i = 0; i < X_WJ.size(); ++i) {
      lowest = std::min(lowest, X_WJ[i].p.y());
      highest = std::max(highest, X_WJ[i].p.y());
      for (const Vec3& tip : bvh.joints[i].end_sites) {
        lowest = std::min(lowest, (X_WJ[i] * tip).y());
        highest = std::max(highest, (X_WJ[i] * tip).y());
      }
    }
    EXPECT_NEAR((highest - lowest) * kCmuUnit, number(row, "tpose_height_m"), 6e-4)
        << row.at("file");
  }
}

// CH-11
TEST(Bvh, PlacesEveryJointOfTheReference) {
  GESTE_NEEDS_DATA(mocap("fk_reference.csv"));
  std::map<std::string, BvhFile> files;
  std::vector<Pose> X_WJ;
  int rows = 0;
  for (const Row& row : load_csv(mocap("fk_reference.csv"))) {
    const std::string& name = row.at("file");
    if (!files.count(name)) files[name] = load_bvh(mocap(name)).value();
    const BvhFile& bvh = files[name];
    compute_bvh_pose(bvh, static_cast<int>(number(row, "frame_index_from_0")), X_WJ);
    const Vec3 expected(number(row, "x_unit"), number(row, "y_unit"), number(row, "z_unit"));
    const Vec3 p_WJ = X_WJ[find_joint(bvh, row.at("joint"))].p;
    EXPECT_LT((p_WJ - expected).cwiseAbs().maxCoeff(), 1e-4) << name << " " << row.at("joint");
    const Vec3 metres(number(row, "x_m"), number(row, "y_m"), number(row, "z_m"));
    EXPECT_LT((p_WJ * kCmuUnit - metres).cwiseAbs().maxCoeff(), 1e-5);
    ++rows;
  }
  EXPECT_EQ(rows, 520);
}

/// Forward kinematics of a scene description, by the definitions in scene_spec.hpp alone: rotation
/// of a point by a quaternion as v + 2 u x (u x v + w v), by an axis after Rodrigues.
class ScenePlacer {
 public:
  ScenePlacer(const SceneSpec& scene, const VecX& q) : scene_(scene), q_(q) {}

  std::map<std::string, std::vector<Vec3>> place() {
    for (const JointSpec& joint : scene_.joints) {
      // A body's frame as the images of its origin and unit vectors.
      std::vector<Vec3> frame;
      for (int i = -1; i < 3; ++i) {
        const Vec3 p = i < 0 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(i));
        const Vec3 in_parent = joint.X_PJ.R * move(joint, p) + joint.X_PJ.p;
        frame.push_back(joint.parent.empty() ? in_parent : carry(joint.parent, in_parent));
      }
      at_ += entries(joint.type);
      frames_[joint.child] = frame;
    }
    EXPECT_EQ(at_, q_.size());
    return frames_;
  }

 private:
  static int entries(JointType type) {
    switch (type) {
      case JointType::free:
        return 7;
      case JointType::spherical:
        return 4;
      case JointType::universal:
        return 2;
      case JointType::revolute:
        return 1;
      default:
        return 0;
    }
  }
  static Vec3 turn(const Vec3& v, const Vec3& axis, double angle) {
    return v * std::cos(angle) + axis.cross(v) * std::sin(angle) +
           axis * axis.dot(v) * (1 - std::cos(angle));
  }
  Vec3 turn_by_entries(const Vec3& v, int at) const {
    const Vec3 u = q_.segment<3>(at);
    return v + 2 * u.cross(u.cross(v) + q_[at + 3] * v);
  }
  Vec3 move(const JointSpec& joint, const Vec3& p) const {
    switch (joint.type) {
      case JointType::free:
        return turn_by_entries(p, at_ + 3) + q_.segment<3>(at_);
      case JointType::spherical:
        return turn_by_entries(p, at_);
      case JointType::universal:
        return turn(turn(p, joint.axis2, q_[at_ + 1]), joint.axis, q_[at_]);
      case JointType::revolute:
        return turn(p, joint.axis, q_[at_]);
      default:
        return p;
    }
  }
  Vec3 carry(const std::string& body, const Vec3& p) const {
    const std::vector<Vec3>& f = frames_.at(body);
    return f[0] + (f[1] - f[0]) * p.x() + (f[2] - f[0]) * p.y() + (f[3] - f[0]) * p.z();
  }

  const SceneSpec& scene_;
  const VecX& q_;
  int at_ = 0;
  std::map<std::string, std::vector<Vec3>> frames_;
};

/// Y up, Z forward, X left in the file: X forward, Y left, Z up in geste.
Vec3 to_geste(const Vec3& p, double scale) { return scale * Vec3(p.z(), p.x(), p.y()); }

void expect_scene_follows(const BvhFile& bvh, int frame, const VecX& q,
                          const BvhSceneOptions& options) {
  const SceneSpec scene = make_bvh_scene(bvh, options);
  const auto frames = ScenePlacer(scene, q).place();
  std::vector<Pose> X_WJ;
  compute_bvh_pose(bvh, frame, X_WJ);
  ASSERT_EQ(scene.bodies.size(), bvh.joints.size());
  for (std::size_t i = 0; i < X_WJ.size(); ++i) {
    const std::vector<Vec3>& placed = frames.at(bvh.joints[i].name);
    const Vec3 origin = to_geste(X_WJ[i].p, options.metres_per_unit);
    EXPECT_LT((placed[0] - origin).norm(), 1e-9) << bvh.joints[i].name << " frame " << frame;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 direction = to_geste(X_WJ[i].R.col(axis), 1);
      EXPECT_LT((placed[axis + 1] - placed[0] - direction).norm(), 1e-9) << bvh.joints[i].name;
    }
  }
}

// CH-11
TEST(Bvh, SceneAndConfigurationGiveTheSameFigure) {
  GESTE_NEEDS_DATA(mocap("13_33.bvh"));
  for (const char* name : {"13_33.bvh", "69_70.bvh"}) {
    const BvhFile bvh = load_bvh(mocap(name)).value();
    BvhSceneOptions options;
    options.metres_per_unit = kCmuUnit;
    const MatX motion = make_bvh_motion(bvh, options);
    ASSERT_EQ(motion.cols(), bvh.frames);
    for (int frame = 0; frame < bvh.frames; frame += 97) {
      expect_scene_follows(bvh, frame, motion.col(frame), options);
      expect_scene_follows(bvh, frame, make_bvh_configuration(bvh, frame, options), options);
    }
    // Hips stand upright: about 1 m above the floor, in geste's axes.
    const auto frames = ScenePlacer(make_bvh_scene(bvh, options), motion.col(0)).place();
    EXPECT_NEAR(frames.at("Hips")[0].z(), 1, 0.1);
    EXPECT_GT(frames.at("LeftHand")[0].y(), frames.at("RightHand")[0].y() + 1);
    EXPECT_GT(frames.at("LeftToeBase")[0].x(), frames.at("LeftFoot")[0].x());
  }
}

TEST(Bvh, EveryKindOfJointBecomesItsSceneJoint) {
  const Result<BvhFile> bvh = parse_bvh(kMixed, "folder/mixed.bvh");
  ASSERT_TRUE(bvh) << to_text(bvh.error());
  ASSERT_EQ(bvh->joints.size(), 8u);
  EXPECT_EQ(bvh->channels, 18);
  EXPECT_EQ(bvh->frames, 3);
  EXPECT_EQ(bvh->frame_time, 0.02);
  EXPECT_EQ(bvh->joints[5].end_sites.size(), 2u);
  EXPECT_EQ(bvh->joints[6].parent, 1);
  EXPECT_EQ(bvh->joints[0].channels[1], BvhChannel::x_position);
  BvhSceneOptions options;
  options.metres_per_unit = 0.1;
  const SceneSpec scene = make_bvh_scene(*bvh, options);
  EXPECT_EQ(scene.name, "mixed");
  const JointType expected[] = {JointType::free,      JointType::spherical, JointType::universal,
                                JointType::revolute,  JointType::fixed,     JointType::free,
                                JointType::spherical, JointType::free};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(scene.joints[i].type, expected[i]) << i;
  EXPECT_EQ(scene.actors.size(), 2u);
  const MatX motion = make_bvh_motion(*bvh, options);
  EXPECT_EQ(motion.rows(), 7 + 4 + 2 + 1 + 0 + 7 + 4 + 7);
  for (int frame = 0; frame < 3; ++frame) {
    expect_scene_follows(*bvh, frame, motion.col(frame), options);
  }
  EXPECT_THROW(make_bvh_configuration(*bvh, 3, options), std::out_of_range);
  options.metres_per_unit = 0;
  EXPECT_EQ(options.faults().size(), 1u);
  EXPECT_THROW(make_bvh_scene(*bvh, options), std::invalid_argument);
}

TEST(Bvh, LocalRotationIsTheProductInTheOrderWritten) {
  const BvhFile bvh = parse_bvh(kMixed, "mixed.bvh").value();
  std::vector<Pose> X_WJ;
  compute_bvh_pose(bvh, 0, X_WJ);
  const auto turn = [](int axis, double degrees) {
    const double c = std::cos(degrees * 3.14159265358979323846 / 180);
    const double s = std::sin(degrees * 3.14159265358979323846 / 180);
    Mat3 R;
    if (axis == 0) R << 1, 0, 0, 0, c, -s, 0, s, c;
    if (axis == 1) R << c, 0, s, 0, 1, 0, -s, 0, c;
    if (axis == 2) R << c, -s, 0, s, c, 0, 0, 0, 1;
    return R;
  };
  // Position channels replace the OFFSET, which is 1 2 3 too: an addition would give 2 4 6.
  EXPECT_LT((X_WJ[0].p - Vec3(1, 2, 3)).norm(), 1e-12);
  const Mat3 base = turn(1, 10) * turn(2, 20) * turn(0, 30);
  EXPECT_LT((X_WJ[0].R - base).norm(), 1e-12);
  EXPECT_LT((X_WJ[1].R - base * turn(0, 40) * turn(2, 50) * turn(1, 60)).norm(), 1e-12);
  // Only z has a channel: x and y stay the OFFSET's.
  const Vec3 p_PS = X_WJ[4].R.transpose() * (X_WJ[5].p - X_WJ[4].p);
  EXPECT_LT((p_PS - Vec3(4, 5, 5)).norm(), 1e-12);
  bool replaced = false;
  for (const Note& note : bvh.notes) replaced |= note.code == "bvh.offset_replaced";
  EXPECT_TRUE(replaced);
  EXPECT_THROW(compute_bvh_pose(bvh, -1, X_WJ), std::out_of_range);
}

TEST(Bvh, RestConfigurationIsTheRestPose) {
  const BvhFile bvh = parse_bvh(kMixed, "mixed.bvh").value();
  BvhSceneOptions options;
  options.metres_per_unit = 0.5;
  const SceneSpec scene = make_bvh_scene(bvh, options);
  ASSERT_EQ(scene.configurations.size(), 1u);
  std::vector<double> q;
  for (const auto& [joint, values] : scene.configurations[0].values) {
    q.insert(q.end(), values.begin(), values.end());
  }
  const VecX rest = Eigen::Map<const VecX>(q.data(), static_cast<Eigen::Index>(q.size()));
  const auto frames = ScenePlacer(scene, rest).place();
  std::vector<Pose> X_WJ;
  compute_bvh_rest_pose(bvh, X_WJ);
  EXPECT_LT((X_WJ[2].p - Vec3(1.5, 3.75, 2)).norm(), 1e-12);
  for (std::size_t i = 0; i < X_WJ.size(); ++i) {
    EXPECT_LT((frames.at(bvh.joints[i].name)[0] - to_geste(X_WJ[i].p, 0.5)).norm(), 1e-12);
  }
}

TEST(Bvh, MotionIsContinuous) {
  // A full turn in steps of 10 degrees, wrapped at 180 as exporters do.
  std::string text =
      "HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
      "JOINT h { OFFSET 0 1 0 CHANNELS 1 Xrotation } }\nMOTION\nFrames: 109\nFrame Time: 1\n";
  for (int i = 0; i <= 108; ++i) {
    const int angle = (i * 10 + 180) % 360 - 180;
    text += fmt::format("{} 0 0 {}\n", angle, angle);
  }
  const BvhFile bvh = parse_bvh(text, "turn.bvh").value();
  const BvhSceneOptions options;
  const MatX motion = make_bvh_motion(bvh, options);
  const double step = 10 * std::acos(-1.0) / 180;
  for (int i = 1; i < bvh.frames; ++i) {
    EXPECT_GT(motion.col(i).segment<4>(3).dot(motion.col(i - 1).segment<4>(3)), 0.99) << i;
    EXPECT_NEAR(motion(7, i) - motion(7, i - 1), step, 1e-9);
    const VecX before = motion.col(i - 1);
    EXPECT_EQ(make_bvh_configuration(bvh, i, options, &before), motion.col(i));
  }
  // Three turns: the quaternion of one turn is the other of the two.
  EXPECT_NEAR(motion(6, 36), -1, 1e-9);
  EXPECT_GE(make_bvh_configuration(bvh, 36, options)[6], 0);
}

TEST(Bvh, BonesAreCapsulesFromJointToJoint) {
  const BvhFile bvh = parse_bvh(kMixed, "mixed.bvh").value();
  BvhSceneOptions options;
  options.metres_per_unit = 0.1;
  const SceneSpec scene = make_bvh_scene(bvh, options);
  ASSERT_EQ(scene.bodies[1].geometry.size(), 2u);  // Three -> Two, Three -> Euler
  const GeometrySpec& bone = scene.bodies[1].geometry[0];
  EXPECT_EQ(bone.name, "bone_to_Two");
  const auto& capsule = std::get<Capsule>(bone.shape);
  const Vec3 tip(0.05, 0.025, -0.1);
  EXPECT_NEAR(capsule.length, tip.norm(), 1e-12);
  EXPECT_NEAR(capsule.radius, 0.1 * tip.norm(), 1e-12);
  EXPECT_LT((bone.X_BG * Vec3(0, 0, capsule.length / 2) - tip).norm(), 1e-12);
  EXPECT_LT((bone.X_BG * Vec3(0, 0, -capsule.length / 2)).norm(), 1e-12);
  EXPECT_FALSE(bone.collision);
  EXPECT_FALSE(scene.bodies[1].inertia.has_value());
  EXPECT_EQ(scene.bodies[5].geometry.size(), 2u);  // two tips
}

TEST(Bvh, OtherUpAxesAreRotationsWithoutMirror) {
  const BvhFile bvh = parse_bvh(kMixed, "mixed.bvh").value();
  for (const auto& [up, axis] :
       {std::pair(UpAxis::x, 0), std::pair(UpAxis::y, 1), std::pair(UpAxis::z, 2)}) {
    BvhSceneOptions options;
    options.up = up;
    const Mat3 R = make_bvh_scene(bvh, options).joints[0].X_PJ.R;
    EXPECT_NEAR(R.determinant(), 1, 1e-12);
    EXPECT_EQ(Vec3(R * Vec3::Unit(axis)), Vec3(Vec3::UnitZ()));
  }
}

TEST(Bvh, GuessesTheUnit) {
  const auto figure = [](double height) {
    return parse_bvh(fmt::format("HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation\n"
                                 "End Site {{ OFFSET 0 {} 0 }} }}\nMOTION\nFrames: 0\n"
                                 "Frame Time: 0.01\n",
                                 height),
                     "figure.bvh")
        .value();
  };
  EXPECT_EQ(guess_bvh_scale(figure(1.7)).metres_per_unit, 1);
  EXPECT_EQ(guess_bvh_scale(figure(170)).metres_per_unit, 0.01);
  EXPECT_EQ(guess_bvh_scale(figure(1700)).metres_per_unit, 0.001);
  EXPECT_EQ(guess_bvh_scale(figure(66)).metres_per_unit, 0.0254);
  EXPECT_NEAR(guess_bvh_scale(figure(28)).metres_per_unit, kCmuUnit, 1e-6);
  EXPECT_EQ(guess_bvh_scale(figure(28)).note.code, "bvh.scale_guessed");
  EXPECT_EQ(guess_bvh_scale(figure(20000)).note.code, "bvh.scale_doubtful");
  EXPECT_EQ(guess_bvh_scale(figure(0)).note.code, "bvh.scale_doubtful");
  EXPECT_EQ(guess_bvh_scale(figure(0)).metres_per_unit, 1);
}

TEST(Bvh, NamesBecomeUnique) {
  const std::string text =
      "HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation\n"
      "JOINT a_2\n{ OFFSET 0 0 0 }\nJOINT a\n{ OFFSET 0 0 0 }\nJOINT Left Arm {}\n JOINT { } }\n"
      "MOTION\nFrames: 1\nFrame Time: 1\n7";
  const Result<BvhFile> bvh = parse_bvh(text, "names.bvh");
  ASSERT_TRUE(bvh) << to_text(bvh.error());
  EXPECT_EQ(bvh->joints[1].name, "a_2");
  EXPECT_EQ(bvh->joints[2].name, "a_3");
  EXPECT_EQ(bvh->joints[3].name, "Left Arm");
  EXPECT_EQ(bvh->joints[4].name, "joint_2");
  std::vector<std::string> codes;
  for (const Note& note : bvh->notes) codes.push_back(note.code);
  EXPECT_EQ(codes,
            (std::vector<std::string>{"bvh.duplicate_names", "bvh.no_offset", "bvh.no_end_site"}));
  EXPECT_EQ(bvh->notes[0].line, 5);
}

TEST(Bvh, DeepHierarchiesAreRead) {
  constexpr int kDepth = 200000;
  std::string text = "HIERARCHY\nROOT j\n";
  for (int i = 0; i < kDepth; ++i) text += i == 0 ? "{OFFSET 0 0 0\n" : "JOINT j\n{OFFSET 0 1 0\n";
  text += "CHANNELS 1 Xrotation";
  text += std::string(kDepth, '}') + "\nMOTION\nFrames: 1\nFrame Time: 1\n90\n";
  const Result<BvhFile> bvh = parse_bvh(text, "deep.bvh");
  ASSERT_TRUE(bvh) << to_text(bvh.error());
  EXPECT_EQ(bvh->joints.size(), static_cast<std::size_t>(kDepth));
  std::vector<Pose> X_WJ;
  compute_bvh_pose(*bvh, 0, X_WJ);
  EXPECT_EQ(X_WJ.back().p.y(), kDepth - 1);
}

TEST(Bvh, CutFilesNeverPassForWholeOnes) {
  const std::string text(kMixed);
  const std::size_t last_digit = text.find_last_of("0123456789");
  for (std::size_t size = 0; size < last_digit - 3; ++size) {
    EXPECT_FALSE(parse_bvh(std::string_view(text).substr(0, size), "cut.bvh")) << size;
  }
}

TEST(Bvh, DamagedBytesNeverCrash) {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    std::string text(kMixed);
    for (int k = 0; k < 4; ++k) {
      text[random() % text.size()] =
          round % 2 ? static_cast<char>(random()) : "{}0-e\n ."[random() % 8];
    }
    const Result<BvhFile> bvh = parse_bvh(text, "damaged.bvh");
    if (!bvh) continue;
    for (const double value : bvh->values) ASSERT_TRUE(std::isfinite(value));
    std::vector<Pose> X_WJ;
    if (bvh->frames > 0) compute_bvh_pose(*bvh, bvh->frames - 1, X_WJ);
    make_bvh_motion(*bvh, {});
  }
}

struct BadCase {
  const char* name;
  std::string text;
  const char* code;
  int line;
  int column;
  const char* message;
};

std::string with_motion(const std::string& motion) {
  return "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\nMOTION\n" + motion;
}

class BvhBadInput : public ::testing::TestWithParam<BadCase> {};

TEST_P(BvhBadInput, IsRefusedWithPlaceAndRemedy) {
  const BadCase& bad = GetParam();
  const Result<BvhFile> bvh = parse_bvh(bad.text, "bad.bvh");
  ASSERT_FALSE(bvh);
  const Error& error = bvh.error();
  EXPECT_EQ(error.code, bad.code);
  EXPECT_EQ(error.line, bad.line);
  EXPECT_EQ(error.column, bad.column);
  EXPECT_EQ(error.file, "bad.bvh");
  EXPECT_NE(error.message.find(bad.message), std::string::npos) << error.message;
  EXPECT_FALSE(error.remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, BvhBadInput,
    ::testing::Values(
        BadCase{"empty", "", "bvh.not_bvh", 1, 1, "HIERARCHY"},
        BadCase{"other_format", "solid x\n", "bvh.not_bvh", 1, 1, "HIERARCHY"},
        BadCase{"no_motion", "HIERARCHY\nROOT a { OFFSET 0 0 0 }\n", "bvh.no_motion", 3, 1,
                "MOTION"},
        BadCase{"no_joints", "HIERARCHY\nMOTION\n", "bvh.no_joints", 2, 7, "no joints"},
        BadCase{"open_brace", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n", "bvh.unexpected_word",
                5, 1, "not 'MOTION'"},
        BadCase{"cut", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", "bvh.truncated", 5, 1, "ends"},
        BadCase{"offset_word", "HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n}\nMOTION\n",
                "bvh.not_a_number", 4, 10, "'x'"},
        BadCase{"offset_nan", "HIERARCHY\nROOT a\n{\nOFFSET 0 nan 0\n}\nMOTION\n",
                "bvh.not_a_number", 4, 10, "'nan'"},
        BadCase{"offset_short", "HIERARCHY\nROOT a\n{\nOFFSET 0 1\n}\nMOTION\n", "bvh.offset_short",
                4, 11, "2 of 3"},
        BadCase{"channel_name", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}",
                "bvh.channel_name", 5, 12, "'Wrotation'"},
        BadCase{"channel_claim", "HIERARCHY\nROOT a\n{\nCHANNELS 4000000000 Xrotation\n}",
                "bvh.channel_name", 5, 1, "1 of 4000000000"},
        BadCase{"channel_more",
                "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation Yrotation\n}",
                "bvh.unexpected_word", 5, 22, "'Yrotation'"},
        BadCase{"position_twice",
                "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n}",
                "bvh.repeated", 5, 10, "twice"},
        BadCase{"frames_word", with_motion("Frames: many\nFrame Time: 1\n"), "bvh.frame_count", 8,
                9, "'many'"},
        BadCase{"frames_negative", with_motion("Frames: -1\nFrame Time: 1\n"), "bvh.frame_count", 8,
                9, "'-1'"},
        BadCase{"time_zero", with_motion("Frames: 1\nFrame Time: 0\n1 2\n"), "bvh.frame_time", 9,
                13, "'0'"},
        BadCase{"no_frames", with_motion("Frame Time: 1\n1 2\n"), "bvh.motion_header", 9, 1,
                "'Frames:'"},
        BadCase{"row_word", with_motion("Frames: 1\nFrame Time: 1\n1  2a\n"), "bvh.not_a_number",
                10, 4, "'2a'"},
        BadCase{"row_comma", with_motion("Frames: 1\nFrame Time: 1\n1  2,5\n"), "bvh.not_a_number",
                10, 4, "'2,5'"},
        BadCase{"row_inf", with_motion("Frames: 1\nFrame Time: 1\n1 inf\n"), "bvh.not_a_number", 10,
                3, "'inf'"},
        BadCase{"row_huge", with_motion("Frames: 1\nFrame Time: 1\n1e300 0\n"), "bvh.not_a_number",
                10, 1, "'1e300'"},
        BadCase{"row_short", with_motion("Frames: 2\nFrame Time: 1\n1 2\n3\n"), "bvh.row_length",
                11, 1, "row 2 has 1 numbers where the channels ask for 2"},
        BadCase{"row_long", with_motion("Frames: 1\nFrame Time: 1\n1 2 3\n"), "bvh.row_length", 10,
                1, "has 3 numbers"},
        BadCase{"rows_missing", with_motion("Frames: 3\nFrame Time: 1\n1 2\n3 4\n"),
                "bvh.rows_missing", 12, 1, "states 3 frames, but the file ends after 2"},
        BadCase{"rows_claimed", with_motion("Frames: 2000000000\nFrame Time: 1\n1 2\n"),
                "bvh.rows_missing", 11, 1, "ends after 1"},
        BadCase{"rows_extra", with_motion("Frames: 1\nFrame Time: 1\n1 2\n\n3 4\n5 6"),
                "bvh.rows_extra", 12, 1, "states 1 frames, but 3 rows follow"}),
    [](const auto& test) { return test.param.name; });

TEST(Bvh, ReportsEveryFaultButNotForEver) {
  const Result<BvhFile> two =
      parse_bvh(with_motion("Frames: 2\nFrame Time: 1\n1 x\ny 2 3\n"), "bad.bvh");
  ASSERT_FALSE(two);
  ASSERT_EQ(two.error().also.size(), 2u);
  EXPECT_EQ(two.error().also[0].message, "'y' is not a number (row 2, channel 1)");
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "x y\n";
  const Result<BvhFile> many =
      parse_bvh(with_motion("Frames: 1000\nFrame Time: 1\n" + rows), "bad.bvh");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().also.size(), 19u);
}

TEST(Bvh, NothingAtThePath) {
  const Result<BvhFile> bvh = load_bvh("no/such/file.bvh");
  ASSERT_FALSE(bvh);
  EXPECT_EQ(bvh.error().code, "file.missing");
}

}  // namespace
}  // namespace geste
