#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

namespace geste {

/// The place of a thing in a table, typed by what it is: a body's id does not fit where a joint's
/// is wanted. `Tag` only names the kind:
///
///     using BodyId = Id<struct BodyTag>;
///     bodies[id.index()]
///
/// A default id refers to nothing. Order is the order of the table, "none" first.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;

  /// Throws std::out_of_range for what is neither an index below 2^31 nor -1 ("none").
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) constexpr explicit Id(Integer value)
      : value_(static_cast<std::int32_t>(value)) {
    if (!std::in_range<std::int32_t>(value) || value_ < -1) {
      throw std::out_of_range("Id: neither an index nor -1");
    }
  }

  [[nodiscard]] static constexpr Id none() { return Id(); }

  [[nodiscard]] constexpr bool valid() const { return value_ >= 0; }
  /// The index, -1 for none.
  [[nodiscard]] constexpr std::int32_t value() const { return value_; }
  /// For subscripts; the id must be valid.
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value_); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::int32_t value_ = -1;
};

}  // namespace geste

template <class Tag>
struct std::hash<geste::Id<Tag>> {
  std::size_t operator()(geste::Id<Tag> id) const noexcept {
    return std::hash<std::int32_t>()(id.value());
  }
};
