#include "commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <thread>

#include "geste/core/fold_notes.hpp"
#include "geste/core/progress.hpp"
#include "geste/core/quantity.hpp"
#include "geste/core/writable.hpp"
#include "geste/formats/result_files.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/tasks/check.hpp"
#include "geste/tasks/info.hpp"
#include "geste/tasks/picture.hpp"
#include "geste/tasks/task.hpp"
#include "geste/tasks/verify.hpp"

#include "studio/server/studio.hpp"

namespace geste::cli {
namespace {

const CancelSource& interrupt() {
  static const CancelSource source;
  return source;
}

/// The first Ctrl-C asks to stop, the second one stops.
void on_interrupt(int signal) {
  interrupt().request();
  std::signal(signal, SIG_DFL);
}

void catch_interrupt() {
  interrupt();  // made before a signal can ask for it
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

std::unique_ptr<ProgressSink> make_progress(const std::string& kind) {
  if (kind == "json") return std::make_unique<JsonProgress>(std::cerr);
  if (kind == "auto") return std::make_unique<TerminalProgress>(stderr);
  return std::make_unique<NullProgress>();
}

void print_notes(const Notes& notes) {
  for (const Note& note : fold_notes(notes)) fmt::print(stderr, "note: {}\n", to_text(note));
}

void print_result(const TaskOutcome& outcome, const std::filesystem::path& folder,
                  const WriteOptions& writing, bool json) {
  if (json) {
    std::fputs(make_result_json(outcome.world.scene, outcome.result, folder).c_str(), stdout);
    return;
  }
  print_notes(outcome.result.notes);
  fmt::print("{}\n", outcome.result.verdict);
  for (const Figure& f : outcome.result.figures)
    fmt::print("  {:<24} {}\n", f.name, format_quantity(f.value, f.unit, 6));
  fmt::print("Results in {}: {}\n", folder.string(),
             fmt::join(list_result_files(outcome.result, writing), ", "));
}

}  // namespace

int fail(const Error& error, bool json) {
  fmt::print(stderr, "error: {}\n", to_text(error));
  if (json) std::fputs(make_error_json(error).c_str(), stdout);
  return kFailed;
}

int run_info(const InfoArguments& a) {
  InfoOptions options;
  options.step_deflection = a.deflection_mm * 1e-3;
  options.poses = a.poses;
  options.joints = a.joints;
  const Result<FileInfo> info = load_info(a.file, options);
  if (!info) return fail(info.error(), a.json);
  std::fputs((a.json ? info->json : info->text).c_str(), stdout);
  return kDone;
}

int run_check(const CheckArguments& a) {
  catch_interrupt();
  const std::unique_ptr<ProgressSink> progress = make_progress(a.progress);
  const CheckOptions options{a.state,
                             a.fixed,
                             a.dropped,
                             a.samples,
                             a.seed,
                             a.threads,
                             1e-3 * a.tolerance_mm,
                             1e-3 * a.resolution_mm};
  const Result<CheckReport> report = check_scene(a.scene, options, *progress, interrupt().token());
  if (auto* bar = dynamic_cast<TerminalProgress*>(progress.get())) bar->finish();
  if (!report) return fail(report.error(), a.json);
  print_notes(report->notes);
  std::fputs((a.json ? report->json : report->text).c_str(), stdout);
  if (report->checked == 0) return kFailed;
  return report->free ? kDone : kNoMotion;
}

int run_verify(const VerifyArguments& a) {
  catch_interrupt();
  const std::unique_ptr<ProgressSink> progress = make_progress(a.progress);
  const Result<VerifyOutcome> outcome =
      verify_result(a.folder, {a.task, a.threads}, *progress, interrupt().token());
  if (auto* bar = dynamic_cast<TerminalProgress*>(progress.get())) bar->finish();
  if (!outcome) return fail(outcome.error(), a.json);
  print_notes(outcome->notes);
  std::fputs((a.json ? outcome->json : outcome->text).c_str(), stdout);
  return outcome->verified ? kDone : kNoMotion;
}

int run_task(const RunArguments& a) {
  catch_interrupt();
  const Result<LoadedTask> loaded = load_task(a.task);
  if (!loaded) return fail(loaded.error(), a.json);
  if (!loaded->task) {
    return fail(Diagnostic{.code = "task.none",
                           .message = "describes a scene but asks for nothing",
                           .file = a.task,
                           .remedy = "add a `task:`; `geste tasks` lists the kinds"},
                a.json);
  }
  const std::filesystem::path folder =
      a.out.empty() ? std::filesystem::path("result") / std::filesystem::path(a.task).stem()
                    : std::filesystem::path(a.out);
  // A search of minutes is not to be lost for a folder that cannot be written.
  if (const Result<void> writable = check_writable(folder); !writable)
    return fail(writable.error(), a.json);
  const std::unique_ptr<ProgressSink> progress = make_progress(a.progress);
  Budget budget;
  budget.cancel = interrupt().token();
  if (a.budget_s > 0) budget.deadline = make_deadline(a.budget_s);
  const Result<TaskOutcome> outcome =
      loaded->task->run({loaded->file, a.seed, a.threads, budget, *progress});
  if (auto* bar = dynamic_cast<TerminalProgress*>(progress.get())) bar->finish();
  if (!outcome) return fail(outcome.error(), a.json);

  const WriteOptions writing{.csv_step = a.csv_step_s};
  if (const Result<void> written =
          write_result(folder, outcome->world, outcome->result, budget.cancel, writing);
      !written) {
    return fail(written.error(), a.json);
  }
  print_result(*outcome, folder, writing, a.json);
  const TaskResult& result = outcome->result;
  const bool is_sound = !result.certificate || result.certificate->is_free;
  return result.found && is_sound ? kDone : kNoMotion;
}

int run_picture(const PictureArguments& a) {
  PictureOptions options;
  options.view = a.view;
  options.share = a.share;
  if (a.seconds >= 0) options.seconds = a.seconds;
  options.theme = a.theme;
  options.isolate = a.isolate;
  if (std::sscanf(a.size.c_str(), "%5dx%5d", &options.width, &options.height) != 2) {
    return fail(Diagnostic{.code = "picture.option",
                           .message = "'" + a.size + "' is no size of a picture",
                           .remedy = "give width and height in pixels, for example 1280x720"},
                a.json);
  }
  const Result<void> made = make_picture(a.input, a.out, options);
  if (!made) return fail(made.error(), a.json);
  fmt::print("Picture in {}\n", a.out);
  return kDone;
}

int run_studio(const StudioArguments& a) {
  catch_interrupt();
  const std::unique_ptr<ProgressSink> progress = make_progress(a.progress);
  studio::StudioOptions options;
  options.task = a.task;
  options.host = a.host;
  options.port = static_cast<std::uint16_t>(a.port);
  options.token = a.token;
  options.out = a.out;
  options.threads = a.threads;
  const auto studio = studio::Studio::start(options, *progress, interrupt().token());
  if (auto* bar = dynamic_cast<TerminalProgress*>(progress.get())) bar->finish();
  if (!studio) return fail(studio.error(), false);
  print_notes((*studio)->notes());
  fmt::print("{}\nOpen this address in a browser; Ctrl-C ends the studio.\n", (*studio)->url());
  std::fflush(stdout);
  while (!interrupt().requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*studio)->stop();
  return kDone;
}

int run_tasks(bool markdown) {
  if (markdown) {
    fmt::print(
        "# The task file\n\nWritten by `geste tasks --markdown` (`geste` is `./run` in a "
        "clone).\n\n"
        "Lengths are in m, angles in rad, unless a unit stands behind the number: `12 mm`, `45 "
        "deg`.\n"
        "Quaternions are `[x, y, z, w]`: w last, `[0, 0, 0, 1]` turns nothing.\n\n{}",
        make_task_documentation());
    return kDone;
  }
  fmt::print("Kinds of tasks:\n");
  for (const TaskKind& kind : task_kinds()) fmt::print("  {:<12} {}\n", kind.name, kind.help);
  fmt::print("\nKinds of generated worlds (parts: generate):\n");
  for (const WorldKind& kind : world_kinds()) fmt::print("  {:<12} {}\n", kind.name, kind.help);
  fmt::print("\nKeys of a task file:\n\n{}", make_task_documentation());
  return kDone;
}

int run_completion() {
  std::fputs(R"(_geste() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "info check run verify picture studio tasks completion --help --version --log-level" -- "$word"))
  elif [[ $word == -* ]]; then
    case $command in
      info) COMPREPLY=($(compgen -W "--json --deflection --pose --joints --help" -- "$word")) ;;
      check) COMPREPLY=($(compgen -W "--state --fixed --tolerance --resolution --dropped --samples --seed --threads --progress --json --help" -- "$word")) ;;
      run) COMPREPLY=($(compgen -W "--out --seed --threads --budget --csv-step --progress --json --help" -- "$word")) ;;
      verify) COMPREPLY=($(compgen -W "--task --threads --progress --json --help" -- "$word")) ;;
      picture) COMPREPLY=($(compgen -W "--view --time --seconds --size --theme --isolate --out --json --help" -- "$word")) ;;
      studio) COMPREPLY=($(compgen -W "--port --host --token --out --threads --progress --help" -- "$word")) ;;
      tasks) COMPREPLY=($(compgen -W "--markdown --help" -- "$word")) ;;
    esac
  elif [[ $command == completion ]]; then
    COMPREPLY=($(compgen -W "bash" -- "$word"))
  elif [[ $command == verify && ${COMP_WORDS[COMP_CWORD - 1]} != --task ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
  elif [[ $command =~ ^(run|check|verify|picture|studio)$ ]]; then
    mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$word"; compgen -f -X '!*.yml' -- "$word"
      compgen -d -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _geste geste
)",
             stdout);
  return kDone;
}

}  // namespace geste::cli
