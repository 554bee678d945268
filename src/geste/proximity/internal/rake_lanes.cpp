#include "geste/proximity/internal/lane_scene.hpp"

// x86-64-v3 is the least we build for: nothing older is worth compiling.
#ifdef __AVX2__
#define HWY_BASELINE_TARGETS HWY_AVX2
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geste/proximity/internal/rake_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "geste/proximity/internal/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace geste::internal::HWY_NAMESPACE {

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

/// Which of the block's boxes meet the other.
HWY_INLINE unsigned find_meeting(const LaneBlock& block, const LaneBox& box) {
  unsigned apart = 0;
  for (int i = 0; i < kRake; i += step()) {
    V gap = set(0);
    for (int k = 0; k < 3; ++k) {
      gap = hn::Max(gap, hn::Sub(load(block.low[k], i), set(box.high[k])));
      gap = hn::Max(gap, hn::Sub(set(box.low[k]), load(block.high[k], i)));
    }
    apart |= to_bits(hn::Gt(gap, set(0))) << i;
  }
  return block.filled & ~apart;
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

/// One cluster against one obstacle after the other.
class ClusterCheck {
 public:
  ClusterCheck(const LaneScene& scene, int cluster, bool keep, Rake& rake, RakeMemory& memory)
      : scene_(scene),
        cluster_(cluster),
        keep_(keep),
        rake_(rake),
        memory_(memory),
        descent_(scene, cluster, rake, memory) {
    ++memory.question;
  }

  /// True when the rake is decided.
  bool take(const LaneTarget& target) {
    // A mesh that is open by one of its boxes need not be looked at by the others.
    const LaneObstacle& o = scene_.obstacles[at(target.obstacle)];
    OpenObject& known = memory_.open_objects[at(o.object)];
    if (known.question != memory_.question) known = {memory_.question, 0};
    const unsigned asked = rake_.intervals & ~known.lanes;
    if (asked == 0) return false;
    unsigned hit = 0;
    const unsigned left = descent_.check(o, target.margin, asked, hit);
    known.lanes |= left;
    return (left || hit) && note(rake_, cluster_, target.obstacle, false, left, hit, keep_);
  }

 private:
  const LaneScene& scene_;
  int cluster_;
  bool keep_;
  Rake& rake_;
  RakeMemory& memory_;
  Descent descent_;
};

void CheckCluster(const LaneScene& scene, int cluster, const LaneTarget* targets, std::size_t count,
                  bool keep, Rake& rake, RakeMemory& memory) {
  ClusterCheck check(scene, cluster, keep, rake, memory);
  for (const LaneTarget* t = targets; t != targets + count; ++t) {
    if (check.take(*t)) return;
  }
}

void CheckBlocks(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory) {
  for (std::size_t c = 0; c < scene.clusters.size(); ++c) {
    const LaneCluster& cluster = scene.clusters[c];
    const int index = static_cast<int>(c);
    if (cluster.blocks == 0) continue;
    ClusterCheck check(scene, index, keep, rake, memory);
    const LaneBox box = FindBox(scene, rake, memory, index);
    for (int b = cluster.first_block; b < cluster.first_block + cluster.blocks; ++b) {
      const LaneBlock& block = scene.blocks[at(b)];
      // Configurations of their own are all over the place.
      unsigned near = rake.is_points ? block.filled : find_meeting(block, box);
      for (; near != 0; near &= near - 1) {
        if (check.take(block.targets[hwy::Num0BitsBelowLS1Bit_Nonzero32(near)])) return;
      }
    }
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
    const unsigned near = open & find_near_in_world(a, b);
    return near == 0 ? 0 : check_balls(a, b, near, hit);
  }

 private:
  /// The top balls where they are placed already; seen from the world they bend more.
  unsigned find_near_in_world(int a, int b) const {
    const SweptBall &x = memory_.swept[at(a)], &y = memory_.swept[at(b)];
    const auto bend = [&](int cluster) {
      return rake_.acceleration[at(scene_.accelerations[at(cluster) + 1]) - 1];
    };
    const V bent = set(bend(pair_.a) + bend(pair_.b));
    const V radii = set(ball(a).radius + ball(b).radius + pair_.margin + rounding_);
    unsigned near = 0;
    for (int i = 0; i < kRake; i += step()) {
      V squared = set(0);
      for (int k = 0; k < 3; ++k) {
        const V between = hn::Sub(load(x.middle[k], i), load(y.middle[k], i));
        const V half = hn::Sub(load(x.half[k], i), load(y.half[k], i));
        const V gap = hn::Max(hn::Sub(hn::Abs(between), hn::Abs(half)), set(0));
        squared = hn::MulAdd(gap, gap, squared);
      }
      const V need = hn::MulAdd(load(rake_.sag, i), bent, radii);
      near |= to_bits(hn::Not(hn::Gt(squared, hn::Mul(need, need)))) << i;
    }
    return near & kAllLanes;
  }

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
      if (c.mover == pair_.common && c.mover != 0) {
        store3({set(centre[0]), set(centre[1]), set(centre[2])}, rows, i);
        continue;
      }
      const V3 p = transform(memory_.frames[at(c.mover)], centre, i);
      // The lanes' world is turned against the world.
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

}  // namespace geste::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace geste::internal {

HWY_EXPORT(FindBox);
HWY_EXPORT(CheckBlocks);
HWY_EXPORT(CheckCluster);
HWY_EXPORT(CheckPairs);

LaneBox find_box(const LaneScene& scene, const Rake& rake, const RakeMemory& memory, int cluster) {
  return HWY_DYNAMIC_DISPATCH(FindBox)(scene, rake, memory, cluster);
}
void check_cluster(const LaneScene& scene, int cluster, const LaneTarget* targets,
                   std::size_t count, bool keep, Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(CheckCluster)(scene, cluster, targets, count, keep, rake, memory);
}
void check_blocks(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(CheckBlocks)(scene, keep, rake, memory);
}
void check_pairs(const LaneScene& scene, bool keep, Rake& rake, RakeMemory& memory) {
  HWY_DYNAMIC_DISPATCH(CheckPairs)(scene, keep, rake, memory);
}

}  // namespace geste::internal
#endif
