#include "studio/server/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "studio/server/engine.hpp"
#include "studio/server/hub.hpp"
#include "studio/server/jobs.hpp"
#include "studio/server/server.hpp"
#include "studio/server/site.hpp"
#include "studio/server/watcher.hpp"
#include "studio/server/world.hpp"

namespace geste::studio {
namespace {

namespace fs = std::filesystem;

Results make_results(const StudioOptions& o) {
  const fs::path all = "result", stem = o.task.stem();
  const fs::path own = o.out.empty() ? all / (stem.string() + "-studio") : o.out;
  return {fs::absolute(own), fs::absolute(all / stem)};
}

/// RFC 3986, section 2.3: what needs no escape anywhere.
bool is_fit_for_addresses(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '~' || c == '-';
  });
}

}  // namespace

/// In the order in which they are made; threads end before what they use goes.
struct Studio::Parts {
  Parts(const StudioOptions& o, std::unique_ptr<World> w, std::unique_ptr<Server> s)
      : options(o),
        world(std::move(w)),
        server(std::move(s)),
        results(make_results(o)),
        tasks(o.task, *world),
        site(*world, results),
        watcher(world->scene(), world->task.file.collision, o.threads, make_watcher_events()),
        jobs(tasks, results, o.threads,
             {[this](const JobStatus& status) {
                server->post([this, status] { hub->tell_job(status); });
              },
              [this](const JobGrowth& growth) {
                server->post([this, growth] { hub->tell_growth(growth); });
              }}),
        engine(world->scene(), world->content.start, make_engine_events()) {
    hub = std::make_unique<Hub>(Hub::Parts{*world, engine, jobs, results, watcher}, o.grace);
    watcher.look_at(engine.first());
    rules = {server->is_loopback(), o.token, server->port()};
    if (rules.token.empty() && !rules.is_loopback) rules.token = make_random_token();
    server->start(rules, site, *hub);
  }

  // Threads speak to the hub through the server's thread only, which begins when all is made.
  Watcher::Events make_watcher_events() {
    return {
        [this](std::string event) {
          server->post([this, event = std::move(event)] { hub->tell_clearance(event); });
        },
        [this](const Answer& answer) { server->post([this, answer] { hub->answer(answer); }); }};
  }

  Engine::Events make_engine_events() {
    Engine::Events events;
    events.published = [this](std::shared_ptr<const Snapshot> state, std::vector<Answer> answers) {
      watcher.look_at(state);
      server->post([this, state, answers = std::move(answers)] { hub->show(state, answers); });
    };
    events.inquire = [this](Ticket ticket, const Inquiry& inquiry,
                            std::shared_ptr<const Snapshot> state) {
      watcher.inquire(ticket, inquiry, std::move(state));
    };
    events.save = [this](const ConfigurationSpec& spec) { return tasks.save(spec); };
    events.configurations_changed = [this](const std::vector<std::string>& names) {
      server->post([this, names] { hub->tell_configurations(names); });
    };
    return events;
  }

  void stop() {
    jobs.stop();
    engine.stop();
    watcher.stop();
    server->stop();
  }

  const StudioOptions options;
  const std::unique_ptr<World> world;
  const std::unique_ptr<Server> server;
  const Results results;
  TaskStore tasks;
  StudioSite site;
  AccessRules rules;
  std::unique_ptr<Hub> hub;
  Watcher watcher;
  Jobs jobs;
  Engine engine;
};

Studio::Studio(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Studio::~Studio() { stop(); }

Result<std::unique_ptr<Studio>> Studio::start(const StudioOptions& options, ProgressSink& progress,
                                              const CancelToken& cancel) {
  if (!is_fit_for_addresses(options.token)) {
    return Diagnostic{.code = "studio.token",
                      .message = "the token has characters that addresses and cookies change",
                      .remedy = "use letters, digits, '.', '_', '~' and '-' alone"};
  }
  // The port first: it is refused at once, a large scene takes its time.
  Result<std::unique_ptr<Server>> server = Server::open(options.host, options.port);
  if (!server) return server.error();
  Result<std::unique_ptr<World>> world =
      load_world(options.task, options.threads, progress, cancel);
  if (!world) return world.error();
  auto parts = std::make_unique<Parts>(options, std::move(*world), std::move(*server));
  return std::unique_ptr<Studio>(new Studio(std::move(parts)));
}

std::uint16_t Studio::port() const { return parts_->rules.port; }
const std::string& Studio::token() const { return parts_->rules.token; }
const Notes& Studio::notes() const { return parts_->world->content.notes; }

std::string Studio::url() const {
  const std::string& host = parts_->options.host;
  // "Any address" is none that a browser could open.
  const bool is_any = host == "0.0.0.0" || host == "::";
  const std::string name = is_any                                ? "localhost"
                           : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                 : host;
  const std::string query = token().empty() ? "" : "?token=" + token();
  return fmt::format("http://{}:{}/{}", name, port(), query);
}

void Studio::stop() { parts_->stop(); }

}  // namespace geste::studio
