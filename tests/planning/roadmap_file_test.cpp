#include "geste/planning/roadmap_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "geste/core/files.hpp"
#include "geste/planning/plan_roadmap.hpp"
#include "geste/planning/steering/manhattan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

Roadmap grow_in(Playground& p, std::uint64_t seed, std::uint64_t samples, RoadmapKind kind) {
  Roadmap roadmap(p.space);
  Rng rng(seed);
  RoadmapOptions options;
  options.kind = kind;
  grow_roadmap(roadmap, options, p.local, Budget::steps(samples), rng);
  return roadmap;
}

RoadmapFile pack(const Roadmap& roadmap, Playground& p) {
  RoadmapFile file = pack_roadmap(roadmap, p.local);
  file.scene = hash_scene(p.space, p.model);
  file.steering = "linear";
  return file;
}

Result<Roadmap> unpack(const RoadmapFile& file, Playground& p) {
  return unpack_roadmap(file, p.local.world(), hash_scene(p.space, p.model), "linear");
}

// MV-6: what is read is what was written, to half a step of the grid, and nothing of it is proven.
TEST(RoadmapFile, ComesBackAsItWasWritten) {
  Playground p(make_window_world());
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Roadmap roadmap = grow_in(p, seed, 300, RoadmapKind::basic);
    const RoadmapFile file = pack(roadmap, p);
    const auto read = parse_roadmap_file(make_roadmap_bytes(file), "x.roadmap");
    ASSERT_TRUE(read) << to_text(read.error());
    EXPECT_EQ(read->entries, file.entries);
    EXPECT_EQ(read->links.size(), roadmap.count_links());
    EXPECT_EQ(read->joints, std::vector<std::string>{"free"});
    const auto again = unpack(*read, p);
    ASSERT_TRUE(again) << to_text(again.error());
    ASSERT_EQ(again->size(), roadmap.size());
    EXPECT_EQ(again->count_links(), roadmap.count_links());
    EXPECT_EQ(again->count_components(), roadmap.count_components());
    for (int i = 0; i < roadmap.size(); ++i) {
      // A free body of two metres either way, in 2^16 steps; a rotation by as much.
      EXPECT_LT(p.space.distance((*again)[i], roadmap[i]), 1e-3);
      for (const Roadmap::Link& link : again->links(i)) EXPECT_FALSE(link.is_proven);
    }
  }
}

// MV-6, GX-2: ways over a roadmap from a file are proven, by the second prover too.
TEST(RoadmapFile, QueriesProveWhatTheyUse) {
  Playground p(make_window_world());
  Roadmap grown = grow_in(p, 1, 1500, RoadmapKind::basic);
  Roadmap read = unpack(pack(grown, p), p).value();
  Rng rng(7);
  int found = 0, same = 0;
  for (int i = 0; i < 60; ++i) {
    const PlanningProblem problem{p.draw_free(rng), {p.draw_free(rng)}};
    const PlanReport before = query_roadmap(grown, problem, p.local);
    const PlanReport after = query_roadmap(read, problem, p.local);
    same += before.status == after.status;
    if (after.status != PlanStatus::found) continue;
    ++found;
    EXPECT_TRUE(p.verify(after.path).is_free) << "query " << i;
  }
  EXPECT_GT(found, 40);
  EXPECT_GE(same, 58);
}

// MV-6: a file that lies about links makes no way that collides.
TEST(RoadmapFile, LinksThatAreNotFreeGo) {
  Playground p(make_window_world());
  const PlanningProblem problem = make_window_problem();
  RoadmapFile file;
  Roadmap ends(p.space);
  VecX near = problem.start, far = problem.goals[0];
  near[1] += 0.05;
  far[1] += 0.05;
  ends.add(near);
  ends.add(far);
  file = pack(ends, p);
  file.links = {{1, 0}};
  Roadmap roadmap = unpack(file, p).value();
  EXPECT_EQ(roadmap.count_components(), 1);
  EXPECT_EQ(query_roadmap(roadmap, problem, p.local).status, PlanStatus::used_up);
  EXPECT_EQ(roadmap.count_links(), 0u);
  EXPECT_EQ(roadmap.count_components(), 2);
  // Points inside a wall are no help either.
  VecX inside = problem.start;
  inside[0] = 0;
  inside[1] = 0.5;
  Roadmap wall(p.space);
  wall.add(inside);
  wall.add(near);
  RoadmapFile other = pack(wall, p);
  other.links = {{1, 0}};
  Roadmap bad = unpack(other, p).value();
  EXPECT_EQ(query_roadmap(bad, problem, p.local).status, PlanStatus::used_up);
}

// A narrow world asks for a finer grid, and gets it.
TEST(RoadmapFile, GridIsAsFineAsLinksNeed) {
  Playground p(make_window_world());
  Roadmap roadmap(p.space);
  // Two points so near to the wall that rounding to 16 bits may put them into it.
  VecX x = make_window_problem().start;
  x.tail(4) << 0, 0, 0, 1;
  const double touch = -0.025 - 0.3;
  int finer = 0;
  for (int k = 0; k < 40; ++k) {
    Roadmap pair(p.space);
    x[0] = touch - 2e-6 * (k + 1);
    x[1] = 0.3;
    pair.add(x);
    x[1] = 0.4;
    const int b = pair.add(x);
    Way way(p.space);
    if (!p.local.is_free(pair[b]) || !p.local.connects(pair[b], pair[0], way)) continue;
    pair.join(b, 0, 1);
    const RoadmapFile file = pack(pair, p);
    EXPECT_EQ(file.links.size(), 1u);
    finer += file.bits > 16;
  }
  EXPECT_GT(finer, 0);
}

// Another scene, other limits or another method is refused by name.
TEST(RoadmapFile, FitsWhereItWasGrownAndNowhereElse) {
  Playground p(make_window_world());
  const RoadmapFile file = pack(grow_in(p, 1, 20, RoadmapKind::basic), p);
  const auto refusal = [&](Playground& other, const char* steering) {
    const auto made =
        unpack_roadmap(file, other.local.world(), hash_scene(other.space, other.model), steering);
    return made ? std::string() : to_text(made.error());
  };
  Playground same(make_window_world());
  EXPECT_EQ(refusal(same, "linear"), "");
  EXPECT_NE(refusal(same, "manhattan").find("another steering method"), std::string::npos);
  Playground wider(make_window_world(0.6, 0.31));
  EXPECT_NE(refusal(wider, "linear").find("another scene"), std::string::npos);
  SceneSpec spec = make_window_world();
  spec.joints[0].limits[1].upper = 0.7;
  Playground room(spec);
  EXPECT_NE(refusal(room, "linear").find("another room"), std::string::npos);
  spec.joints[0].name = "other";
  Playground joints(spec);
  EXPECT_NE(refusal(joints, "linear").find("other joints"), std::string::npos);
  CollisionOptions margin = make_plain_options();
  margin.margin = 0.001;
  Playground margins(make_window_world(), margin);
  EXPECT_NE(refusal(margins, "linear").find("another scene"), std::string::npos);
}

// Bytes that were cut, changed or made up are refused, every one of them.
TEST(RoadmapFile, DamageIsSeen) {
  Playground p(make_window_world());
  const std::string bytes = make_roadmap_bytes(pack(grow_in(p, 1, 30, RoadmapKind::basic), p));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(parse_roadmap_file(changed, "x")) << "byte " << i;
    EXPECT_FALSE(parse_roadmap_file(std::string_view(bytes).substr(0, i), "x")) << "cut " << i;
  }
  EXPECT_FALSE(parse_roadmap_file(bytes + "x", "x"));
  EXPECT_TRUE(parse_roadmap_file(bytes, "x"));
}

// MV-6: a roadmap of a free body among many parts is small.
TEST(RoadmapFile, IsSmall) {
  Playground p(make_window_world());
  const Roadmap roadmap = grow_in(p, 1, 1000, RoadmapKind::basic);
  EXPECT_EQ(roadmap.size(), 1000);
  EXPECT_LT(make_roadmap_bytes(pack(roadmap, p)).size(), 20'000u);
}

// MV-5, MV-6, GX-6: asked, grown, asked again, until there is a way.
TEST(PlanRoadmap, GrowsUntilThereIsAWay) {
  Playground p(make_window_world());
  for (const RoadmapKind kind : {RoadmapKind::basic, RoadmapKind::visibility}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      RoadmapPlanOptions options;
      options.roadmap.kind = kind;
      options.roadmap.enough = 5000;
      MatX first;
      for (int time = 0; time < 2; ++time) {
        Roadmap roadmap(p.space);
        const PlanReport report = plan_roadmap(p.local.world(), make_window_problem(), options,
                                               roadmap, Budget::steps(100'000), Rng(seed));
        ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
        EXPECT_TRUE(p.verify(report.path).is_free);
        if (time == 0) first = report.path;
        EXPECT_EQ(report.path, first);
      }
    }
  }
}

}  // namespace
}  // namespace geste
