// What all kernels in lanes share. Included once for each instruction set, as Highway asks: no
// #pragma once.
#if defined(GESTE_PROXIMITY_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GESTE_PROXIMITY_LANES_INL
#undef GESTE_PROXIMITY_LANES_INL
#else
#define GESTE_PROXIMITY_LANES_INL
#endif

#include <hwy/highway.h>

#include "geste/proximity/internal/lane_scene.hpp"

HWY_BEFORE_NAMESPACE();
namespace geste::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kRake>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE std::size_t at(int i) { return static_cast<std::size_t>(i); }
HWY_INLINE int step() { return static_cast<int>(hn::Lanes(D())); }
HWY_INLINE V load(const Row& row, int i) { return hn::Load(D(), row.x + i); }
HWY_INLINE void store(V v, Row& row, int i) { hn::Store(v, D(), row.x + i); }
HWY_INLINE V set(float x) { return hn::Set(D(), x); }

HWY_INLINE unsigned to_bits(M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  return bytes[0];
}

struct V3 {
  V x, y, z;
};
HWY_INLINE void store3(const V3& v, Row* rows, int i) {
  store(v.x, rows[0], i);
  store(v.y, rows[1], i);
  store(v.z, rows[2], i);
}
/// R c + p, with a constant c.
HWY_INLINE V3 transform(const FrameRows& f, const float* c, int i) {
  V out[3];
  for (int r = 0; r < 3; ++r) {
    V x = load(f.p[r], i);
    for (int k = 0; k < 3; ++k) {
      if (c[k] != 0) x = hn::MulAdd(load(f.R[3 * r + k], i), set(c[k]), x);
    }
    out[r] = x;
  }
  return {out[0], out[1], out[2]};
}

/// A row seen one sample later; the last sample stays.
HWY_INLINE V load_next(const Row& row, int i) {
  HWY_ALIGN float shifted[kRake];
  for (int k = 0; k + 1 < kRake; ++k) shifted[k] = row.x[k + 1];
  shifted[kRake - 1] = row.x[kRake - 1];
  return hn::Load(D(), shifted + i);
}

HWY_INLINE V next(V now, const Row& row, int i) {
  if (hn::Lanes(D()) == kRake) {
    HWY_ALIGN static const std::int32_t kNext[kRake] = {1, 2, 3, 4, 5, 6, 7, 7};
    return hn::TableLookupLanes(now, hn::SetTableIndices(D(), kNext));
  }
  return load_next(row, i);
}

/// A ball's way with its mover.
HWY_INLINE void sweep_ball(const LaneScene& scene, const Rake& rake, RakeMemory& memory, int mover,
                           int ball) {
  SweptBall& swept = memory.swept[at(ball)];
  const FrameRows& f = memory.frames[at(mover)];
  memory.swept_in[at(ball)] = memory.rake;
  const float* c = scene.balls[at(ball)].centre;
  for (int i = 0; i < kRake; i += step()) store3(transform(f, c, i), swept.place, i);
  for (int i = 0; i < kRake; i += step()) {
    for (int k = 0; k < 3; ++k) {
      const V now = load(swept.place[k], i);
      if (rake.is_points) {
        store(now, swept.middle[k], i);
        store(set(0), swept.half[k], i);
        continue;
      }
      const V then = next(now, swept.place[k], i);
      store(hn::Mul(set(0.5f), hn::Add(now, then)), swept.middle[k], i);
      store(hn::Mul(set(0.5f), hn::Sub(then, now)), swept.half[k], i);
    }
  }
}

}  // namespace geste::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
