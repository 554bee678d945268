#include "geste/planning/roadmap.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "geste/planning/roadmap_search.hpp"
#include "geste/planning/steering/manhattan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

Roadmap grow(Playground& p, const RoadmapOptions& options, std::uint64_t seed,
             std::uint64_t samples, RoadmapReport* report = nullptr) {
  Roadmap roadmap(p.space);
  Rng rng(seed);
  const RoadmapReport grown = grow_roadmap(roadmap, options, p.local, Budget::steps(samples), rng);
  if (report) *report = grown;
  return roadmap;
}

/// A disk in the plane among four walls that leave a door in each: rooms that a person can count.
SceneSpec make_rooms(double door) {
  SceneSpec spec;
  BodySpec body{"disk"};
  body.geometry.emplace_back();
  body.geometry.back().shape = Cylinder{0.1, 0.1};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "base";
  joint.type = JointType::planar;
  joint.child = "disk";
  joint.axis = Vec3::UnitZ();
  joint.limits = {{-1, 1}, {-1, 1}, {-kPi, kPi}};
  spec.joints.push_back(joint);
  const double length = 1.2 - door;
  const auto add = [&](const Vec3& size, const Vec3& at) {
    BodySpec wall{fmt::format("wall{}", spec.bodies.size())};
    wall.geometry.emplace_back();
    wall.geometry.back().shape = Box{size};
    wall.geometry.back().X_BG = Pose::translation(at);
    spec.bodies.push_back(wall);
  };
  // From the middle outwards, with the door at the outer end.
  add({length, 0.02, 0.2}, {length / 2, 0, 0});
  add({length, 0.02, 0.2}, {-length / 2, 0, 0});
  add({0.02, length, 0.2}, {0, length / 2, 0});
  add({0.02, length, 0.2}, {0, -length / 2, 0});
  return spec;
}

VecX at_place(double x, double y) {
  VecX q(3);
  q << x, y, 0;
  return q;
}

// MV-5, MV-6: both kinds answer, and what they answer holds for the second prover.
TEST(Roadmap, AnswersAreProven) {
  Playground p(make_rooms(0.5));
  const PlanningProblem problem{at_place(0.5, 0.5), {at_place(-0.5, -0.5)}};
  for (const RoadmapKind kind : {RoadmapKind::basic, RoadmapKind::visibility}) {
    for (const SamplerKind sampler : {SamplerKind::uniform, SamplerKind::gaussian}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        RoadmapOptions options;
        options.kind = kind;
        options.sampler.kind = sampler;
        Roadmap roadmap = grow(p, options, seed, 600);
        PlanReport report = query_roadmap(roadmap, problem, p.local);
        ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
        EXPECT_EQ(report.path.col(0), problem.start);
        EXPECT_EQ(report.path.rightCols(1), problem.goals[0]);
        EXPECT_TRUE(p.verify(report.path).is_free);
      }
    }
  }
}

// MV-2 with MV-6: a way is gone back as it was proven, though the method would go back elsewhere.
TEST(Roadmap, WaysBackAreTheWaysThatWereProven) {
  Playground p(make_rooms(0.5), make_plain_options(),
               [](const PlanningSpace& space) { return ManhattanSteering::make(space).value(); });
  Rng rng(5);
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RoadmapOptions options;
    options.kind = RoadmapKind::basic;
    Roadmap roadmap = grow(p, options, seed, 300);
    for (int i = 0; i < 40; ++i) {
      const PlanReport report =
          query_roadmap(roadmap, {p.draw_free(rng), {p.draw_free(rng)}}, p.local);
      if (report.status != PlanStatus::found) continue;
      ++found;
      EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed << ", query " << i;
    }
  }
  EXPECT_GT(found, 150);
}

/// Every point and link, in order.
std::string describe(const Roadmap& roadmap) {
  std::string text;
  for (int i = 0; i < roadmap.size(); ++i) {
    for (const double x : roadmap[i]) text += fmt::format("{:a} ", x);
    for (const Roadmap::Link& link : roadmap.links(i))
      text += fmt::format("{}:{:a} ", link.to, link.length);
    text += "\n";
  }
  return text;
}

// GX-6: the same roadmap on any number of threads.
TEST(Roadmap, IsTheSameOnAnyNumberOfThreads) {
  Playground p(make_rooms(0.5));
  RoadmapOptions visibility, component, nearest;
  component.kind = nearest.kind = RoadmapKind::basic;
  nearest.strategy = Strategy::nearest;
  nearest.neighbours = component.neighbours = visibility.neighbours = 3;
  for (RoadmapOptions options : {visibility, component, nearest}) {
    options.enough = 1000;
    options.threads = 1;
    RoadmapReport alone;
    const Roadmap first = grow(p, options, 4, 500, &alone);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      RoadmapReport report;
      EXPECT_EQ(describe(grow(p, options, 4, 500, &report)), describe(first));
      EXPECT_EQ(report.samples, alone.samples);
      EXPECT_EQ(report.counts.legs, alone.counts.legs) << "nothing is asked twice";
    }
  }
}

// MV-5: samples of one block are held against those before them in the block.
TEST(Roadmap, SamplesThatAreLookedAtTogetherSeeEachOther) {
  Playground p(make_rooms(0.5));
  RoadmapOptions options;
  options.enough = 1000;
  RoadmapReport report;
  const Roadmap roadmap = grow(p, options, 2, 32, &report);
  Way way(p.space);
  for (int i = 0; i < roadmap.size(); ++i) {
    // A guard saw none of those before it; a connector joined at least two.
    std::size_t older = 0;
    for (const Roadmap::Link& link : roadmap.links(i)) older += link.to < i;
    EXPECT_NE(older, 1u) << i;
    if (older > 0) continue;
    for (int k = 0; k < i; ++k) EXPECT_FALSE(p.local.connects(roadmap[i], roadmap[k], way)) << i;
  }
  EXPECT_GT(roadmap.size(), 3);
}

/// A room with a corner behind a screen: from there nothing is seen but the way round it.
SceneSpec make_corner() {
  SceneSpec spec = make_rooms(0.5);
  const auto add = [&](const Vec3& size, const Vec3& at) {
    BodySpec wall{fmt::format("screen{}", spec.bodies.size())};
    wall.geometry.emplace_back();
    wall.geometry.back().shape = Box{size};
    wall.geometry.back().X_BG = Pose::translation(at);
    spec.bodies.push_back(wall);
  };
  add({0.02, 0.36, 0.2}, {0.6, 0.92, 0});
  add({0.26, 0.02, 0.2}, {0.73, 0.74, 0});
  return spec;
}

// MV-6: an end that sees no point of the roadmap is joined by a search, and is known from then on.
TEST(Roadmap, SearchesWhereItKnowsNoWay) {
  Playground p(make_corner());
  const PlanningProblem problem{at_place(-0.5, -0.5), {at_place(0, 0), at_place(0.72, 0.86)}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Roadmap roadmap(p.space);
    // A point in each room, joined round the middle, and none in the corner.
    const std::vector<VecX> places{at_place(-0.85, -0.5), at_place(-0.85, 0.3),
                                   at_place(-0.4, 0.85), at_place(0.3, 0.85), at_place(0.3, 0.3)};
    Way way(p.space);
    for (const VecX& place : places) {
      const int i = roadmap.add(place);
      if (i == 0) continue;
      ASSERT_TRUE(p.local.connects(roadmap[i], roadmap[i - 1], way));
      roadmap.join(i, i - 1, measure_length(p.space, way), seed % 2 == 0);
    }
    const PlanReport unknown = query_roadmap(roadmap, problem, p.local);
    ASSERT_EQ(unknown.status, PlanStatus::used_up);
    EXPECT_GT(std::accumulate(unknown.stops.begin(), unknown.stops.end(), 0ull), 0u);
    Rng rng(seed);
    const PlanReport report =
        search_from_roadmap(roadmap, problem, {}, p.local, Budget::steps(20'000), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.goal, 1);
    EXPECT_EQ(report.path.col(0), problem.start);
    EXPECT_EQ(report.path.rightCols(1), problem.goals[1]);
    EXPECT_TRUE(p.verify(report.path).is_free);
    learn_way(roadmap, report.path, p.local);
    const PlanReport known = query_roadmap(roadmap, problem, p.local);
    ASSERT_EQ(known.status, PlanStatus::found);
    EXPECT_TRUE(p.verify(known.path).is_free);
    // And from another start.
    EXPECT_EQ(query_roadmap(roadmap, {at_place(-0.8, 0.5), problem.goals}, p.local).status,
              PlanStatus::found);
  }
}

// MV-5: guards do not see each other, and a connector joins what was apart.
TEST(Roadmap, VisibilityKeepsGuardsAndConnectorsOnly) {
  Playground p(make_rooms(0.5));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RoadmapReport report;
    RoadmapOptions options;
    options.enough = 200;
    const Roadmap roadmap = grow(p, options, seed, 100'000, &report);
    EXPECT_EQ(report.stopped, StopReason::none);
    EXPECT_EQ(report.guards + report.connectors, roadmap.size());
    EXPECT_DOUBLE_EQ(report.coverage, 1 - 1.0 / 200);
    // A forest: every link of a connector takes one component away.
    EXPECT_EQ(roadmap.size() - static_cast<int>(roadmap.count_links()), roadmap.count_components());
    EXPECT_LT(roadmap.size(), 60);
    // Nearly all of the free space sees it, as the estimate says.
    Rng rng(seed + 100);
    Way way(p.space);
    int seen = 0;
    constexpr int kAsked = 400;
    for (int i = 0; i < kAsked; ++i) {
      const VecX x = p.draw_free(rng);
      bool sees = false;
      for (int k = 0; k < roadmap.size() && !sees; ++k) sees = p.local.connects(x, roadmap[k], way);
      seen += sees;
    }
    EXPECT_GE(seen, static_cast<int>(0.97 * kAsked));
  }
}

TEST(Roadmap, ClosedDoorsStayClosed) {
  // The doors are as wide as the disk: there are four rooms for good.
  Playground p(make_rooms(0.19));
  RoadmapOptions options;
  options.kind = RoadmapKind::basic;
  Roadmap roadmap = grow(p, options, 1, 800);
  EXPECT_EQ(query_roadmap(roadmap, {at_place(0.5, 0.5), {at_place(-0.5, -0.5)}}, p.local).status,
            PlanStatus::used_up);
  EXPECT_EQ(query_roadmap(roadmap, {at_place(0.5, 0.5), {at_place(0.7, 0.3)}}, p.local).status,
            PlanStatus::found);
  EXPECT_EQ(query_roadmap(roadmap, {at_place(0, 0), {at_place(0.7, 0.3)}}, p.local).status,
            PlanStatus::start_blocked);
  EXPECT_EQ(query_roadmap(roadmap, {at_place(0.7, 0.3), {at_place(0, 0)}}, p.local).status,
            PlanStatus::goal_blocked);
}

// The shortest way along links, against all simple paths of small random graphs.
TEST(Roadmap, FindsTheShortestPath) {
  const SpaceRig p(make_rooms(0.5));
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Rng rng(seed);
    Roadmap roadmap(p.space);
    VecX x(3);
    for (int i = 0; i < 7; ++i) {
      p.space.sample(rng, x);
      roadmap.add(x);
    }
    MatX lengths = MatX::Constant(7, 7, kInfinity);
    for (int i = 0; i < 9; ++i) {
      const auto a = static_cast<int>(rng.integer(0, 6)), b = static_cast<int>(rng.integer(0, 6));
      if (a == b || lengths(a, b) < kInfinity) continue;
      lengths(a, b) = lengths(b, a) = rng.uniform(0.1, 1);
      roadmap.join(a, b, lengths(a, b));
    }
    // Floyd and Warshall.
    MatX all = lengths;
    for (int i = 0; i < 7; ++i) all(i, i) = 0;
    for (int k = 0; k < 7; ++k)
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j) all(i, j) = std::min(all(i, j), all(i, k) + all(k, j));
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 7; ++j) {
        const std::vector<int> path = roadmap.find_path(i, j);
        EXPECT_EQ(path.empty(), all(i, j) == kInfinity);
        EXPECT_EQ(roadmap.component(i) == roadmap.component(j), all(i, j) < kInfinity);
        double length = 0;
        for (std::size_t k = 1; k < path.size(); ++k) length += lengths(path[k - 1], path[k]);
        if (!path.empty()) {
          EXPECT_NEAR(length, all(i, j), 1e-12);
        }
      }
    }
  }
}

// MV-5: Gaussian samples lie near what is in the way, bridges between two of them.
TEST(FreeSampler, PutsPointsWhereItSays) {
  Playground p(make_rooms(0.5));
  Rng rng(3);
  VecX x(3);
  const auto measure = [&](SamplerKind kind) {
    FreeSampler sampler(p.space, {kind, 0.5});
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 4000 && count < 300; ++i) {
      if (!sampler.draw(p.local, rng, x)) continue;
      EXPECT_TRUE(p.local.is_free(x));
      // How far from the cross of walls.
      sum += std::min(std::abs(x[0]), std::abs(x[1]));
      ++count;
    }
    EXPECT_GT(count, 50);
    return sum / count;
  };
  const double uniform = measure(SamplerKind::uniform), gaussian = measure(SamplerKind::gaussian);
  EXPECT_LT(gaussian, 0.75 * uniform);
}

}  // namespace
}  // namespace geste
