#pragma once

#include <map>
#include <memory>
#include <span>

#include "geste/proximity/motion_proof.hpp"

namespace geste {

/// What was found of one configuration.
struct ConfigurationAnswer {
  bool is_free = false;
  int object_a = -1;  ///< in CollisionModel::objects: two that collide; a < b
  int object_b = -1;
};

/// What was found of one edge. Not free and without objects: it leaves its mechanism there
/// (MotionProof::broken).
struct EdgeAnswer {
  bool is_free = false;   ///< proven for the whole way
  double touches_at = 1;  ///< a share of the way at which it touches, where it does; not always the
                          ///< first
  int object_a = -1;      ///< in CollisionModel::objects: the two that touch there; a < b
  int object_b = -1;

  friend bool operator==(const EdgeAnswer&, const EdgeAnswer&) = default;
};

/// What is known of the configuration that an edge begins at.
enum class EdgeBegin : std::uint8_t {
  unknown,
  free,  ///< by `check`, or because a proven edge ended there: it is not looked at again
};

/// Which stage decided edges.
struct EdgeTrace {
  long edges = 0;
  long exact = 0;  ///< edges that the fast stages left to the exact one
  /// Exact stage, by pair in CollisionModel::objects, a < b: intervals that were looked at.
  std::map<std::pair<int, int>, long> sweeps{};
};

struct ValidatorOptions {
  double touch = 10e-6;  ///< m; on the way, what comes nearer than its margin and this touches
  int threads = 0;       ///< for making it; 0: all cores
};

/// Many configurations and many edges at once, for planners (GX-5). "Free" is a proof on the true
/// shapes, "touches" a place where they do: nothing stays open. Made once for a scene and its
/// model, which must outlive it; shared by all threads.
///
/// How (docs/design/certified-motions.md): eight samples at a time in float lanes, balls of a
/// sphere tree per body against boxes of the obstacles, over the whole way between neighbouring
/// samples; what is not proven is cut smaller, and what is still open goes to MotionProver's
/// dichotomy, and so do all edges of scenes where joints may stray (stray.hpp). Answers depend on
/// the edge alone, not on its neighbours, threads or machine.
class Validator {
 public:
  /// `previous` lends its sphere trees: parts that are the same need not be covered again.
  Validator(const Scene& scene, const CollisionModel& model, const ValidatorOptions& options = {},
            const Validator* previous = nullptr);
  ~Validator();
  Validator(Validator&&) noexcept;
  Validator& operator=(Validator&&) noexcept;
  [[nodiscard]] const CollisionModel& model() const;

  /// Memory of one thread.
  class Memory {
   public:
    explicit Memory(const Validator& validator);
    ~Memory();
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;

   private:
    friend class Validator;
    struct Data;
    std::unique_ptr<Data> data_;
  };

  using Columns = Eigen::Ref<const MatX>;

  /// One complete configuration within limits per column (compute_dependents). Colliding means
  /// touching, or nearer than the margin.
  void check(const Columns& q, std::span<ConfigurationAnswer> answers, Memory& memory) const;
  /// Edge k goes from column k of q0 to column k of q1.
  void check_edges(const Columns& q0, const Columns& q1, Course course,
                   std::span<EdgeAnswer> answers, Memory& memory,
                   EdgeBegin begin = EdgeBegin::unknown) const;

  /// On several threads; the same answers on any number.
  void check_edges(const Columns& q0, const Columns& q1, Course course,
                   std::span<EdgeAnswer> answers, int threads) const;

  /// The same edges on one thread, to see which stage decides them.
  [[nodiscard]] EdgeTrace trace_edges(const Columns& q0, const Columns& q1, Course course) const;
  /// Pairs that were proven never to come nearer than their margin whatever the joints between them
  /// do, and are asked about no more.
  [[nodiscard]] std::vector<std::pair<BodyId, BodyId>> list_never_colliding() const;

 private:
  void require_own(const Memory& memory) const;

  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace geste
