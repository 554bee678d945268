#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#ifdef __AVX2__
#include <immintrin.h>
#endif

/// Eight floats as one value: the compilers' own vector extension (one register with AVX, two with
/// NEON), and the few operations that it lacks. Only inside functions of geometry; comparisons give
/// lanes of 0 or -1.
namespace geste::internal {

typedef float Float8 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16)));
typedef std::int32_t Int8 __attribute__((vector_size(32)));

inline constexpr int kLanes = 8;

inline Float8 splat(float x) { return Float8{x, x, x, x, x, x, x, x}; }

inline Float8 load(const float* from) {
  Float8 x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store(float* to, Float8 x) { std::memcpy(to, &x, sizeof x); }

#ifdef __AVX2__
inline Float8 min(Float8 a, Float8 b) { return _mm256_min_ps(a, b); }
inline Float8 max(Float8 a, Float8 b) { return _mm256_max_ps(a, b); }
inline Float8 sqrt(Float8 a) { return _mm256_sqrt_ps(a); }
inline Float8 abs(Float8 a) { return _mm256_andnot_ps(splat(-0.0f), a); }
/// One bit per lane.
inline unsigned bits(Int8 m) {
  return static_cast<unsigned>(
      _mm256_movemask_ps(_mm256_castsi256_ps(reinterpret_cast<__m256i>(m))));
}
#else
inline Float8 min(Float8 a, Float8 b) { return a < b ? a : b; }
inline Float8 max(Float8 a, Float8 b) { return a > b ? a : b; }
inline Float8 sqrt(Float8 a) {
  for (int k = 0; k < kLanes; ++k) a[k] = __builtin_sqrtf(a[k]);
  return a;
}
inline Float8 abs(Float8 a) { return a < 0 ? -a : a; }
inline unsigned bits(Int8 m) {
  unsigned result = 0;
  for (int k = 0; k < kLanes; ++k) result |= (m[k] ? 1u : 0u) << k;
  return result;
}
#endif

/// A float that is not below `x`, as far as there is one.
inline float round_up(double x) {
  constexpr float kMost = std::numeric_limits<float>::max();
  return x < kMost ? std::nextafter(static_cast<float>(x), kMost) : kMost;
}

inline Float8 clamp01(Float8 a) { return min(max(a, Float8{}), splat(1)); }

/// Three lanes vectors.
struct Vec8 {
  Float8 x, y, z;
};
inline Vec8 operator-(const Vec8& a, const Vec8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec8 operator+(const Vec8& a, const Vec8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec8 operator*(Float8 s, const Vec8& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Float8 dot(const Vec8& a, const Vec8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec8 cross(const Vec8& a, const Vec8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec8 splat(float x, float y, float z) { return {splat(x), splat(y), splat(z)}; }

}  // namespace geste::internal
