#pragma once

#include <array>
#include <cstdint>
#include <vector>

/// A scene as the vector path sees it: plain floats, rounded so that what it proves holds. No type
/// with code of its own is used here: the kernels are compiled once for each instruction set.
namespace geste::internal {

/// Samples that are worked on at once, whatever the machine's registers hold: answers do not depend
/// on the machine.
inline constexpr int kRake = 8;
inline constexpr unsigned kAllLanes = (1u << kRake) - 1;

/// One number per sample.
struct alignas(32) Row {
  float x[kRake];
};
/// Pose per sample; R by rows.
struct FrameRows {
  Row R[9];
  Row p[3];
};

/// How a mover follows from its parent, for each sample.
struct LaneMover {
  enum class Kind : std::uint8_t {
    held,   ///< at (R0, p)
    turn,   ///< (R0 + sin R1 + (1 - cos) R2, p): by input row `row`
    slide,  ///< (R0, p + x u): by input row `row`
    posed,  ///< by local pose `row`
  };
  Kind kind = Kind::held;
  bool permutes =
      false;  ///< R0 only swaps and flips axes: column k is sign[k] times that of column[k]
  int parent = 0;
  int row = 0;
  int aligned = -1;  ///< turn about this axis of R0
  float sense = 1;
  std::array<int, 3> column{};
  std::array<float, 3> sign{};
  std::array<float, 9> R0{}, R1{}, R2{};  ///< by rows
  std::array<float, 3> p{}, u{};
};

/// A ball of a sphere tree in its mover's frame.
struct LaneBall {
  float centre[3];
  float radius;
  float inner;  ///< negative: none
  int first_child;
  int children;
};

/// Objects of one mover about which the same questions are asked.
struct LaneCluster {
  int mover = 0;
  int first_ball = 0;   ///< of its tree
  int first_block = 0;  ///< of what it is held against, where obstacles are few
  int blocks = 0;
};

/// A fixed thing, or a part of one: the points within `radius` of a box. `inner` is wholly inside
/// it; a negative radius: there is none.
struct LaneObstacle {
  float centre[3];
  float half[3];
  float radius;
  float inner_half[3];
  float inner_radius;
  bool is_aligned;
  float R[9];  ///< by rows: world to box
  int object;  ///< in CollisionModel::objects
};

/// What a cluster is held against.
struct LaneTarget {
  int obstacle = -1;
  float margin = 0;
};

/// Up to eight of them, with the boxes about their obstacles, margins included.
struct LaneBlock {
  Row low[3];
  Row high[3];
  LaneTarget targets[kRake];
  unsigned filled;  ///< which of the eight there are
};

/// Two clusters that are held against each other, in the frame of the last mover above both.
struct LanePair {
  int a = 0;
  int b = 0;
  int common = 0;
  int steps_a = 0;  ///< joints between the cluster and `common`
  int steps_b = 0;
  float margin = 0;
};

struct LaneScene {
  std::vector<LaneMover> movers;  ///< by mover; 0 is the world
  std::vector<LaneBall> balls;
  std::vector<LaneCluster> clusters;  ///< those that move most first
  std::vector<LaneObstacle> obstacles;
  std::vector<LaneBlock> blocks;
  std::vector<LanePair> pairs;
  int inputs = 0;  ///< rows of angles and lengths: angles first
  int angles = 0;
  int posed = 0;                   ///< local poses
  std::vector<int> accelerations;  ///< by cluster: where its chain begins in Rake::acceleration
  int chain_entries = 0;
};

/// What was left open or found.
struct LaneFinding {
  int cluster = 0;
  int other = 0;         ///< obstacle, or the other cluster
  bool is_pair = false;  ///< two clusters
  unsigned lanes = 0;
};

/// Samples along one edge, or several configurations, and what is found of them.
struct Rake {
  /// Rows of the joints' values, and local poses.
  std::vector<Row> inputs;
  std::vector<FrameRows> local;
  /// m/s^2 per unit of the way: bound for each cluster in the frame of each mover above it, itself
  /// first (LaneScene::accelerations).
  std::vector<float> acceleration;
  std::vector<float> rounding;  ///< m, by cluster: how far float places may be off
  Row sag{};                    ///< (step to the next sample)^2 / 8
  bool is_points = false;       ///< samples by themselves; else lane k is the way from k to k + 1
  unsigned intervals = 0;       ///< lanes to prove
  unsigned samples = 0;         ///< lanes that stand for a place on the way

  unsigned open = 0;              ///< lanes that are not proven
  unsigned touching = 0;          ///< samples that collide
  std::vector<LaneFinding> hits;  ///< who collides; along a way only the first found
  std::vector<LaneFinding> left;  ///< what is not proven
};

/// A ball's way.
struct SweptBall {
  Row place[3];
  Row middle[3];
  Row half[3];  ///< of the chord, along each axis, with its sign
};

/// Lanes in which an object is known not to be proven apart from the cluster in question.
struct OpenObject {
  std::uint64_t question = 0;
  unsigned lanes = 0;
};

struct RakeMemory {
  std::vector<FrameRows> frames;  ///< by mover
  std::vector<Row> sines, cosines;
  std::vector<SweptBall> swept;         ///< by ball
  std::vector<std::uint64_t> swept_in;  ///< rake in which it was computed
  std::uint64_t rake = 0;
  std::vector<OpenObject> open_objects;  ///< by object
  std::uint64_t question = 0;
  std::vector<Row> relative;  ///< three by ball: its places in the frame of a pair
  std::vector<std::uint64_t> relative_in;
  std::uint64_t pair = 0;
};

/// Where everything is, and the top balls' ways.
void place_rake(const LaneScene& scene, const Rake& rake, RakeMemory& memory);

/// A cluster's box over all lanes that are asked about.
struct LaneBox {
  float low[3];
  float high[3];
};
LaneBox find_box(const LaneScene& scene, const Rake& rake, const RakeMemory& memory, int cluster);

/// Hold clusters against obstacles, those in their blocks or those given, and against each other.
/// `keep`: every two that are not proven apart are noted; else a lane is given up for the first.
void check_blocks(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory);
void check_cluster(const LaneScene& scene, int cluster, const LaneTarget* targets,
                   std::size_t count, bool keep, Rake& rake, RakeMemory& memory);
void check_pairs(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory);

/// Rows of joint values along an edge: q0 + s v.
struct LaneWay {
  std::vector<float> start;
  std::vector<float> rate;
  /// Turn by angle about an axis, from a place on: R = R0 + sin R1 + (1 - cos) R2, p = p0 + s a +
  /// sin b + (1 - cos) c.
  struct Pose {
    float angle;
    float R0[9], R1[9], R2[9];
    float p0[3], a[3], b[3], c[3];
  };
  std::vector<Pose> poses;
};
void fill_inputs(const LaneScene& scene, const LaneWay& way, const Row& s, Rake& rake);

}  // namespace geste::internal
