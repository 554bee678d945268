#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "geste/core/error.hpp"

namespace geste {

/// A value, or the reason why there is none. Asking a failed result for its value is a bug of
/// the caller and throws std::logic_error with the error's text.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  Result(Diagnostic fault) : state_(Error(std::move(fault))) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return has_value(); }

  T& value() & { return *checked(); }
  const T& value() const& { return *const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(*checked()); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return checked(); }
  const T* operator->() const { return const_cast<Result*>(this)->checked(); }

  const Error& error() const {
    if (has_value()) throw std::logic_error("Result::error: the result holds a value");
    return std::get<Error>(state_);
  }

 private:
  T* checked() {
    if (!has_value()) throw std::logic_error(to_text(std::get<Error>(state_)));
    return &std::get<T>(state_);
  }

  std::variant<T, Error> state_;
};

/// Success without a value, or the reason for failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}              // NOLINT
  Result(Diagnostic fault) : error_(Error(std::move(fault))) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  void value() const {
    if (error_) throw std::logic_error(to_text(*error_));
  }
  const Error& error() const {
    if (!error_) throw std::logic_error("Result::error: the result is a success");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace geste
