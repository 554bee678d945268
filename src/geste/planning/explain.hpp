#pragma once

#include <map>

#include "geste/planning/changed_world.hpp"
#include "geste/planning/plan.hpp"
#include "geste/proximity/motion_proof.hpp"

namespace geste {

// Why no way was found (GX-3): what would have to change so that there is one. Every way that is
// spoken of is proven in the changed world.

struct ExplainOptions {
  PlanOptions plan;
  std::uint64_t samples = 3000;  ///< of each search that is tried
  std::size_t suspects = 8;      ///< parts that are looked at, at most
  std::vector<BodyId> first{};   ///< suspects before all others, as the walls of a proof
  /// Bodies that stand for a part beside its own one: they come and go with it.
  std::map<BodyId, BodyId> part_of{};
  double accuracy = 0.03;        ///< share to which the missing is searched for
  std::uint64_t looks = 30'000;  ///< at contacts, while a way is led to where less is missing
};

/// Parts that stop something.
struct Blockage {
  /// Without these there is a way; with any one of them back none was found.
  std::vector<BodyId> parts;
  MatX path;  ///< that way
};

/// How much something is too thick.
struct Shortfall {
  double thinner = 0;  ///< m; on every side, with which there is a way
  MatX path;           ///< that way
  /// Where what moves, whole, lies deepest in something on that way although it is moved aside as
  /// far as that helps; and everything that it is nearly as deep in there.
  PairClearance deepest;
  double share = 0;  ///< of the way
  std::vector<BodyId> between;
};

/// Looks for reasons after a search that found nothing. What it is made of must outlive it. The
/// same seed gives the same answer on any number of threads.
class Explainer {
 public:
  Explainer(const PlanningWorld& world, const PlanningProblem& problem,
            const ExplainOptions& options, const Budget& budget, const Rng& rng)
      : world_(world),
        model_(world.validator.model()),
        problem_(problem),
        options_(options),
        budget_(budget),
        rng_(rng) {}

  /// The fewest parts that must go, as far as found: each suspect alone first, then what lies on
  /// straight ways to the goals, made smaller until it cannot be (minimum constraint removal:
  /// K. Hauser, "The minimum constraint removal problem with three robotics applications", IJRR
  /// 2014). Suspects are those that stopped the search most often. Nothing where no such set was
  /// found.
  std::optional<Blockage> find_blockage(const PlanReport& failed);

  /// The least that a free body would have to be thinner, between 0 and `most`: a way for something
  /// thin, moved until it is free for something less thin (retraction: M. Saha, J.-C. Latombe,
  /// "Finding narrow passages with probabilistic roadmaps: the small-step retraction method",
  /// IROS 2005), and searched for anew by halving.
  std::optional<Shortfall> find_shortfall(double most);

 private:
  /// Time is up, or it was called off.
  [[nodiscard]] bool is_over() const;
  /// The part that a body belongs to.
  [[nodiscard]] BodyId find_part(BodyId body) const;
  /// A way in a changed world.
  std::optional<MatX> search(const WorldChange& parts, std::uint64_t samples);
  [[nodiscard]] std::vector<BodyId> list_suspects(const PlanReport& failed,
                                                  const std::vector<std::vector<BodyId>>& sets);
  /// The bodies that straight ways to the goals cross, by goal; small sets first, each once.
  std::vector<std::vector<BodyId>> list_crossed();
  Blockage reduce(Blockage found);
  /// Moves the points of a way that is free for what is thinner, so that what is whole lies less
  /// deep in things; it stays free.
  void loosen(MatX& path, double thinner);
  /// Moves a way until it is free for what is less thin, as far as that goes: how thin.
  double tighten(MatX& path, double thinner);
  /// Whether a way that was found for something thinner is free for this too.
  bool holds(const MatX& path, double thinner);
  /// m; how deep what moves comes into things on a way, roughly.
  double measure_deepest(const MatX& path);
  /// Finds the place of its path where it is held.
  void find_pinch(Shortfall& found);

  PlanningWorld world_;
  const CollisionModel& model_;
  const PlanningProblem& problem_;
  const ExplainOptions& options_;
  Budget budget_;
  Rng rng_;
  std::uint64_t searches_ = 0;
  std::uint64_t looks_ = 0;  ///< that are left
};

}  // namespace geste
