#pragma once

#include "geste/geometry/contact_set.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste {

/// Contacts of two objects, in the world's frame. Ids persist while the objects do.
struct ObjectContacts {
  int object_a = 0;  ///< in CollisionModel::objects; a < b
  int object_b = 0;
  ContactSet set;
};

/// By objects; its memory is used again from step to step.
struct SceneContacts {
  std::vector<ObjectContacts> pairs;  ///< the first `count` are valid
  std::size_t count = 0;

  [[nodiscard]] std::span<const ObjectContacts> contacts() const { return {pairs.data(), count}; }
};

/// Every contact with a gap below `margin` between bodies that are checked, for a simulation's
/// step.
void find_contacts(const CollisionModel& model, const Workspace& workspace,
                   CollisionWorkspace& memory, double margin, ContactScratch& scratch,
                   SceneContacts& out, const ContactOptions& options = {});

}  // namespace geste
