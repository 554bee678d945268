#include "geste/geometry/internal/tree_pair.hpp"

namespace geste {
namespace {

using namespace internal;

/// Depth first, deepest overlap first; ends at the first pair of triangles that meet.
struct TouchVisitor : MeetingVisitor {
  TrianglePair hit;

  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    const LeafPair leaves = trees.pair(a, b, 0);
    if (!leaves.is_open()) return false;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      TouchLanes lanes = leaves.find_touching(i);
      if (lanes.sure != 0) {
        hit = {a.triangle[i], b.triangle[std::countr_zero(lanes.sure)]};
        return true;
      }
      for (; lanes.maybe != 0; lanes.maybe &= lanes.maybe - 1) {
        const TrianglePair pair{a.triangle[i], b.triangle[std::countr_zero(lanes.maybe)]};
        if (trees.compute_distance(pair.a, pair.b).squared > 0) continue;
        hit = pair;
        return true;
      }
    }
    return false;
  }
};

}  // namespace

bool touches(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             TrianglePair* hint) {
  if (a.mesh().triangles.size() > b.mesh().triangles.size()) {
    // The larger mesh has the fuller leaves: those go into the lanes.
    TrianglePair turned = hint ? TrianglePair{hint->b, hint->a} : TrianglePair{};
    const bool answer = touches(b, a, X_AB.inverse(), scratch, hint ? &turned : nullptr);
    if (hint) *hint = {turned.b, turned.a};
    return answer;
  }
  TreePair trees(a, b, X_AB, scratch);
  if (hint && hint->valid() && trees.compute_distance(hint->a, hint->b).squared == 0) return true;
  TouchVisitor visitor;
  trees.walk(visitor);
  if (hint && visitor.hit.valid()) *hint = visitor.hit;
  return visitor.hit.valid();
}

}  // namespace geste
