#include "geste/proximity/validator.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/core/parallel.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/internal/edge_checker.hpp"

namespace geste {

struct Validator::Data {
  ValidatorScene scene;
};

struct Validator::Memory::Data {
  EdgeChecker checker;
};

namespace {

void require_fit(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(what);
}

/// Things that do not move against each other, which are looked at once.
std::optional<std::pair<int, int>> find_rigid_hit(const Scene& scene, const CollisionModel& model) {
  if (!model.checks_fixed()) return std::nullopt;
  Workspace workspace(scene);
  CollisionWorkspace memory(model);
  compute_kinematics(scene, make_neutral(scene), workspace);
  const auto mover = [&](int i) {
    return model.rigid_mover(model.objects()[static_cast<std::size_t>(i)].mover);
  };
  for (const PairClearance& pair : find_collisions(model, workspace, memory)) {
    if (mover(pair.object_a) == mover(pair.object_b))
      return std::pair(pair.object_a, pair.object_b);
  }
  return std::nullopt;
}

}  // namespace

Validator::Validator(const Scene& scene, const CollisionModel& model,
                     const ValidatorOptions& options, const Validator* previous)
    : data_(new Data{{scene, model, options, previous ? previous->data_->scene.store : LaneStore(),
                      ProofScene(scene, model), LaneModel(), std::nullopt}}) {
  data_->scene.lanes = make_lane_model(data_->scene.proof, data_->scene.store, options.threads);
  data_->scene.rigid_hit = find_rigid_hit(scene, model);
}
Validator::~Validator() = default;
Validator::Validator(Validator&&) noexcept = default;
Validator& Validator::operator=(Validator&&) noexcept = default;

const CollisionModel& Validator::model() const { return data_->scene.model; }

Validator::Memory::Memory(const Validator& validator)
    : data_(new Data{EdgeChecker(validator.data_->scene)}) {}
Validator::Memory::~Memory() = default;
Validator::Memory::Memory(Memory&&) noexcept = default;
Validator::Memory& Validator::Memory::operator=(Memory&&) noexcept = default;

void Validator::require_own(const Memory& memory) const {
  if (&memory.data_->checker.world() != &data_->scene)
    throw std::logic_error("Validator: the memory is of another validator");
}

void Validator::check(const Columns& q, std::span<ConfigurationAnswer> answers,
                      Memory& memory) const {
  require_fit(
      q.rows() == data_->scene.scene.nq() && static_cast<std::size_t>(q.cols()) == answers.size(),
      "Validator: one complete configuration per answer is needed");
  require_own(memory);
  if (const auto hit = data_->scene.rigid_hit) {
    std::fill(answers.begin(), answers.end(), ConfigurationAnswer{false, hit->first, hit->second});
    return;
  }
  constexpr std::size_t kBlock = internal::kRake;
  for (std::size_t k = 0; k < answers.size(); k += kBlock) {
    memory.data_->checker.check(q, static_cast<Eigen::Index>(k),
                                answers.subspan(k, std::min(kBlock, answers.size() - k)));
  }
}

void Validator::check_edges(const Columns& q0, const Columns& q1, Course course,
                            std::span<EdgeAnswer> answers, Memory& memory, EdgeBegin begin) const {
  const auto count = static_cast<Eigen::Index>(answers.size());
  require_fit(q0.rows() == data_->scene.scene.nq() && q1.rows() == q0.rows() &&
                  q0.cols() == count && q1.cols() == count,
              "Validator: two complete configurations per edge are needed");
  require_own(memory);
  if (const auto hit = data_->scene.rigid_hit) {
    std::fill(answers.begin(), answers.end(), EdgeAnswer{false, 0, hit->first, hit->second});
    return;
  }
  for (Eigen::Index k = 0; k < count; ++k)
    answers[static_cast<std::size_t>(k)] =
        memory.data_->checker.check_edge(q0.col(k), q1.col(k), course, begin);
}

EdgeTrace Validator::trace_edges(const Columns& q0, const Columns& q1, Course course) const {
  EdgeTrace trace;
  Memory memory(*this);
  memory.data_->checker.set_trace(&trace);
  std::vector<EdgeAnswer> answers(static_cast<std::size_t>(q0.cols()));
  check_edges(q0, q1, course, answers, memory);
  return trace;
}

std::vector<std::pair<BodyId, BodyId>> Validator::list_never_colliding() const {
  std::vector<std::pair<BodyId, BodyId>> out;
  const auto body = [&](int i) { return model().objects()[static_cast<std::size_t>(i)].body; };
  for (const ProofPair& p : data_->scene.lanes.never_colliding)
    out.emplace_back(std::minmax(body(p.a), body(p.b)));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Validator::check_edges(const Columns& q0, const Columns& q1, Course course,
                            std::span<EdgeAnswer> answers, int threads) const {
  constexpr std::size_t kBlock = 64;
  const std::size_t blocks = (answers.size() + kBlock - 1) / kBlock;
  parallel_for_scratch(
      blocks, threads, [&] { return Memory(*this); },
      [&](std::size_t b, Memory& memory) {
        const std::size_t first = b * kBlock, count = std::min(kBlock, answers.size() - first);
        const auto from = static_cast<Eigen::Index>(first), n = static_cast<Eigen::Index>(count);
        check_edges(q0.middleCols(from, n), q1.middleCols(from, n), course,
                    answers.subspan(first, count), memory);
      });
}

}  // namespace geste
