#pragma once

#include "geste/proximity/collision_model.hpp"
#include "geste/proximity/reach.hpp"
#include "geste/proximity/survey.hpp"

namespace geste {

/// Meshes with their trees, cut by place, by the mesh they were made of. Outlives the scene that it
/// was made for: attaching a part makes a new scene with the same meshes.
struct PreparedMeshes {
  struct Item {
    MeshShape mesh;
    std::vector<Collider> pieces;
  };
  std::unordered_map<const TriangleMesh*, Item> items;
};

/// Works out a CollisionModel in the order of the functions below. A rule holds from its first
/// setting on, so that the certain reasons come before the others.
class CollisionModelBuilder {
 public:
  CollisionModelBuilder(const Scene& scene, const CollisionOptions& options,
                        const CollisionModel* previous);
  Result<CollisionModel> build();

 private:
  using Bodies = std::vector<BodyId>;

  // model_objects.cpp
  void prepare_meshes();
  void add_objects();
  void place_fixed();

  // model_pairs.cpp
  void index_movers();
  void apply_listed();
  void apply_adjacent();
  void apply_surveys();
  void apply_survey(ActorId actor);
  [[nodiscard]] std::vector<SurveyedPair> find_own_pairs(ActorId actor, int& adjacent) const;
  [[nodiscard]] std::uint64_t sign(ActorId actor, const std::vector<SurveyedPair>& pairs) const;
  bool reuse_survey(ActorId actor, std::uint64_t signature);
  void apply_margins();

  // model_filter.cpp
  void apply_areas();
  void apply_reach();
  void find_reaches();
  [[nodiscard]] bool is_beyond_reach(BodyId a, BodyId b) const;
  [[nodiscard]] bool touches_volume(const ReachVolume& volume, BodyId body, double margin) const;

  [[nodiscard]] Bodies find_bodies(const std::string& name, const char* option,
                                   const Source& source);
  [[nodiscard]] bool moves(BodyId body) const { return model_.row_of_body_[body.index()] >= 0; }
  void set(BodyId a, BodyId b, PairRule rule);

  const Scene& scene_;
  const CollisionOptions& options_;
  const CollisionModel* previous_;
  CollisionModel model_;
  std::vector<Diagnostic> faults_;
  std::vector<std::vector<int>> objects_of_body_;
  Bodies with_objects_;
  /// By body: its volume in the frame of its mover, of that one's parent, and so on to the world.
  std::vector<std::vector<ReachVolume>> reach_;
};

}  // namespace geste
