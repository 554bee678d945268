#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

#include "studio/server/requests.hpp"
#include "studio/server/snapshot.hpp"

namespace geste::studio {

/// Where everything is, and what changes it. One owner, no threads: the engine runs it, tests and
/// fuzzers call it. The configuration is complete at all times; a request that is refused leaves it
/// as it was. Answers are the fields that the protocol promises.
class StateKeeper {
 public:
  /// The scene must outlive it. `start`: a configuration called "start", unless there is one.
  StateKeeper(const Scene& scene, const VecX& start);

  Result<Json> apply(const SetJoint& deed);
  Result<Json> apply(const SetState& deed);
  Result<Json> apply(const UseConfiguration& deed);
  Result<Json> apply(const Drag& deed);
  Result<Json> apply(const MoveByDevice& deed);

  [[nodiscard]] const VecX& q() const { return q_; }
  /// Names of configurations, in the order in which they came.
  [[nodiscard]] std::vector<std::string> list_configurations() const;
  /// The independent joints as they are now.
  [[nodiscard]] ConfigurationSpec make_configuration(const std::string& name) const;
  /// From now on `name` means what `make_configuration` gives now.
  void remember(const std::string& name);

  [[nodiscard]] std::shared_ptr<const Snapshot> make_snapshot(std::uint64_t seq);

 private:
  [[nodiscard]] Result<BodyId> find_body(const std::string& name) const;
  /// Completes `q` and takes it over; an error when closed loops would open.
  Result<void> take(VecX q);
  Json move(BodyId body, const Vec3& p_B, const Vec3& p_W, const std::optional<Mat3>& R_WB);

  const Scene& scene_;
  Workspace workspace_;
  VecX q_;
  bool is_closed_ = true;
  std::vector<NamedConfiguration> configurations_;
};

}  // namespace geste::studio
