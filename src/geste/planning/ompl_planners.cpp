#include "geste/planning/ompl_planners.hpp"

#include <fmt/format.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/base/goals/GoalStates.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/cforest/CForest.h>
#include <ompl/geometric/planners/est/BiEST.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/est/ProjEST.h>
#include <ompl/geometric/planners/fmt/BFMT.h>
#include <ompl/geometric/planners/fmt/FMT.h>
#include <ompl/geometric/planners/informedtrees/ABITstar.h>
#include <ompl/geometric/planners/informedtrees/AITstar.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/BKPIECE1.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/pdst/PDST.h>
#include <ompl/geometric/planners/prm/LazyPRM.h>
#include <ompl/geometric/planners/prm/LazyPRMstar.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/prm/SPARS.h>
#include <ompl/geometric/planners/prm/SPARStwo.h>
#include <ompl/geometric/planners/rlrt/BiRLRT.h>
#include <ompl/geometric/planners/rlrt/RLRT.h>
#include <ompl/geometric/planners/rrt/BiTRRT.h>
#include <ompl/geometric/planners/rrt/InformedRRTstar.h>
#include <ompl/geometric/planners/rrt/LBTRRT.h>
#include <ompl/geometric/planners/rrt/LazyRRT.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTXstatic.h>
#include <ompl/geometric/planners/rrt/RRTsharp.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/geometric/planners/rrt/SORRTstar.h>
#include <ompl/geometric/planners/rrt/TRRT.h>
#include <ompl/geometric/planners/rrt/pRRT.h>
#include <ompl/geometric/planners/sbl/SBL.h>
#include <ompl/geometric/planners/sbl/pSBL.h>
#include <ompl/geometric/planners/stride/STRIDE.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "geste/core/text.hpp"
#include "geste/planning/internal/ompl_space.hpp"

namespace geste {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;

struct OmplEntry {
  const char* name;
  ob::PlannerPtr (*make)(const ob::SpaceInformationPtr& si);
  bool is_repeatable = true;
};

template <class T>
ob::PlannerPtr make_ompl(const ob::SpaceInformationPtr& si) {
  return std::make_shared<T>(si);
}

constexpr OmplEntry kOmplPlanners[] = {
    {"ABITstar", make_ompl<og::ABITstar>},
    {"AITstar", make_ompl<og::AITstar>},
    {"BFMT", make_ompl<og::BFMT>},
    {"BITstar", make_ompl<og::BITstar>},
    {"BKPIECE1", make_ompl<og::BKPIECE1>},
    {"BiEST", make_ompl<og::BiEST>},
    {"BiRLRT", make_ompl<og::BiRLRT>},
    {"BiTRRT", make_ompl<og::BiTRRT>},
    {"CForest", make_ompl<og::CForest>, false},
    {"EST", make_ompl<og::EST>},
    {"FMT", make_ompl<og::FMT>},
    {"InformedRRTstar", make_ompl<og::InformedRRTstar>},
    {"KPIECE1", make_ompl<og::KPIECE1>},
    {"LBKPIECE1", make_ompl<og::LBKPIECE1>},
    {"LBTRRT", make_ompl<og::LBTRRT>, false},
    {"LazyPRM", make_ompl<og::LazyPRM>},
    {"LazyPRMstar", make_ompl<og::LazyPRMstar>},
    {"LazyRRT", make_ompl<og::LazyRRT>},
    {"PDST", make_ompl<og::PDST>},
    {"PRM", make_ompl<og::PRM>, false},
    {"PRMstar", make_ompl<og::PRMstar>, false},
    {"ProjEST", make_ompl<og::ProjEST>},
    {"RLRT", make_ompl<og::RLRT>},
    {"RRT", make_ompl<og::RRT>},
    {"RRTConnect", make_ompl<og::RRTConnect>},
    {"RRTXstatic", make_ompl<og::RRTXstatic>},
    {"RRTsharp", make_ompl<og::RRTsharp>},
    {"RRTstar", make_ompl<og::RRTstar>},
    {"SBL", make_ompl<og::SBL>},
    {"SORRTstar", make_ompl<og::SORRTstar>},
    {"SPARS", make_ompl<og::SPARS>, false},
    {"SPARStwo", make_ompl<og::SPARStwo>, false},
    {"STRIDE", make_ompl<og::STRIDE>},
    {"TRRT", make_ompl<og::TRRT>},
    {"pRRT", make_ompl<og::pRRT>, false},
    {"pSBL", make_ompl<og::pSBL>, false},
};

const OmplEntry* find_ompl(std::string_view name) {
  const auto* entry = std::find_if(std::begin(kOmplPlanners), std::end(kOmplPlanners),
                                   [&](const OmplEntry& e) { return e.name == name; });
  return entry == std::end(kOmplPlanners) ? nullptr : entry;
}

Diagnostic make_ompl_fault(std::string message, std::string remedy) {
  return {.code = "plan.ompl",
          .message = std::move(message),
          .element = "planner",
          .remedy = std::move(remedy)};
}

/// What a parameter may be. OMPL looks at few of them: it would start a thread for each of a
/// million, and ends the program over a batch of nothing.
struct OmplRange {
  double least = 0;
  double most = 1e6;
  bool is_whole = false;
};

OmplRange find_range(std::string_view parameter) {
  const auto has = [&](std::string_view part) {
    return parameter.find(part) != std::string_view::npos;
  };
  if (has("thread")) return {1, 64, true};
  if (has("degree")) return {2, 1e4, true};
  if (has("batch")) return {1, 1e4, true};
  // Only for spaces that OMPL knows itself.
  if (parameter == "ordered_sampling") return {0, 0, true};
  return {};
}

/// Whether OMPL took the value as it is: it cuts off what follows the point of a whole number.
bool set_ompl(ob::ParamSet& params, const std::string& name, double value) {
  const OmplRange range = find_range(name);
  if (!(value >= range.least && value <= range.most)) return false;
  if (range.is_whole && value != std::floor(value)) return false;
  std::string taken;
  if (!params.setParam(name, fmt::format("{}", value)) || !params.getParam(name, taken))
    return false;
  const std::optional<double> got = parse_double(taken);
  return got && std::abs(*got - value) <= 1e-5 * std::max(1.0, std::abs(value));
}

/// OMPL's seeds and its log are of the process: one run at a time.
std::timed_mutex& ompl_mutex() {
  static std::timed_mutex mutex;
  return mutex;
}

/// One run, from the space to the way.
class OmplRun {
 public:
  OmplRun(const PlanningWorld& world, const PlanningProblem& problem, const Budget& budget,
          const Rng& rng)
      : world_(world),
        problem_(problem),
        meter_(budget),
        space_(std::make_shared<internal::OmplSpace>(world_, meter_, rng)),
        si_(std::make_shared<ob::SpaceInformation>(space_)),
        prover_(std::make_shared<internal::OmplProver>(si_, world_)),
        definition_(std::make_shared<ob::ProblemDefinition>(si_)) {
    si_->setStateValidityChecker(prover_);
    si_->setMotionValidator(std::make_shared<internal::OmplMotions>(si_, *prover_));
    si_->setup();
    definition_->setOptimizationObjective(std::make_shared<internal::OmplLength>(si_, *space_));
  }

  /// Puts the ends in place; what is wrong with them otherwise.
  PlanStatus plant() {
    if (!prover_->local().is_free(problem_.start)) return PlanStatus::start_blocked;
    std::vector<const VecX*> free;
    for (const VecX& goal : problem_.goals)
      if (prover_->local().is_free(goal)) free.push_back(&goal);
    if (free.empty()) return PlanStatus::goal_blocked;
    definition_->addStartState(make_state(problem_.start).get());
    if (free.size() == 1) {
      auto goal = std::make_shared<ob::GoalState>(si_);
      goal->setState(make_state(*free.front()).get());
      definition_->setGoal(goal);
    } else {
      auto goals = std::make_shared<ob::GoalStates>(si_);
      for (const VecX* goal : free) goals->addState(make_state(*goal).get());
      definition_->setGoal(goals);
    }
    return PlanStatus::found;
  }

  Result<void> make_planner(const OmplEntry& entry, const OmplOptions& options) {
    planner_ = entry.make(si_);
    ob::ParamSet& params = planner_->params();
    std::vector<Diagnostic> faults;
    for (const auto& [name, value] : options.parameters) {
      if (params.hasParam(name) && set_ompl(params, name, value)) continue;
      std::vector<std::string> names;
      params.getParamNames(names);
      const OmplRange range = find_range(name);
      faults.push_back(
          params.hasParam(name)
              ? make_ompl_fault(fmt::format("the parameter '{}' cannot be {}", name, value),
                                fmt::format("give a number of its kind, from {} to {}", range.least,
                                            range.most))
              : make_ompl_fault(
                    fmt::format("the planner '{}' has no parameter '{}'", entry.name, name),
                    names.empty() ? "it has none" : suggest_name(name, names)));
    }
    if (!faults.empty()) return make_error(std::move(faults));
    return {};
  }

  /// With its ends in place: some planners choose by the goal what they are made of.
  PlanStatus search() {
    planner_->setProblemDefinition(definition_);
    planner_->setup();
    meter_.restart();
    const ob::PlannerTerminationCondition stop(
        [&] { return meter_.is_over() || definition_->hasExactSolution(); });
    planner_->solve(stop);
    if (definition_->hasExactSolution() && prove_path()) return PlanStatus::found;
    return meter_.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
  }

  void put_report(PlanReport& report) {
    report.path = std::move(path_);
    report.steps = meter_.steps();
    ob::PlannerData data(si_);
    planner_->getPlannerData(data);
    report.nodes = data.numVertices();
    report.counts = prover_->local().counts();
    report.stops = prover_->stops();
    put_approach(report);
    for (std::size_t g = 0; report.path.cols() > 0 && g < problem_.goals.size(); ++g)
      if (report.path.rightCols(1) == problem_.goals[g]) report.goal = static_cast<int>(g);
  }

  [[nodiscard]] LocalPlanner& local() { return prover_->local(); }

 private:
  std::shared_ptr<internal::OmplState> make_state(const VecX& x) const {
    auto state = std::make_shared<internal::OmplState>(static_cast<int>(x.size()));
    state->x = x;
    return state;
  }

  /// Where planners came nearest to a goal, where they say so: the end of a way that is not whole.
  void put_approach(PlanReport& report) const {
    if (definition_->hasExactSolution() || !definition_->hasApproximateSolution()) return;
    const auto* way = definition_->getSolutionPath()->as<og::PathGeometric>();
    const auto count = static_cast<unsigned int>(way->getStateCount());
    if (count == 0) return;
    report.nearest = internal::point_of(way->getState(count - 1));
    for (const VecX& goal : problem_.goals)
      report.gap = std::min(report.gap, world_.space.distance(report.nearest, goal));
  }

  /// The points of all legs, each proven as it will be gone: planners may have looked at an edge
  /// from its other end, or not at all.
  bool prove_path() {
    const auto* way = definition_->getSolutionPath()->as<og::PathGeometric>();
    std::vector<VecX> points{internal::point_of(way->getState(0))};
    LocalPlanner& local = prover_->local();
    Way leg(world_.space);
    for (unsigned int i = 1; i < way->getStateCount(); ++i) {
      const VecX from = points.back(), to = internal::point_of(way->getState(i));
      if (from == to) continue;
      if (!local.is_free(from)) return false;
      bool is_free = local.connects(from, to, leg);
      if (!is_free && world_.steering.is_reversible() && local.is_free(to)) {
        is_free = local.connects(to, from, leg);
        leg.reverse();
      }
      if (!is_free) return false;
      for (int k = 1; k < leg.count(); ++k) points.emplace_back(leg[k]);
    }
    path_.resize(world_.space.size(), static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
      path_.col(static_cast<Eigen::Index>(i)) = points[i];
    return points.size() > 1;
  }

  PlanningWorld world_;
  const PlanningProblem& problem_;
  internal::OmplMeter meter_;
  std::shared_ptr<internal::OmplSpace> space_;
  ob::SpaceInformationPtr si_;
  std::shared_ptr<internal::OmplProver> prover_;
  ob::ProblemDefinitionPtr definition_;
  ob::PlannerPtr planner_;
  MatX path_;
};

/// A seed of OMPL: any number but zero.
std::uint_fast32_t draw_seed(const Rng& rng) {
  Rng drawing = rng;
  return static_cast<std::uint_fast32_t>(drawing.integer(1, 0x7fffffff));
}

Result<PlanReport> run_ompl(const PlanningWorld& world, const PlanningProblem& problem,
                            const OmplEntry& entry, const OmplOptions& options,
                            const Budget& budget, const Rng& rng) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(draw_seed(rng.split(0)));
  PlanReport report;
  OmplRun run(world, problem, budget, rng.split(1));
  if (const Result<void> made = run.make_planner(entry, options); !made) return made.error();
  report.status = run.plant();
  if (report.status == PlanStatus::found) report.status = run.search();
  run.put_report(report);
  if (report.status == PlanStatus::found) {
    Rng shortening = rng.split(2);
    Budget rest = budget;
    rest.max_steps = Budget::kUnlimited;
    shorten(report.path, options.shorten, run.local(), rest, shortening);
  }
  return report;
}

}  // namespace

const std::vector<std::string>& list_ompl_planners() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OmplEntry& entry : kOmplPlanners) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

bool is_ompl_repeatable(std::string_view planner) {
  const OmplEntry* entry = find_ompl(planner);
  return entry && entry->is_repeatable;
}

Result<PlanReport> plan_ompl(const PlanningWorld& world, const PlanningProblem& problem,
                             const OmplOptions& options, const Budget& budget, const Rng& rng,
                             ProgressSink& progress) {
  const OmplEntry* entry = find_ompl(options.planner);
  if (!entry)
    return make_ompl_fault(fmt::format("OMPL has no planner '{}' here", options.planner),
                           suggest_name(options.planner, list_ompl_planners()));
  ProgressScope stage(progress, "planning");
  std::unique_lock lock(ompl_mutex(), std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(20))) {
    if (!budget.cancel.requested()) continue;
    PlanReport report;
    report.status = PlanStatus::cancelled;
    return report;
  }
  try {
    Result<PlanReport> report = run_ompl(world, problem, *entry, options, budget, rng);
    if (report) stage.advance(report->steps);
    return report;
  } catch (const std::exception& e) {
    return make_ompl_fault(fmt::format("the planner '{}' gave up: {}", entry->name, e.what()),
                           "choose another planner");
  }
}

}  // namespace geste
