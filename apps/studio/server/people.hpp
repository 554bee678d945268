#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "studio/server/json.hpp"

namespace geste::studio {

/// Who is here, and who guides. A person is known by the key that the page keeps, and may have
/// several pages open. Who comes while nobody guides, guides. A guide whose last connection broke
/// keeps control for the grace time. Time is an argument; no threads.
class People {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::seconds kAskedFor{30};

  explicit People(std::chrono::milliseconds grace) : grace_(grace) {}

  /// The person's number. An empty name keeps the one that is known, or makes one.
  int arrive(const std::string& key, const std::string& name, Time now);
  void leave(int person, Time now);
  void rename(int person, const std::string& name);

  [[nodiscard]] std::optional<int> guide() const { return guide_; }
  [[nodiscard]] bool guides(int person) const { return guide_ == person; }
  /// Whether control was free, or theirs already.
  bool take(int person);
  /// Somebody would like control: whether that is news, which it is not again before
  /// `kAskedFor` has passed or control went to somebody else.
  bool ask(int person, Time now);
  /// False when there is no such person here.
  bool give(int to);
  /// Takes control from a guide who has been away for too long; whether that happened.
  bool expire(Time now);

  /// [{"id", "name"}] of those who are here.
  [[nodiscard]] Json list() const;
  [[nodiscard]] Json guide_json() const { return guide_ ? Json(*guide_) : Json(nullptr); }

 private:
  struct Person {
    std::string key;
    std::string name;
    int connections = 0;
    Time left{};
    std::optional<Time> asked{};  ///< for control, the present guide
  };
  void set_guide(std::optional<int> guide);
  void forget_oldest();

  std::chrono::milliseconds grace_;
  std::map<int, Person> people_;
  std::optional<int> guide_;
  int next_ = 1;
};

}  // namespace geste::studio
