#include "geste/proximity/scene_contacts.hpp"

#include <algorithm>

#include "geste/proximity/internal/collision_search.hpp"

namespace geste {
namespace {

void transform(const Pose& X, ContactSet& set) {
  for (Contact& c : set.contacts) {
    c.point = X * c.point;
    c.on_a = X * c.on_a;
    c.on_b = X * c.on_b;
    c.normal = X.R * c.normal;
    c.tangent = X.R * c.tangent;
  }
}

}  // namespace

void find_contacts(const CollisionModel& model, const Workspace& workspace,
                   CollisionWorkspace& memory, double margin, ContactScratch& scratch,
                   SceneContacts& out, const ContactOptions& options) {
  CollisionSearch search(model, workspace, memory);
  out.count = 0;
  search.find(margin, [&](int i, int j) {
    if (out.count == out.pairs.size()) out.pairs.emplace_back();
    ObjectContacts& pair = out.pairs[out.count];
    pair.object_a = std::min(i, j);
    pair.object_b = std::max(i, j);
    compute_contacts(search.object(pair.object_a).collider, search.object(pair.object_b).collider,
                     search.relative(pair.object_a, pair.object_b), margin, scratch, pair.set,
                     options);
    if (pair.set.contacts.empty()) return false;
    transform(search.pose(pair.object_a), pair.set);
    ++out.count;
    return false;
  });
  // The trees' order depends on where things were before.
  std::sort(out.pairs.begin(), out.pairs.begin() + static_cast<std::ptrdiff_t>(out.count),
            [](const ObjectContacts& x, const ObjectContacts& y) {
              return std::pair(x.object_a, x.object_b) < std::pair(y.object_a, y.object_b);
            });
}

}  // namespace geste
