#include "geste/proximity/internal/lane_scene.hpp"

// x86-64-v3 is the least we build for: nothing older is worth compiling.
#ifdef __AVX2__
#define HWY_BASELINE_TARGETS HWY_AVX2
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geste/proximity/internal/rake_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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

struct V3 {
  V x, y, z;
};
HWY_INLINE V3 load3(const Row* rows, int i) {
  return {load(rows[0], i), load(rows[1], i), load(rows[2], i)};
}
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

void sweep_ball(const LaneScene& scene, const Rake& rake, RakeMemory& memory, int mover, int ball) {
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

LaneBox FindBox(const LaneScene& scene, const Rake& rake, const RakeMemory& memory, int cluster) {
  const LaneCluster& c = scene.clusters[at(cluster)];
  const SweptBall& swept = memory.swept[at(c.first_ball)];
  LaneBox box;
  const float r = scene.balls[at(c.first_ball)].radius;
  const std::size_t entry = at(scene.accelerations[at(cluster) + 1]) - 1;
  for (int k = 0; k < 3; ++k) {
    V low = set(3e38f), high = set(-3e38f);
    for (int i = 0; i < kRake; i += step()) {
      const V reach = hn::Add(hn::MulAdd(load(rake.sag, i), set(rake.acceleration[entry]),
                                         hn::Abs(load(swept.half[k], i))),
                              set(r + rake.rounding[at(cluster)]));
      const V m = load(swept.middle[k], i);
      low = hn::Min(low, hn::Sub(m, reach));
      high = hn::Max(high, hn::Add(m, reach));
    }
    box.low[k] = hn::GetLane(hn::MinOfLanes(D(), low));
    box.high[k] = hn::GetLane(hn::MaxOfLanes(D(), high));
  }
  return box;
}

/// Lanes in which the ball may come nearer than `reach` to the obstacle. What is not a number
/// comes.
HWY_INLINE unsigned find_near(const SweptBall& ball, const Row& reach, const LaneObstacle& o,
                              float radius) {
  unsigned near = 0;
  for (int i = 0; i < kRake; i += step()) {
    V m[3], h[3];
    for (int k = 0; k < 3; ++k) {
      m[k] = hn::Sub(load(ball.middle[k], i), set(o.centre[k]));
      h[k] = load(ball.half[k], i);
    }
    if (!o.is_aligned) {
      V tm[3], th[3];
      for (int r = 0; r < 3; ++r) {
        const V a = set(o.R[3 * r]), b = set(o.R[3 * r + 1]), c = set(o.R[3 * r + 2]);
        tm[r] = hn::MulAdd(c, m[2], hn::MulAdd(b, m[1], hn::Mul(a, m[0])));
        th[r] = hn::MulAdd(c, h[2], hn::MulAdd(b, h[1], hn::Mul(a, h[0])));
      }
      for (int r = 0; r < 3; ++r) {
        m[r] = tm[r];
        h[r] = th[r];
      }
    }
    V squared = set(0);
    for (int k = 0; k < 3; ++k) {
      const V gap = hn::Max(hn::Sub(hn::Sub(hn::Abs(m[k]), hn::Abs(h[k])), set(o.half[k])), set(0));
      squared = hn::MulAdd(gap, gap, squared);
    }
    const V need = hn::Add(load(reach, i), set(radius));
    near |= to_bits(hn::Not(hn::Gt(squared, hn::Mul(need, need)))) << i;
  }
  return near & kAllLanes;
}

/// Samples at which the ball of radius `inner`, inside the cluster, meets the inside of the
/// obstacle.
HWY_INLINE unsigned find_hit(const SweptBall& ball, float inner, const LaneObstacle& o) {
  unsigned hit = 0;
  const float need = inner + o.inner_radius;
  if (!(inner > 0) || !(need > 0) || o.inner_radius < 0) return 0;
  for (int i = 0; i < kRake; i += step()) {
    V m[3], t[3];
    for (int k = 0; k < 3; ++k) m[k] = hn::Sub(load(ball.place[k], i), set(o.centre[k]));
    for (int r = 0; r < 3; ++r) {
      t[r] =
          o.is_aligned
              ? m[r]
              : hn::MulAdd(set(o.R[3 * r + 2]), m[2],
                           hn::MulAdd(set(o.R[3 * r + 1]), m[1], hn::Mul(set(o.R[3 * r]), m[0])));
    }
    V squared = set(0);
    for (int k = 0; k < 3; ++k) {
      const V gap = hn::Max(hn::Sub(hn::Abs(t[k]), set(o.inner_half[k])), set(0));
      squared = hn::MulAdd(gap, gap, squared);
    }
    hit |= to_bits(hn::Lt(squared, set(need * need))) << i;
  }
  return hit;
}

HWY_INLINE void make_reach(float radius, float acceleration, float rounding, const Row& sag,
                           Row& reach) {
  for (int i = 0; i < kRake; i += step())
    store(hn::MulAdd(load(sag, i), set(acceleration), set(radius + rounding)), reach, i);
}

/// One cluster against one obstacle, from the top ball down.
class Descent {
 public:
  Descent(const LaneScene& scene, int cluster, Rake& rake, RakeMemory& memory)
      : scene_(scene), cluster_(scene.clusters[at(cluster)]), rake_(rake), memory_(memory) {
    const auto entry = at(scene.accelerations[at(cluster) + 1]) - 1;
    rounding_ = rake.rounding[at(cluster)];
    make_reach(0, rake.acceleration[entry], rounding_, rake.sag, sag_);
  }

  /// Whether the top ball stays away in all these lanes.
  bool is_far(const LaneObstacle& o, float margin, unsigned open) {
    const int top = cluster_.first_ball;
    return (open & find_near(swept(top), sag_, o, o.radius + margin + ball(top).radius)) == 0;
  }

  /// Lanes of `open` that are not proven; `hit` gets samples that collide.
  unsigned check(const LaneObstacle& o, float margin, unsigned open, unsigned& hit) {
    const LaneBall& top = ball(cluster_.first_ball);
    const unsigned near =
        open & find_near(swept(cluster_.first_ball), sag_, o, o.radius + margin + top.radius);
    if (near == 0) return 0;
    hit |= find_hit(swept(cluster_.first_ball), top.inner - rounding_, o) & rake_.samples;
    if (hit) return near;
    unsigned left = 0;
    for (int a = top.first_child; a < top.first_child + top.children; ++a) {
      const unsigned part = check_ball(a, o, margin, near & ~left, hit);
      left |= part;
      if (hit || left == near) return near;  // after a hit the rest is not known
    }
    return left;
  }

 private:
  unsigned check_ball(int a, const LaneObstacle& o, float margin, unsigned open, unsigned& hit) {
    const LaneBall& inner = ball(a);
    const unsigned near = open & find_near(swept(a), sag_, o, o.radius + margin + inner.radius);
    if (near == 0) return 0;
    hit |= find_hit(swept(a), inner.inner - rounding_, o) & rake_.samples;
    if (hit) return near;
    unsigned left = 0;
    for (int b = inner.first_child; b < inner.first_child + inner.children; ++b) {
      const LaneBall& leaf = ball(b);
      left |= (near & ~left) & find_near(swept(b), sag_, o, o.radius + margin + leaf.radius);
      if (left == near) return left;
    }
    return left;
  }

  [[nodiscard]] const LaneBall& ball(int k) const { return scene_.balls[at(k)]; }
  const SweptBall& swept(int k) {
    if (memory_.swept_in[at(k)] != memory_.rake)
      sweep_ball(scene_, rake_, memory_, cluster_.mover, k);
    return memory_.swept[at(k)];
  }

  const LaneScene& scene_;
  const LaneCluster& cluster_;
  Rake& rake_;
  RakeMemory& memory_;
  float rounding_;
  Row sag_;
};

/// Notes what came out for two; true when the rake is decided.
bool note(Rake& rake, int cluster, int other, bool is_pair, unsigned left, unsigned hit,
          bool keep) {
  if (hit) {
    rake.touching |= hit;
    rake.hits.push_back({cluster, other, is_pair, hit});
    if (!rake.is_points) return true;
    rake.intervals &= ~hit;
    left &= ~hit;
  }
  if (left == 0) return false;
  rake.open |= left;
  if (keep) {
    rake.left.push_back({cluster, other, is_pair, left});
  } else {
    rake.intervals &= ~left;
  }
  return rake.intervals == 0;
}

void CheckCluster(const LaneScene& scene, int cluster, const LaneTarget* targets, std::size_t count,
                  bool keep, Rake& rake, RakeMemory& memory) {
  Descent descent(scene, cluster, rake, memory);
  ++memory.question;
  for (const LaneTarget* t = targets; t != targets + count; ++t) {
    if (t->gated != 0) {
      if (descent.is_far(scene.obstacles[at(t->obstacle)], t->margin, rake.intervals))
        t += t->gated;
      continue;
    }
    // A mesh that is open by one of its boxes need not be looked at by the others.
    const LaneObstacle& o = scene.obstacles[at(t->obstacle)];
    OpenObject& known = memory.open_objects[at(o.object)];
    if (known.question != memory.question) known = {memory.question, 0};
    const unsigned asked = rake.intervals & ~known.lanes;
    if (asked == 0) continue;
    unsigned hit = 0;
    const unsigned left = descent.check(o, t->margin, asked, hit);
    known.lanes |= left;
    if ((left || hit) && note(rake, cluster, t->obstacle, false, left, hit, keep)) return;
  }
}

/// Two clusters in the frame of the mover above both.
class PairDescent {
 public:
  PairDescent(const LaneScene& scene, const LanePair& pair, Rake& rake, RakeMemory& memory)
      : scene_(scene), pair_(pair), rake_(rake), memory_(memory) {
    ++memory.pair;
    const auto entry = [&](int cluster, int steps) {
      return rake.acceleration[at(scene.accelerations[at(cluster)] + steps)];
    };
    rounding_ = rake.rounding[at(pair.a)] + rake.rounding[at(pair.b)];
    make_reach(pair.margin, entry(pair.a, pair.steps_a) + entry(pair.b, pair.steps_b), rounding_,
               rake.sag, reach_);
  }

  unsigned check(unsigned open, unsigned& hit) {
    const int a = cluster(pair_.a).first_ball, b = cluster(pair_.b).first_ball;
    return check_balls(a, b, open, hit);
  }

 private:
  /// Opens the larger of the two until both are leaves.
  unsigned check_balls(int a, int b, unsigned open, unsigned& hit) {
    const LaneBall &x = ball(a), &y = ball(b);
    const unsigned near = open & find_near(a, b, x.radius + y.radius);
    if (near == 0) return 0;
    hit |= find_hit(a, b, x.inner + y.inner - rounding_, x.inner > 0 && y.inner > 0);
    if (hit) return near;
    if (x.children == 0 && y.children == 0) return near;
    const bool open_a = y.children == 0 || (x.children > 0 && x.radius > y.radius);
    const LaneBall& parent = open_a ? x : y;
    unsigned left = 0;
    for (int k = parent.first_child; k < parent.first_child + parent.children; ++k) {
      left |= check_balls(open_a ? k : a, open_a ? b : k, near & ~left, hit);
      if (hit || left == near) return near;  // after a hit the rest is not known
    }
    return left;
  }

  const Row* place(int cluster_index, int k) {
    Row* rows = memory_.relative.data() + 3 * at(k);
    if (memory_.relative_in[at(k)] == memory_.pair) return rows;
    memory_.relative_in[at(k)] = memory_.pair;
    const LaneCluster& c = cluster(cluster_index);
    const float* centre = ball(k).centre;
    for (int i = 0; i < kRake; i += step()) {
      if (c.mover == pair_.common) {
        store3({set(centre[0]), set(centre[1]), set(centre[2])}, rows, i);
        continue;
      }
      const V3 p = transform(memory_.frames[at(c.mover)], centre, i);
      if (pair_.common == 0) {
        store3(p, rows, i);
        continue;
      }
      const FrameRows& f = memory_.frames[at(pair_.common)];
      const V3 r{hn::Sub(p.x, load(f.p[0], i)), hn::Sub(p.y, load(f.p[1], i)),
                 hn::Sub(p.z, load(f.p[2], i))};
      V out[3];
      for (int k2 = 0; k2 < 3; ++k2)
        out[k2] = hn::MulAdd(load(f.R[6 + k2], i), r.z,
                             hn::MulAdd(load(f.R[3 + k2], i), r.y, hn::Mul(load(f.R[k2], i), r.x)));
      store3({out[0], out[1], out[2]}, rows, i);
    }
    return rows;
  }

  HWY_INLINE unsigned find_near(int a, int b, float radii) {
    const Row *pa = place(pair_.a, a), *pb = place(pair_.b, b);
    Row delta[3];
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < kRake; i += step())
        store(hn::Sub(load(pb[k], i), load(pa[k], i)), delta[k], i);
    }
    unsigned near = 0;
    for (int i = 0; i < kRake; i += step()) {
      V squared = set(0);
      for (int k = 0; k < 3; ++k) {
        const V now = load(delta[k], i);
        V gap = hn::Abs(now);
        if (!rake_.is_points) {
          const V then = next(now, delta[k], i);
          gap = hn::Max(
              hn::Mul(set(0.5f), hn::Sub(hn::Abs(hn::Add(now, then)), hn::Abs(hn::Sub(then, now)))),
              set(0));
        }
        squared = hn::MulAdd(gap, gap, squared);
      }
      const V need = hn::Add(load(reach_, i), set(radii));
      near |= to_bits(hn::Not(hn::Gt(squared, hn::Mul(need, need)))) << i;
    }
    return near & kAllLanes;
  }

  HWY_INLINE unsigned find_hit(int a, int b, float need, bool both) {
    if (!both || !(need > 0)) return 0;
    const Row *pa = place(pair_.a, a), *pb = place(pair_.b, b);
    unsigned hit = 0;
    for (int i = 0; i < kRake; i += step()) {
      V squared = set(0);
      for (int k = 0; k < 3; ++k) {
        const V gap = hn::Sub(load(pb[k], i), load(pa[k], i));
        squared = hn::MulAdd(gap, gap, squared);
      }
      hit |= to_bits(hn::Lt(squared, set(need * need))) << i;
    }
    return hit & rake_.samples;
  }

  [[nodiscard]] const LaneBall& ball(int k) const { return scene_.balls[at(k)]; }
  [[nodiscard]] const LaneCluster& cluster(int k) const { return scene_.clusters[at(k)]; }

  const LaneScene& scene_;
  const LanePair& pair_;
  Rake& rake_;
  RakeMemory& memory_;
  float rounding_;
  Row reach_;
};

void CheckPairs(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory) {
  for (const LanePair& pair : scene.pairs) {
    unsigned hit = 0;
    const unsigned left = PairDescent(scene, pair, rake, memory).check(rake.intervals, hit);
    if ((left || hit) && note(rake, pair.a, pair.b, true, left, hit, keep)) return;
  }
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
HWY_EXPORT(FindBox);
HWY_EXPORT(CheckCluster);
HWY_EXPORT(CheckPairs);
HWY_EXPORT(FillInputs);

void place_rake(const LaneScene& scene, const Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(PlaceRake)(scene, rake, memory);
}
LaneBox find_box(const LaneScene& scene, const Rake& rake, const RakeMemory& memory, int cluster) {
  return HWY_DYNAMIC_DISPATCH(FindBox)(scene, rake, memory, cluster);
}
void check_cluster(const LaneScene& scene, int cluster, const LaneTarget* targets,
                   std::size_t count, bool keep, Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(CheckCluster)(scene, cluster, targets, count, keep, rake, memory);
}
void check_pairs(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(CheckPairs)(scene, keep, rake, memory);
}
void fill_inputs(const LaneScene& scene, const LaneWay& way, const Row& s, Rake& rake) {
  HWY_DYNAMIC_DISPATCH(FillInputs)(scene, way, s, rake);
}

}  // namespace geste::internal
#endif
