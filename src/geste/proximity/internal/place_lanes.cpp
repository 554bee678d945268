#include "geste/proximity/internal/lane_scene.hpp"

// x86-64-v3 is the least we build for: nothing older is worth compiling.
#ifdef __AVX2__
#define HWY_BASELINE_TARGETS HWY_AVX2
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geste/proximity/internal/place_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "geste/proximity/internal/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace geste::internal::HWY_NAMESPACE {

/// Sine and cosine to 1e-7 for angles below some thousands: Cody and Waite's reduction, then
/// minimax polynomials on [-pi/4, pi/4].
HWY_INLINE void sincos(V x, V& sine, V& cosine) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V n = hn::Round(hn::Mul(x, set(0.636619772f)));
  V r = hn::NegMulAdd(n, set(1.5703125f), x);
  r = hn::NegMulAdd(n, set(4.837512969970703125e-4f), r);
  r = hn::NegMulAdd(n, set(7.54978995489188216e-8f), r);
  const V z = hn::Mul(r, r);
  V s = hn::MulAdd(z, set(-1.9515295891e-4f), set(8.3321608736e-3f));
  s = hn::MulAdd(z, s, set(-1.6666654611e-1f));
  s = hn::MulAdd(hn::Mul(z, r), s, r);
  V c = hn::MulAdd(z, set(2.443315711809948e-5f), set(-1.388731625493765e-3f));
  c = hn::MulAdd(z, c, set(4.166664568298827e-2f));
  c = hn::MulAdd(hn::Mul(z, z), c, hn::NegMulAdd(set(0.5f), z, set(1.0f)));
  const auto q = hn::ConvertTo(di, n);
  const M swap = hn::RebindMask(d, hn::Ne(hn::And(q, hn::Set(di, 1)), hn::Zero(di)));
  const V s1 = hn::IfThenElse(swap, c, s), c1 = hn::IfThenElse(swap, s, c);
  // The sine changes sign in quadrants 2 and 3, the cosine in 1 and 2.
  const auto sine_sign = hn::ShiftLeft<30>(hn::And(q, hn::Set(di, 2)));
  const auto cosine_sign = hn::ShiftLeft<30>(hn::And(hn::Add(q, hn::Set(di, 1)), hn::Set(di, 2)));
  sine = hn::Xor(s1, hn::BitCast(d, sine_sign));
  cosine = hn::Xor(c1, hn::BitCast(d, cosine_sign));
}

/// Columns of P.R R0.
HWY_INLINE void turn_constant(const LaneMover& m, const FrameRows& P, int i, V (&T)[9]) {
  for (int k = 0; k < 3; ++k) {
    for (int r = 0; r < 3; ++r) {
      if (m.permutes) {
        T[3 * r + k] = hn::Mul(set(m.sign[at(k)]), load(P.R[3 * r + m.column[at(k)]], i));
      } else {
        V x = hn::Mul(load(P.R[3 * r], i), set(m.R0[at(k)]));
        x = hn::MulAdd(load(P.R[3 * r + 1], i), set(m.R0[at(3 + k)]), x);
        T[3 * r + k] = hn::MulAdd(load(P.R[3 * r + 2], i), set(m.R0[at(6 + k)]), x);
      }
    }
  }
}

HWY_INLINE void store_rotation(const V (&T)[9], FrameRows& out, int i) {
  for (int k = 0; k < 9; ++k) store(T[k], out.R[k], i);
}

/// P.R L, entry by entry.
HWY_INLINE void multiply(const FrameRows& P, const V (&L)[9], int i, V (&T)[9]) {
  for (int r = 0; r < 3; ++r) {
    const V a = load(P.R[3 * r], i), b = load(P.R[3 * r + 1], i), c = load(P.R[3 * r + 2], i);
    for (int k = 0; k < 3; ++k)
      T[3 * r + k] = hn::MulAdd(c, L[6 + k], hn::MulAdd(b, L[3 + k], hn::Mul(a, L[k])));
  }
}

HWY_INLINE void turn(const LaneMover& m, const FrameRows& P, V s, V c, FrameRows& out, int i) {
  V T[9];
  if (m.aligned >= 0) {
    turn_constant(m, P, i, T);
    const int u = (m.aligned + 1) % 3, v = (m.aligned + 2) % 3;
    const V sn = hn::Mul(set(m.sense), s);
    for (int r = 0; r < 3; ++r) {
      const V a = T[3 * r + u], b = T[3 * r + v];
      T[3 * r + u] = hn::MulAdd(sn, b, hn::Mul(c, a));
      T[3 * r + v] = hn::NegMulAdd(sn, a, hn::Mul(c, b));
    }
  } else {
    V L[9];
    const V rest = hn::Sub(set(1), c);
    for (std::size_t k = 0; k < 9; ++k)
      L[k] = hn::MulAdd(rest, set(m.R2[k]), hn::MulAdd(s, set(m.R1[k]), set(m.R0[k])));
    multiply(P, L, i, T);
  }
  store_rotation(T, out, i);
  store3(transform(P, m.p.data(), i), out.p, i);
}

HWY_INLINE void pose(const FrameRows& P, const FrameRows& X, FrameRows& out, int i) {
  V L[9], T[9], p[3];
  for (int k = 0; k < 9; ++k) L[k] = load(X.R[k], i);
  multiply(P, L, i, T);
  store_rotation(T, out, i);
  for (int r = 0; r < 3; ++r) {
    p[r] = load(P.p[r], i);
    for (int k = 0; k < 3; ++k) p[r] = hn::MulAdd(load(P.R[3 * r + k], i), load(X.p[k], i), p[r]);
    store(p[r], out.p[r], i);
  }
}

void PlaceRake(const LaneScene& scene, const Rake& rake, RakeMemory& memory) {
  ++memory.rake;
  for (std::size_t k = 0; k < at(scene.angles); ++k) {
    for (int i = 0; i < kRake; i += step()) {
      V s, c;
      sincos(load(rake.inputs[k], i), s, c);
      store(s, memory.sines[k], i);
      store(c, memory.cosines[k], i);
    }
  }
  for (std::size_t n = 1; n < scene.movers.size(); ++n) {
    const LaneMover& m = scene.movers[n];
    const FrameRows& P = memory.frames[at(m.parent)];
    FrameRows& out = memory.frames[n];
    const auto row = at(m.row);
    for (int i = 0; i < kRake; i += step()) {
      switch (m.kind) {
        case LaneMover::Kind::turn:
          turn(m, P, load(memory.sines[row], i), load(memory.cosines[row], i), out, i);
          break;
        case LaneMover::Kind::posed:
          pose(P, rake.local[row], out, i);
          break;
        case LaneMover::Kind::held:
        case LaneMover::Kind::slide: {
          V T[9];
          turn_constant(m, P, i, T);
          store_rotation(T, out, i);
          V3 p = transform(P, m.p.data(), i);
          if (m.kind == LaneMover::Kind::slide) {
            const V x = load(rake.inputs[row], i);
            V along[3];
            for (int r = 0; r < 3; ++r) {
              along[r] = set(0);
              for (int k = 0; k < 3; ++k)
                along[r] = hn::MulAdd(load(P.R[3 * r + k], i), set(m.u[at(k)]), along[r]);
            }
            p = {hn::MulAdd(x, along[0], p.x), hn::MulAdd(x, along[1], p.y),
                 hn::MulAdd(x, along[2], p.z)};
          }
          store3(p, out.p, i);
          break;
        }
      }
    }
  }
  for (const LaneCluster& c : scene.clusters)
    sweep_ball(scene, rake, memory, c.mover, c.first_ball);
}

void FillInputs(const LaneScene& scene, const LaneWay& way, const Row& s, Rake& rake) {
  for (int i = 0; i < kRake; i += step()) {
    const V share = load(s, i);
    for (std::size_t k = 0; k < at(scene.inputs); ++k)
      store(hn::MulAdd(share, set(way.rate[k]), set(way.start[k])), rake.inputs[k], i);
    for (std::size_t n = 0; n < way.poses.size(); ++n) {
      const LaneWay::Pose& w = way.poses[n];
      FrameRows& out = rake.local[n];
      // By half the angle: 1 - cosine would cancel, and it is multiplied by 1 / angle.
      V half_sine, half_cosine;
      sincos(hn::Mul(share, set(0.5f * w.angle)), half_sine, half_cosine);
      const V sine = hn::Mul(set(2), hn::Mul(half_sine, half_cosine));
      const V rest = hn::Mul(set(2), hn::Mul(half_sine, half_sine));
      for (int k = 0; k < 9; ++k)
        store(hn::MulAdd(rest, set(w.R2[k]), hn::MulAdd(sine, set(w.R1[k]), set(w.R0[k]))),
              out.R[k], i);
      for (int k = 0; k < 3; ++k)
        store(
            hn::MulAdd(rest, set(w.c[k]),
                       hn::MulAdd(sine, set(w.b[k]), hn::MulAdd(share, set(w.a[k]), set(w.p0[k])))),
            out.p[k], i);
    }
  }
}

}  // namespace geste::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace geste::internal {

HWY_EXPORT(PlaceRake);
HWY_EXPORT(FillInputs);

void place_rake(const LaneScene& scene, const Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(PlaceRake)(scene, rake, memory);
}
void fill_inputs(const LaneScene& scene, const LaneWay& way, const Row& s, Rake& rake) {
  HWY_DYNAMIC_DISPATCH(FillInputs)(scene, way, s, rake);
}

}  // namespace geste::internal
#endif
