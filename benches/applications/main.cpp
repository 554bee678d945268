#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "geste/planning/plan_roadmap.hpp"
#include "geste/planning/roadmap_file.hpp"
#include "geste/planning/steering/manhattan_names.hpp"
#include "geste/planning/steering/registry.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/task.hpp"

#include "common/report.hpp"
#include "common/take.hpp"

// The applications of the Move3D paper that ask a roadmap again and again (MV-11): grown once, kept
// in a file, read back and asked from random starts to random goals. Every answer is looked at by
// the second prover.

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
  std::vector<double> seconds;  ///< in order
  long found = 0;
  long colliding = 0;

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
        model_(take(CollisionModel::make(world_.scene, make_options()))),
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
    LocalPlanner local(stage.world());
    Roadmap roadmap(stage.world().space);
    Rng rng(1);
    Budget budget;
    budget.max_steps = application.samples;
    const double begin = process_seconds();
    grow_roadmap(roadmap, application.roadmap, local, budget, rng);
    const double grown = process_seconds() - begin;
    RoadmapFile file = pack_roadmap(roadmap, local);
    file.scene = hash_scene(stage.world().space, stage.model());
    file.steering = application.order.empty() ? "linear" : "manhattan";
    const std::string bytes = make_roadmap_bytes(file);
    Roadmap read = take(unpack_roadmap(take(parse_roadmap_file(bytes, application.name)),
                                       stage.world(), file.scene, file.steering));
    const Answers answers = ask(stage, read, local, application.queries);
    add_rows(application, stage, {grown, static_cast<double>(bytes.size())}, answers);
  }

  [[nodiscard]] const Report& report() const { return report_; }

 private:
  struct Grown {
    double seconds = 0;
    double bytes = 0;
  };

  static Answers ask(const Stage& stage, Roadmap& roadmap, LocalPlanner& local, int queries) {
    const PlanningSpace& space = stage.world().space;
    Answers answers;
    Rng rng(2);
    for (int i = 0; i < queries; ++i) {
      const PlanningProblem problem{draw_free(space, local, rng), {draw_free(space, local, rng)}};
      const double begin = thread_seconds();
      const PlanReport found = query_roadmap(roadmap, problem, local);
      answers.seconds.push_back(thread_seconds() - begin);
      if (found.status != PlanStatus::found) continue;
      ++answers.found;
      answers.colliding += collides(stage, found.path);
    }
    std::sort(answers.seconds.begin(), answers.seconds.end());
    return answers;
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

  void add_rows(const Application& a, const Stage& stage, const Grown& grown,
                const Answers& answers) {
    const bool is_fast = a.name == "spacecraft";
    const double scale = is_fast ? 1e6 : 1;
    const std::string unit = is_fast ? "us" : "s";
    const std::string how = fmt::format(
        "{} facets; grown with {} free samples at most, kept in a file and read back; {} random "
        "questions, links proven when first used; 1 thread, CPU time, set-up apart",
        stage.count_facets(), a.samples, a.queries);
    const auto add = [&](const char* metric, const std::string& in, double value) {
      report_.rows.push_back(
          {a.name, metric, in, metric != std::string("answered"), value, {}, how});
    };
    const double share = static_cast<double>(answers.found) / static_cast<double>(a.queries);
    add("roadmap", "s", grown.seconds);
    add("file", "bytes", grown.bytes);
    add("query median", unit, scale * answers.median());
    add("query worst", unit, scale * answers.seconds.back());
    add("answered", "1", share);
    const auto sum = [&](const std::string& key, double value) {
      report_.summary.emplace_back(a.name + key, value);
    };
    sum("_facets", static_cast<double>(stage.count_facets()));
    sum("_roadmap_s", grown.seconds);
    sum("_file_bytes", grown.bytes);
    sum("_query_" + unit + "_median", scale * answers.median());
    sum("_query_" + unit + "_worst", scale * answers.seconds.back());
    sum("_answered_share", share);
    sum("_colliding", static_cast<double>(answers.colliding));
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
