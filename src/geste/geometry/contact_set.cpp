#include "geste/geometry/contact_set.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/geometry/internal/contact_pairs.hpp"

namespace geste {
namespace internal {

void ContactSink::add(const Vec3& on_first, const Vec3& on_second, const Vec3& normal, double depth,
                      std::uint32_t first, std::uint32_t second) {
  if (!(depth > -margin_ || depth >= 0)) return;
  deepest_ = std::max(deepest_, depth);
  Contact c;
  c.on_a = X_AF_ * (is_swapped_ ? on_second : on_first);
  c.on_b = X_AF_ * (is_swapped_ ? on_first : on_second);
  c.normal = X_AF_.R * (is_swapped_ ? Vec3(-normal) : normal);
  c.depth = depth;
  const std::uint64_t a = is_swapped_ ? second : first, b = is_swapped_ ? first : second;
  c.id = a << 32 | b;
  out_.contacts.push_back(c);
}

}  // namespace internal

namespace {

using internal::ContactSink;

void add_contacts(const Collider& a, const Collider& b, const Pose& X_AB,
                  ContactScratch::Memory& memory, ContactSink& sink) {
  if (a.mesh() && b.mesh()) return internal::add_mesh_contacts(a, b, X_AB, memory, sink);
  if (a.mesh()) return internal::add_mesh_primitive_contacts(a, b, X_AB, memory, sink);
  if (b.mesh()) {
    sink.set_frame(X_AB, true);
    return internal::add_mesh_primitive_contacts(b, a, X_AB.inverse(), memory, sink);
  }
  const bool is_torus_b = std::holds_alternative<Torus>(*b.primitive());
  if (std::holds_alternative<Torus>(*a.primitive())) {
    internal::add_torus_contacts(a, b, X_AB, memory, sink);
    if (!is_torus_b) return;
  }
  if (!is_torus_b) {
    // Searches over curves end at slightly different normals from the other side: one side decides.
    if (a.primitive()->index() <= b.primitive()->index())
      return internal::add_convex_contacts(a, b, X_AB, memory, sink);
    sink.set_frame(X_AB, true);
    return internal::add_convex_contacts(b, a, X_AB.inverse(), memory, sink);
  }
  sink.set_frame(X_AB, true);
  internal::add_torus_contacts(b, a, X_AB.inverse(), memory, sink);
}

/// By id; of several with one id the deepest stays.
void sort_by_id(std::vector<Contact>& contacts) {
  std::sort(contacts.begin(), contacts.end(), [](const Contact& x, const Contact& y) {
    if (x.id != y.id) return x.id < y.id;
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::lexicographical_compare(x.on_a.data(), x.on_a.data() + 3, y.on_a.data(),
                                        y.on_a.data() + 3);
  });
  const auto is_same = [](const Contact& x, const Contact& y) { return x.id == y.id; };
  contacts.erase(std::unique(contacts.begin(), contacts.end(), is_same), contacts.end());
}

}  // namespace

ContactScratch::ContactScratch() : memory_(std::make_unique<Memory>()) {}
ContactScratch::~ContactScratch() = default;

std::uint64_t ContactScratch::tests() const { return memory_->tests; }

Vec3 compute_tangent(const Vec3& normal) {
  const Vec3 from(0.6, 0.48, 0.64), across(0.8, -0.36, -0.48);
  const double one_plus_cosine = 1 + from.dot(normal);
  if (one_plus_cosine < 1e-12) return across;
  return (across - (normal.dot(across) / one_plus_cosine) * (from + normal)).normalized();
}

void compute_contacts(const Collider& a, const Collider& b, const Pose& X_AB, double margin,
                      ContactScratch& scratch, ContactSet& out, const ContactOptions& options) {
  if (!(margin >= 0 && margin < 1e30))
    throw std::invalid_argument("compute_contacts: the margin must be a number from 0 on");
  if (!X_AB.p.allFinite() || !X_AB.R.allFinite())
    throw std::invalid_argument("compute_contacts: the pose is not finite");
  out.contacts.clear();
  ContactSink sink(margin, options.find_deepest, out);
  add_contacts(a, b, X_AB, scratch.memory(), sink);
  sort_by_id(out.contacts);
  internal::reduce_contacts(margin, options, scratch.memory(), out);
  for (Contact& c : out.contacts) {
    c.point = 0.5 * (c.on_a + c.on_b);
    c.tangent = compute_tangent(c.normal);
  }
}

void find_matching(const ContactSet& previous, const ContactSet& current,
                   std::vector<std::uint32_t>& matches) {
  matches.clear();
  std::uint32_t at = 0;
  for (const Contact& c : current.contacts) {
    while (at < previous.contacts.size() && previous.contacts[at].id < c.id) ++at;
    const bool is_known = at < previous.contacts.size() && previous.contacts[at].id == c.id;
    matches.push_back(is_known ? at : kNoContact);
  }
}

}  // namespace geste
