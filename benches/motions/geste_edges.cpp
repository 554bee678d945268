#include "geste/proximity/validator.hpp"

#include "motions/edge_checker.hpp"

namespace geste::bench {

struct EdgeChecker::Data {
  Validator validator;
};

struct EdgeChecker::Memory {
  Validator::Memory memory;
  std::vector<EdgeAnswer> edges;
  std::vector<ConfigurationAnswer> configurations;
};

EdgeChecker::EdgeChecker(const Scene& scene, const CollisionModel& model,
                         const EdgeChecker* previous)
    : data_(
          new Data{Validator(scene, model, {}, previous ? &previous->data_->validator : nullptr)}) {
}
EdgeChecker::~EdgeChecker() = default;
EdgeChecker::EdgeChecker(EdgeChecker&&) noexcept = default;
EdgeChecker& EdgeChecker::operator=(EdgeChecker&&) noexcept = default;

EdgeChecker::MemoryPtr EdgeChecker::make_memory() const {
  return {new Memory{Validator::Memory(data_->validator), {}, {}},
          [](Memory* memory) { delete memory; }};
}

void EdgeChecker::check_edges(const Edges& edges, int first, std::span<EdgeVerdict> verdicts,
                              Memory& memory) const {
  const auto count = static_cast<Eigen::Index>(verdicts.size());
  memory.edges.resize(verdicts.size());
  data_->validator.check_edges(edges.q0.middleCols(first, count), edges.q1.middleCols(first, count),
                               edges.course, memory.edges, memory.memory);
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const EdgeAnswer& a = memory.edges[k];
    const bool touches = !a.is_free && a.object_a >= 0;
    verdicts[k] = {a.is_free ? Verdict::free
                   : touches ? Verdict::touches
                             : Verdict::undecided,
                   a.touches_at, a.object_a, a.object_b};
  }
}

void EdgeChecker::check(const MatX& q, std::span<char> is_free, Memory& memory) const {
  memory.configurations.resize(is_free.size());
  data_->validator.check(q, memory.configurations, memory.memory);
  for (std::size_t k = 0; k < is_free.size(); ++k) is_free[k] = memory.configurations[k].is_free;
}

}  // namespace geste::bench
