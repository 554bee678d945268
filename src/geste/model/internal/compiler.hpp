#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// "joint 'elbow'", as faults name their element.
std::string quoted(const char* what, const std::string& name);

/// One compilation: reads the spec, fills a Scene, collects every fault. The steps run in the order
/// they are declared; later ones are skipped where earlier faults would only echo.
class SceneCompiler {
 public:
  explicit SceneCompiler(SceneSpec spec);
  Result<Scene> run();

 private:
  // compile_tree.cpp: bodies, joints, who hangs on what
  void index_bodies();
  void index_joints();
  void check_joint(const JointSpec& spec);
  void check_limits(const JointSpec& spec);
  void link_bodies();
  /// False, with a fault, where joints form a ring: nothing that walks up the tree would end.
  bool check_cycles();
  void lay_out();
  void check_inertia(const BodySpec& spec);

  // compile_rules.cpp: followers, loops, attachments, names
  void add_followers();
  void check_follow(const JointSpec& spec);
  void sort_followers();
  void add_explicit_loops();
  void add_loops();
  void add_attachments();
  void add_attachment(const AttachmentSpec& spec);
  /// Whether a formula decides the joint or is led by it.
  [[nodiscard]] bool is_ruled(JointId id) const;
  void add_groups();
  void add_configurations();
  void add_configuration(const ConfigurationSpec& spec);
  void add_frames();
  void add_actors();
  void add_allowed_pairs();

  // compile_movers.cpp: the moving frames and what is welded to them
  void add_movers();
  int add_mover(BodyId body, int parent, const Pose& X_PJ);
  void weld_inertia();
  void add_geometry();
  void find_loop_joints();
  /// The independent joints that move these: themselves, leaders of followers, leading joints of
  /// formulas.
  [[nodiscard]] std::vector<JointId> find_movers_of(std::vector<JointId> joints) const;

  void fault(std::string code, std::string message, std::string element, std::string remedy = {},
             const Source& source = {});
  void check_pose(const Pose& X, const std::string& element, const Source& source = {});
  /// A fault when `name` was seen among its kind before.
  void check_unique(std::unordered_set<std::string>& seen, const std::string& name,
                    const char* kind, const Source& source = {});
  void fault_unknown(const char* what, const std::string& name, const std::string& element,
                     const std::unordered_map<std::string, int>& known, const Source& source = {});
  Body& body(int i) { return scene_.bodies_[static_cast<std::size_t>(i)]; }
  Joint& joint(int i) { return scene_.joints_[static_cast<std::size_t>(i)]; }
  /// Index of a named body; -1 for the world (empty name), nothing with a fault where unknown.
  std::optional<int> find_body(const std::string& name, const std::string& element,
                               const Source& source = {});
  std::optional<int> find_joint(const std::string& name, const std::string& element,
                                const Source& source = {});

  SceneSpec spec_;
  Scene scene_;
  std::vector<Diagnostic> faults_;
  int unknown_names_ = 0;
  std::unordered_set<std::string> loop_names_;
  std::vector<std::optional<Pose>> carried_at_;  ///< per body: its place in its carrier
  std::vector<int> carrier_;                     ///< per body: carrier, or -1
};

}  // namespace geste
