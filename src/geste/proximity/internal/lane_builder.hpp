#pragma once

#include <cmath>
#include <map>
#include <memory>

#include "geste/geometry/sphere_tree.hpp"
#include "geste/proximity/aabb_tree.hpp"
#include "geste/proximity/collision_model.hpp"
#include "geste/proximity/internal/lane_scene.hpp"
#include "geste/proximity/internal/pair_table.hpp"

namespace geste {

/// What takes time to make, by what it was made of; the next validator of the same parts takes it
/// over.
struct LaneStore {
  /// Shapes and where they stand, bit by bit.
  using Key = std::vector<std::uint64_t>;
  template <class Made>
  struct Entry {
    std::vector<Collider> shapes;  ///< keeps the meshes alive that the key names
    std::shared_ptr<const Made> made;
  };
  std::map<Key, Entry<SphereTree>> trees;
  std::map<Key, Entry<PairTable>> tables;
};

/// How far a joint's axis or origin is from a cluster's points at most, where joints on the way do
/// not slide.
struct ChainLink {
  int mover = 0;
  double arm = 0;
};

/// Two that could be one inside the other without a ball meeting a ball.
struct HidingPlace {
  int cluster = 0;
  int other = 0;  ///< obstacle's object, or the other cluster
  bool is_pair = false;
  Vec3 centre = Vec3::Zero();  ///< of the obstacle's box, in the lanes' world
  double within = 0;           ///< a cluster whose top ball is centred farther from it is outside
};

/// The vector path's view of a scene, with what the driver needs beside.
struct LaneModel {
  internal::LaneScene lanes;
  Mat3 R_AW = Mat3::Identity();  ///< world to the lanes' world, where most obstacles are aligned
  std::vector<int> lane_mover;   ///< by mover: its last lane mover
  struct Cluster {
    std::vector<int> objects;
    std::vector<ChainLink> chain;  ///< from the cluster up to the world
    double reach = 0;              ///< of its points from the world's origin
    double radius = 0;             ///< of its top ball
    /// What it is held against of many obstacles: the margin of each, negative where it is not;
    /// empty where it is held against none. Few are in LaneScene::blocks.
    std::vector<float> margins;
    std::vector<bool> hides;  ///< likewise, by object: could be hidden in it, or it in the cluster
  };
  std::vector<Cluster> clusters;
  std::vector<HidingPlace> hiding;  ///< of many obstacles only the pairs of clusters
  /// Clusters that are held against each other by a table.
  struct TablePair {
    std::vector<ProofPair> pairs;  ///< of objects
    std::shared_ptr<const PairTable> table;
  };
  std::vector<TablePair> tables;
  std::vector<ProofPair> never_colliding;  ///< their table is proven as a whole, and dropped
  AabbTree obstacle_tree;                  ///< in the lanes' world; of many obstacles only
  AabbTree hiding_tree;                    ///< likewise, of the objects that hide something
  bool uses_tree = false;
  /// Inputs: which entry of q, in the order of LaneScene::inputs; v likewise.
  struct Input {
    int q = 0;
    int v = 0;
    bool is_angle = false;
  };
  std::vector<Input> inputs;
  std::vector<int> posed;  ///< movers with a local pose of their own
};

LaneModel make_lane_model(const ProofScene& world, LaneStore& store, int threads);

// Parts of it.

/// A float that is not below x.
inline float round_out(double x) { return std::nextafter(static_cast<float>(x), 1e30f); }

/// World to the lanes' world, in which most obstacles stand along the axes.
Mat3 find_alignment(const CollisionModel& model);
void add_lane_movers(const Scene& scene, LaneModel& out);
/// What stands and is in no cluster; meshes as boxes of about `box_size`.
void add_lane_obstacles(const CollisionModel& model, const std::vector<bool>& is_clustered,
                        double box_size, LaneModel& out);
AxisBox compute_box(const internal::LaneObstacle& obstacle);

}  // namespace geste
