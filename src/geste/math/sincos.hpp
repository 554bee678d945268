#pragma once

#include <cstddef>

namespace geste {

/// Lanes that compute_sincos works on at once.
inline constexpr std::size_t kSincosLanes = 4;

/// Sine and cosine of many angles, four at a time. `count` is a multiple of kSincosLanes; the
/// arrays may lie anywhere. Within 2e-16 of the true value for |angle| up to 1e5; beyond that, and
/// for what is not a finite number, as std::sin and std::cos. The same angle gives the same bits in
/// every lane.
void compute_sincos(const double* angle, double* sine, double* cosine, std::size_t count);

}  // namespace geste
