#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "geste/model/motion.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste::bench {

/// Column k of q0 to column k of q1, complete (compute_dependents).
struct Edges {
  MatX q0;
  MatX q1;
  Course course = Course::straight;

  [[nodiscard]] int count() const { return static_cast<int>(q0.cols()); }
};

enum class Verdict : std::uint8_t { free, touches, undecided };

/// What geste says of one edge.
struct EdgeVerdict {
  Verdict verdict = Verdict::undecided;
  double at = 1;  ///< share of the way where it touches
  int object_a = -1;
  int object_b = -1;

  friend bool operator==(const EdgeVerdict&, const EdgeVerdict&) = default;
};

/// geste's side of the contest: all that this suite knows of how geste checks motions.
class EdgeChecker {
 public:
  /// Scratch of one checker and one thread.
  struct Memory;
  using MemoryPtr = std::unique_ptr<Memory, void (*)(Memory*)>;

  /// Scene and model must outlive it. `previous` lends what fits.
  EdgeChecker(const Scene& scene, const CollisionModel& model,
              const EdgeChecker* previous = nullptr);
  ~EdgeChecker();
  EdgeChecker(EdgeChecker&&) noexcept;
  EdgeChecker& operator=(EdgeChecker&&) noexcept;

  [[nodiscard]] MemoryPtr make_memory() const;
  /// Edges first to first + verdicts.size() - 1.
  void check_edges(const Edges& edges, int first, std::span<EdgeVerdict> verdicts,
                   Memory& memory) const;
  /// One configuration per column.
  void check(const MatX& q, std::span<char> is_free, Memory& memory) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace geste::bench
