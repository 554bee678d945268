#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "geste/proximity/collision_query.hpp"

#include "studio/server/engine.hpp"

namespace geste::studio {

/// Says how near things are, on a thread of its own: of the newest state as fast as that can be
/// computed; of two things, and of all that clash, whenever somebody asks. The engine never waits
/// for it.
class Watcher {
 public:
  struct Events {
    std::function<void(std::string)> clearance;  ///< the event, as text
    std::function<void(Answer)> answered;
  };

  /// The model of the scene's shapes is made by the thread first: a studio opens at once. The scene
  /// must outlive the watcher.
  Watcher(const Scene& scene, const CollisionSpec& collision, int threads, Events events);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  void look_at(std::shared_ptr<const Snapshot> snapshot);
  void inquire(Ticket ticket, const Inquiry& inquiry, std::shared_ptr<const Snapshot> snapshot);
  /// Drops what a client asked.
  void forget(int client);
  void stop();

 private:
  struct Question {
    Ticket ticket;
    Inquiry inquiry;
    std::shared_ptr<const Snapshot> snapshot;
  };
  struct Tools;

  void work(const CollisionSpec& collision, int threads);
  void serve(Tools& tools);
  void refuse_all(const Error& error);

  const Scene& scene_;
  const Events events_;
  const CancelSource cancel_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Snapshot> newest_;
  std::deque<Question> questions_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace geste::studio
