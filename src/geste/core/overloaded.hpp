#pragma once

namespace geste {

/// One function object out of several, for std::visit.
template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not find it by itself

}  // namespace geste
