#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"

#include "motions/edge_checker.hpp"
#include "motions/sample_order.hpp"

namespace geste::bench {

// Samples every 1/32 of the way: what geste can do without a proof of motions.

struct EdgeChecker::Data {
  const Scene* scene;
  const CollisionModel* model;
  std::vector<double> order = make_sample_order(32);
};

struct EdgeChecker::Memory {
  Workspace workspace;
  CollisionWorkspace collision;
  VecX q;
};

EdgeChecker::EdgeChecker(const Scene& scene, const CollisionModel& model, const EdgeChecker*)
    : data_(std::make_unique<Data>(Data{&scene, &model})) {}
EdgeChecker::~EdgeChecker() = default;
EdgeChecker::EdgeChecker(EdgeChecker&&) noexcept = default;
EdgeChecker& EdgeChecker::operator=(EdgeChecker&&) noexcept = default;

EdgeChecker::MemoryPtr EdgeChecker::make_memory() const {
  return {new Memory{Workspace(*data_->scene), CollisionWorkspace(*data_->model),
                     VecX(data_->scene->nq())},
          [](Memory* memory) { delete memory; }};
}

void EdgeChecker::check_edges(const Edges& edges, int first, std::span<EdgeVerdict> verdicts,
                              Memory& memory) const {
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const int k = first + static_cast<int>(i);
    verdicts[i] = {Verdict::free};
    for (double s : data_->order) {
      interpolate(*data_->scene, edges.q0.col(k), edges.q1.col(k), edges.course, s, memory.q);
      compute_kinematics(*data_->scene, memory.q, memory.workspace);
      if (is_free(*data_->model, memory.workspace, memory.collision)) continue;
      verdicts[i] = {Verdict::touches, s};
      break;
    }
  }
}

void EdgeChecker::check(const MatX& q, std::span<char> is_free, Memory& memory) const {
  for (std::size_t i = 0; i < is_free.size(); ++i) {
    compute_kinematics(*data_->scene, q.col(static_cast<int>(i)), memory.workspace);
    is_free[i] = geste::is_free(*data_->model, memory.workspace, memory.collision);
  }
}

}  // namespace geste::bench
