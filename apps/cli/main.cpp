#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <limits>

#include "geste/core/log.hpp"
#include "geste/core/text.hpp"
#include "geste/core/version.hpp"
#include "geste/formats/units.hpp"

#include "commands.hpp"

namespace {

using namespace geste;

// clang-format off
constexpr const char* kExamples = R"examples(Examples:
  geste info robot.urdf                  joints, limits, mass, geometry, warnings
  geste info assembly.step --json        parts, volumes, boxes for a program
  geste check scene.yaml --state grasp   what collides, how deep and where
  geste run task.yaml --out result       does the task; report.html, result.json, motion.csv, ...
  geste verify result                    proves the motion of a result once more
  geste picture result --out x.png       draws it
  geste studio task.yaml                 the scene live in a browser
  geste tasks                            what a task file may hold
  eval "$(geste completion bash)"        complete commands and options with TAB

GESTE_PATH: folders, separated by ':', to look for meshes and packages in.

Exit codes: 0 done; 2 no motion (the result says why); 1 bad input or failure.)examples";
// clang-format on

void add_info(CLI::App& app, cli::InfoArguments& a, int& code) {
  CLI::App* info = app.add_subcommand(
      "info", "Says what is in a file: URDF, SRDF, STL, OBJ, DAE, glTF, STEP, BVH, C3D, task");
  info->add_option("FILE", a.file, "file to look at")->required();
  info->add_option("--deflection", a.deflection_mm,
                   "STEP: how far triangles may cut inside curved surfaces, in mm")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  info->add_option("--pose", a.poses,
                   "robot or task: where these links or bodies are in the world, or `all`")
      ->take_all();
  info->add_option("--joints", a.joints,
                   "robot or task: values of joints for --pose, as NAME=VALUE: j1=45deg j2=0.2")
      ->take_all();
  info->add_flag("--json", a.json, "print JSON");
  info->footer(
      "Examples:\n  geste info gearbox.step --deflection 0.05\n"
      "  geste info robot.urdf --pose tool0 --joints shoulder=45deg elbow=-1.2");
  info->callback([&] { code = cli::run_info(a); });
}

/// Says in one phrase what an option takes; CLI11's own checks speak of types and let NaN pass.
CLI::Validator whole_number(std::uint64_t most) {
  const std::string what = most == std::numeric_limits<std::uint64_t>::max()
                               ? "a whole number from 0 on"
                               : "a whole number from 0 to " + std::to_string(most);
  return {[what, most](std::string& text) {
            const bool is_digits =
                !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            std::uint64_t value = 0;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool is_fine = is_digits && read.ec == std::errc() && value <= most;
            return is_fine ? std::string() : "'" + text + "' is not " + what;
          },
          ""};
}

/// A time above `least`: "30", "30 s", "10ms". Written back in seconds.
CLI::Validator duration(double least, const char* what) {
  return {[least, what](std::string& text) {
            const std::optional<Quantity> read = parse_quantity(text);
            const bool is_time =
                read && (read->dimension == Dimension::time || read->dimension == Dimension::none);
            if (!is_time || !(read->value >= least)) return "'" + text + "' is not " + what;
            text = fmt::format("{}", read->value);
            return std::string();
          },
          ""};
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "same seed, same result")
      ->capture_default_str()
      ->check(whole_number(std::numeric_limits<std::uint64_t>::max()));
}

void add_threads(CLI::App& command, int& threads, const char* help) {
  command.add_option("--threads", threads, help)->capture_default_str()->check(whole_number(4096));
}

void add_progress(CLI::App& command, std::string& kind) {
  command
      .add_option("--progress", kind,
                  "auto (a bar on a terminal), json (one event per line on standard error), none")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "json", "none"}));
}

void add_check(CLI::App& app, cli::CheckArguments& a, int& code) {
  CLI::App* check = app.add_subcommand(
      "check", "Names every pair that collides or clashes, with depth and point");
  check->add_option("SCENE", a.scene, "task file (YAML), or a CAD file: an assembly of its parts")
      ->required();
  check->add_option("--state", a.state, "named configuration to look at")->capture_default_str();
  check->add_flag("--fixed", a.fixed, "also look at pairs that never move against each other");
  check
      ->add_option("--tolerance", a.tolerance_mm,
                   "also list pairs that are apart by no more than this, in mm")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  check
      ->add_option("--resolution", a.resolution_mm,
                   "surfaces that overlap or part by no more than this touch, in mm")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  check->add_flag("--dropped", a.dropped, "name every pair that was left out, and why");
  check
      ->add_option("--samples", a.samples,
                   "random configurations of each actor without SRDF, to find pairs that always "
                   "touch; 0: none")
      ->capture_default_str()
      ->check(whole_number(10'000'000));
  add_seed(*check, a.seed);
  add_threads(*check, a.threads, "0: all cores; the result does not depend on it");
  add_progress(*check, a.progress);
  check->add_flag("--json", a.json, "print JSON");
  check->footer(
      "Exit codes: 0 free, 2 something collides, 1 bad input or nothing to check.\n\nExamples:\n"
      "  geste check scenes/hello.yaml --state start\n"
      "  geste check gearbox.step --tolerance 0.5");
  check->callback([&] { code = cli::run_check(a); });
}

void add_run(CLI::App& app, cli::RunArguments& a, int& code) {
  CLI::App* run = app.add_subcommand("run", "Does the task of a task file and writes the results");
  run->add_option("TASK", a.task, "task file (YAML); `geste tasks` tells its form")->required();
  run->add_option("--out", a.out, "folder for the results (default: result/NAME)");
  add_seed(*run, a.seed);
  add_threads(*run, a.threads, "0: all cores; the result does not depend on it");
  run->add_option("--budget", a.budget_s, "time after which to give up: 30 or 30s or 2min; 0: none")
      ->capture_default_str()
      ->transform(duration(0, "a time from 0 on: 30, 30s or 2min"));
  run->add_option("--csv-step", a.csv_step_s,
                  "also write motion_even.csv, with a row for each step of this time: 10ms")
      ->transform(duration(1e-4, "a time from 0.1ms on: 10ms or 0.01"));
  add_progress(*run, a.progress);
  run->add_flag("--json", a.json, "print the result, or the error, as JSON");
  run->footer("Example:\n  geste run scenes/hello.yaml --out result/hello");
  run->callback([&] { code = cli::run_task(a); });
}

void add_verify(CLI::App& app, cli::VerifyArguments& a, int& code) {
  CLI::App* verify = app.add_subcommand(
      "verify", "Proves the motion of a result free of collisions, independently of who made it");
  verify->add_option("RESULT", a.folder, "folder that `geste run` wrote")->required();
  verify->add_option("--task", a.task, "task file of the result, where it has moved");
  add_threads(*verify, a.threads, "0: all cores; the outcome does not depend on it");
  add_progress(*verify, a.progress);
  verify->add_flag("--json", a.json, "print JSON");
  verify->footer(
      "Exit codes: 0 verified, 2 refused, 1 bad input.\n\nExample:\n"
      "  geste verify result/hello");
  verify->callback([&] { code = cli::run_verify(a); });
}

void add_picture(CLI::App& app, cli::PictureArguments& a, int& code) {
  CLI::App* picture =
      app.add_subcommand("picture", "Draws a result or a scene as a PNG file, by Chromium");
  picture->add_option("RESULT_OR_TASK", a.input, "folder that `geste run` wrote, or a task file")
      ->required();
  picture->add_option("--view", a.view, "where to look from")
      ->capture_default_str()
      ->check(CLI::IsMember({"iso", "front", "back", "left", "right", "top", "bottom"}));
  auto* share = picture->add_option("--time", a.share, "moment, as a share of the motion: 0 to 1")
                    ->capture_default_str()
                    ->check(CLI::Range(0.0, 1.0));
  picture->add_option("--seconds", a.seconds, "moment, in seconds")
      ->transform(duration(0, "a time from 0 on: 1.5 or 1.5s"))
      ->excludes(share);
  picture->add_option("--size", a.size, "width and height in pixels")->capture_default_str();
  picture->add_option("--theme", a.theme, "light or dark")
      ->capture_default_str()
      ->check(CLI::IsMember({"light", "dark"}));
  picture->add_option("--isolate", a.isolate, "show this part or actor alone");
  picture->add_option("--out", a.out, "file to write")->capture_default_str();
  picture->add_flag("--json", a.json, "print an error as JSON");
  picture->footer("Example:\n  geste picture result/hello --view front --time 0.5 --out hello.png");
  picture->callback([&] { code = cli::run_picture(a); });
}

void add_studio(CLI::App& app, cli::StudioArguments& a, int& code) {
  CLI::App* studio =
      app.add_subcommand("studio", "Shows a task file live in browsers: move, measure, run tasks");
  studio->add_option("TASK", a.task, "task file (YAML)")->required();
  studio->add_option("--port", a.port, "where to listen; 0: any port that is free")
      ->capture_default_str()
      ->check(whole_number(65535));
  studio
      ->add_option("--host", a.host,
                   "address to listen at; other machines can reach the studio where it is not a "
                   "loopback address")
      ->capture_default_str();
  studio->add_option("--token", a.token,
                     "what visitors must know (default: none on loopback, else a random one)");
  studio->add_option("--out", a.out, "folder for the results (default: result/NAME-studio)");
  add_threads(*studio, a.threads, "of tasks; 0: all cores");
  add_progress(*studio, a.progress);
  studio->footer("Example:\n  geste studio scenes/hello.yaml");
  studio->callback([&] { code = cli::run_studio(a); });
}

int fail_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return cli::fail(Diagnostic{.code = "command.unknown",
                              .message = "there is no command '" + word + "'",
                              .remedy = suggest_name(word, names)},
                   false);
}

int run_app(int argc, char** argv) {
  CLI::App app{"geste synthesises motion in digital mock-ups."};
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("geste ") + kVersion);
  app.require_subcommand(1);
  std::string level = "warning";
  app.add_option("--log-level", level, "debug, info, warning, error or off")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}));
  app.parse_complete_callback([&] { set_log_level(*parse_log_level(level)); });

  int code = cli::kDone;
  cli::InfoArguments info;
  cli::CheckArguments check;
  cli::RunArguments run;
  cli::VerifyArguments verify;
  cli::PictureArguments picture;
  cli::StudioArguments studio;
  add_info(app, info, code);
  add_check(app, check, code);
  add_run(app, run, code);
  add_verify(app, verify, code);
  add_picture(app, picture, code);
  add_studio(app, studio, code);

  bool markdown = false;
  CLI::App* tasks =
      app.add_subcommand("tasks", "Lists the kinds of tasks and what a task file may hold");
  tasks->add_flag("--markdown", markdown, "as a Markdown page");
  tasks->callback([&] { code = cli::run_tasks(markdown); });

  std::string shell;
  CLI::App* completion = app.add_subcommand(
      "completion", "Prints a script for the shell that completes geste's words");
  completion->add_option("SHELL", shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  completion->callback([&] { code = cli::run_completion(); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (const auto words = app.remaining(); !words.empty() && app.get_subcommands().empty())
      return fail_unknown_command(app, words.front());
    if (e.get_exit_code() == 0) return app.exit(e);  // asked for help or the version
    return cli::fail(Diagnostic{.code = "command.argument", .message = e.what()}, false);
  }
  return code;
}

/// What was printed reaches its reader only now: a full disk shows here.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs(
      "error: the output cannot be written [output.failed]\n"
      "  remedy: check that there is room where it goes\n",
      stderr);
  return cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return finish_output(run_app(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return finish_output(cli::kFailed);
    std::fprintf(
        stderr,
        "error: internal fault: %s\n  remedy: please report it with the command and its files\n",
        e.what());
  }
  return cli::kFailed;
}
