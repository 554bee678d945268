#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "geste/planning/explain.hpp"
#include "geste/planning/roadmap_file.hpp"
#include "geste/planning/roadmap_search.hpp"
#include "geste/planning/steering/manhattan_names.hpp"
#include "geste/planning/steering/registry.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/task.hpp"

#include "common/report.hpp"
#include "common/take.hpp"

// The applications of the Move3D paper that ask a roadmap again and again (MV-11): grown once, kept
// in a file, read back and asked from random starts to random goals. Where it knows no way trees
// search one; where they find none either, the parts are named without which there is one. Every
// answer is looked at by the second prover.

namespace {

using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

struct Application {
  std::string name;   ///< of the summary keys
  std::string scene;  ///< task file in scenes/
  std::vector<std::string> actors;
  std::vector<std::string> order;  ///< of Manhattan moves; empty: straight
  std::optional<Room> room{};      ///< of a loose actor
  RoadmapOptions roadmap{};
  std::uint64_t samples = 0;
  int queries = 0;
};

std::vector<Application> list_applications() {
  RoadmapOptions few;
  few.neighbours = 3;
  RoadmapOptions fine;
  fine.enough = 3000;
  return {{"crane",
           "crane_place",
           {"crane"},
           {"crane/hoist", "crane/slew", "crane/trolley_joint", "crane/swivel"},
           {},
           few,
           500,
           100},
          {"engine_room",
           "engine_room_roadmap",
           {"crane"},
           {"crane/hoist", "crane/bridge_joint", "crane/trolley_joint", "crane/swivel"},
           {},
           few,
           1000,
           100},
          {"spacecraft",
           "spacecraft_roadmap",
           {"ship"},
           {},
           Room{Vec3(-59, -39, 1), Vec3(59, 39, 59)},
           fine,
           20000,
           1000}};
}

/// What came of asking, in CPU seconds.
struct Answers {
  std::vector<double> seconds;  ///< in order; explanations apart
  long known = 0;               ///< to the roadmap
  long searched = 0;            ///< found by trees that began with what it reaches
  long blocked = 0;             ///< parts are named without which there is a proven way
  long open = 0;                ///< neither a way nor parts that block it
  long colliding = 0;
  double explaining = 0;  ///< of the slowest explanation

  [[nodiscard]] double median() const {
    return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
  }
};

/// All that planning an application takes.
class Stage {
 public:
  Stage(const Application& application, const fs::path& scenes)
      : loaded_(take(load_task(scenes / (application.scene + ".yaml")))),
        world_(take(load_task_scene(loaded_.file))),
        collision_(make_options()),
        model_(take(CollisionModel::make(world_.scene, collision_))),
        space_(make_space(application)),
        steering_(make_method(application)),
        validator_(world_.scene, model_, {.threads = 1}) {}

  [[nodiscard]] PlanningWorld world() const { return {space_, *steering_, validator_}; }
  [[nodiscard]] const CollisionModel& model() const { return model_; }

  [[nodiscard]] std::size_t count_facets() const {
    std::size_t sum = 0;
    for (const CollisionObject& o : model_.objects())
      sum += o.collider.mesh() ? o.collider.mesh()->mesh().triangles.size() : 0;
    return sum;
  }

 private:
  [[nodiscard]] CollisionOptions make_options() const {
    CollisionOptions options;
    static_cast<CollisionSpec&>(options) = loaded_.file.collision;
    options.threads = 1;
    return options;
  }

  [[nodiscard]] PlanningSpace make_space(const Application& application) const {
    const Scene& scene = world_.scene;
    std::vector<JointId> joints;
    for (const std::string& actor : application.actors) {
      for (const BodyId body : scene.actor(scene.find_actor(actor).value()).bodies) {
        const JointId joint = scene.body(body).joint;
        if (joint.valid() && scene.joint(joint).nv > 0 &&
            scene.joint(joint).role == JointRole::independent)
          joints.push_back(joint);
      }
    }
    return take(PlanningSpace::make(scene, model_, joints, world_.start,
                                    application.room.value_or(Room())));
  }

  [[nodiscard]] std::unique_ptr<SteeringMethod> make_method(const Application& application) const {
    SteeringOptions options;
    if (application.order.empty()) return take(make_steering("linear", space_));
    options.order = take(find_manhattan_order(space_, application.order));
    return take(make_steering("manhattan", space_, options));
  }

  LoadedTask loaded_;
  TaskScene world_;
  CollisionOptions collision_;
  CollisionModel model_;
  PlanningSpace space_;
  std::unique_ptr<SteeringMethod> steering_;
  Validator validator_;
};

class ApplicationsBench {
 public:
  explicit ApplicationsBench(fs::path scenes) : scenes_(std::move(scenes)) {
    report_.suite = "applications";
  }

  void measure(const Application& application) {
    std::cerr << fmt::format("bench applications: {}\n", application.name);
    const Stage stage(application, scenes_);
    const Grown alone = grow(application, stage, 1), together = grow(application, stage, 0);
    const RoadmapFile file = take(parse_roadmap_file(alone.bytes, application.name));
    Roadmap read = take(unpack_roadmap(file, stage.world(), file.scene, file.steering));
    const Answers answers = ask(stage, read, application.queries);
    add_rows(application, stage, alone, together, answers);
  }

  [[nodiscard]] const Report& report() const { return report_; }

 private:
  struct Grown {
    double cpu = 0;   ///< s, of all threads
    double wall = 0;  ///< s
    std::string bytes;
  };

  static Grown grow(const Application& application, const Stage& stage, int threads) {
    using Clock = std::chrono::steady_clock;
    LocalPlanner local(stage.world());
    Roadmap roadmap(stage.world().space);
    RoadmapOptions options = application.roadmap;
    options.threads = threads;
    Rng rng(1);
    Grown grown;
    const double cpu = process_seconds();
    const Clock::time_point wall = Clock::now();
    grow_roadmap(roadmap, options, local, Budget::steps(application.samples), rng);
    grown.cpu = process_seconds() - cpu;
    grown.wall = std::chrono::duration<double>(Clock::now() - wall).count();
    RoadmapFile file = pack_roadmap(roadmap, local);
    file.scene = hash_scene(stage.world().space, stage.model());
    file.steering = application.order.empty() ? "linear" : "manhattan";
    grown.bytes = make_roadmap_bytes(file);
    return grown;
  }

  static Answers ask(const Stage& stage, Roadmap& roadmap, int queries) {
    const PlanningSpace& space = stage.world().space;
    LocalPlanner local(stage.world());
    Answers answers;
    Rng rng(2);
    for (int i = 0; i < queries; ++i) {
      const PlanningProblem problem{draw_free(space, local, rng), {draw_free(space, local, rng)}};
      const double begin = thread_seconds();
      PlanReport report = query_roadmap(roadmap, problem, local);
      const bool is_known = report.status == PlanStatus::found;
      if (!is_known) report = search(roadmap, problem, local, rng.split(static_cast<unsigned>(i)));
      answers.seconds.push_back(thread_seconds() - begin);
      if (report.status == PlanStatus::found) {
        ++(is_known ? answers.known : answers.searched);
        answers.colliding += collides(stage, report.path);
      } else {
        explain(stage, problem, report, answers);
      }
    }
    std::sort(answers.seconds.begin(), answers.seconds.end());
    return answers;
  }

  static PlanReport search(Roadmap& roadmap, const PlanningProblem& problem, LocalPlanner& local,
                           Rng rng) {
    constexpr std::uint64_t kSamples = 20'000;
    PlanReport report =
        search_from_roadmap(roadmap, problem, {}, local, Budget::steps(kSamples), rng);
    if (report.status != PlanStatus::found) return report;
    shorten(report.path, {}, local, {}, rng);
    learn_way(roadmap, report.path, local);
    return report;
  }

  static void explain(const Stage& stage, const PlanningProblem& problem, const PlanReport& failed,
                      Answers& answers) {
    const double begin = process_seconds();
    const ExplainOptions options;
    Explainer explainer(stage.world(), problem, options, {}, Rng(3));
    const std::optional<Blockage> blockage = explainer.find_blockage(failed);
    ++(blockage ? answers.blocked : answers.open);
    const double seconds = process_seconds() - begin;
    answers.explaining = std::max(answers.explaining, seconds);
    std::string parts;
    for (const BodyId part : blockage ? blockage->parts : std::vector<BodyId>())
      parts += " " + stage.world().space.scene().body(part).name;
    std::cerr << fmt::format("  no way found, in the way:{}; {:.1f} s\n",
                             blockage ? parts : " not known", seconds);
  }

  static VecX draw_free(const PlanningSpace& space, LocalPlanner& local, Rng& rng) {
    VecX x(space.size());
    do space.sample(rng, x);
    while (!local.is_free(x));
    return x;
  }

  static bool collides(const Stage& stage, const MatX& path) {
    const PlanningSpace& space = stage.world().space;
    JointMotion motion{{}, MatX(space.scene().nq(), path.cols()), stage.world().steering.course()};
    Workspace workspace(space.scene());
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      if (!space.complete(path.col(k), motion.q.col(k), workspace)) return true;
    }
    return !verify_motion(space.scene(), stage.model(), motion, {.touch = 1e-7}).is_free;
  }

  void add_rows(const Application& a, const Stage& stage, const Grown& alone, const Grown& together,
                const Answers& answers) {
    const bool is_fast = a.name == "spacecraft";
    const double scale = is_fast ? 1e6 : 1;
    const std::string unit = is_fast ? "us" : "s";
    const std::string how = fmt::format(
        "{} facets; grown with {} free samples at most, kept in a file and read back; {} random "
        "questions, links proven when first used, trees where it knows no way; 1 thread, CPU time, "
        "set-up apart",
        stage.count_facets(), a.samples, a.queries);
    const auto add = [&](const char* metric, const std::string& key, const std::string& in,
                         double value, bool less = true) {
      report_.rows.push_back({a.name, metric, in, less, value, {}, how});
      report_.summary.emplace_back(a.name + "_" + key, value);
    };
    const auto share = [&](long count) {
      return static_cast<double>(count) / static_cast<double>(a.queries);
    };
    add("facets", "facets", "1", static_cast<double>(stage.count_facets()));
    add("roadmap", "roadmap_s", "s", alone.cpu);
    add("roadmap, all cores, wall", "roadmap_wall_s", "s", together.wall);
    add("roadmaps differ", "roadmaps_differ", "1", alone.bytes == together.bytes ? 0 : 1);
    add("file", "file_bytes", "bytes", static_cast<double>(alone.bytes.size()));
    add("query median", "query_" + unit + "_median", unit, scale * answers.median());
    add("query worst", "query_" + unit + "_worst", unit, scale * answers.seconds.back());
    add("answered", "answered_share", "1", share(answers.known + answers.searched), false);
    add("of them by trees", "searched_share", "1", share(answers.searched));
    add("blocked by named parts", "blocked_share", "1", share(answers.blocked));
    add("neither", "unexplained_share", "1", share(answers.open));
    add("explanation worst", "explain_s_worst", "s", answers.explaining);
    add("colliding", "colliding", "1", static_cast<double>(answers.colliding));
  }

  fs::path scenes_;
  Report report_;
};

int run(int argc, char** argv) {
  CLI::App app{"The paper's applications that ask a roadmap again and again"};
  std::string json, only;
  app.add_option("--json", json, "file for the report");
  app.add_option("--only", only, "only applications whose name has this in it");
  CLI11_PARSE(app, argc, argv);
  ApplicationsBench bench(GESTE_SCENES);
  for (const Application& application : list_applications())
    if (application.name.find(only) != std::string::npos) bench.measure(application);
  publish(bench.report(), json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("applications", run, argc, argv); }
