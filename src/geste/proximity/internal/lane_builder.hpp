#pragma once

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
  struct Entry {
    std::vector<Collider> shapes;  ///< keeps the meshes alive that the key names
    std::shared_ptr<const SphereTree> tree;
  };
  std::map<Key, Entry> entries;
  struct TableEntry {
    std::vector<Collider> shapes;
    std::shared_ptr<const PairTable> table;
  };
  std::map<Key, TableEntry> tables;
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
    std::vector<internal::LaneTarget> targets;
    Vec3 centre = Vec3::Zero();
    double radius = 0;
  };
  std::vector<Cluster> clusters;
  std::vector<HidingPlace> hiding;
  /// Clusters that are held against each other by a table.
  struct TablePair {
    std::vector<ProofPair> pairs;  ///< of objects
    std::shared_ptr<const PairTable> table;
  };
  std::vector<TablePair> tables;
  AabbTree obstacle_tree;  ///< in the lanes' world; of many obstacles only
  bool uses_tree = false;
  /// By cluster and obstacle; negative: not held against each other.
  std::vector<std::vector<float>> target_margins;
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

/// Joint's placement in the parent mover, for movers that are `posed`.
Pose place_posed(const Mover& mover, const double* q);

}  // namespace geste
