#include <atomic>
#include <cstdlib>
#include <new>

#include "contact_testing.hpp"

// Contacts ask for no memory after some queries.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GESTE_OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GESTE_OWN_MALLOC 1
#endif
#endif

namespace {
thread_local long allocations = 0;
}

#ifndef GESTE_OWN_MALLOC
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}
#endif

namespace geste {
namespace {

using testing::make_plate;
using testing::share;

TEST(ContactAllocation, NoneAfterWarmUp) {
  const Collider plate{Shape(share(make_plate(1, 0.2, 10)))}, table{Shape(Box{Vec3(1, 1, 0.2)})};
  const double half = 0.1;
  for (const Shape& shape :
       {Shape(Sphere{half}), Shape(Box{Vec3(0.3, 0.2, 2 * half)}), Shape(Cylinder{0.1, 2 * half}),
        Shape(Cone{0.1, 2 * half}), Shape(testing::make_box_hull(Vec3(0.2, 0.2, 2 * half))),
        Shape(share(make_mesh(Cylinder{0.1, 2 * half}, 24)))}) {
    const Collider body{shape};
    ContactScratch scratch;
    ContactSet set;
    const auto run = [&] {
      for (const double z : {5e-4, -5e-4}) {
        compute_contacts(plate, body, Pose::translation(0, 0, half + z), 1e-3, scratch, set);
        EXPECT_FALSE(set.contacts.empty());
        compute_contacts(table, body, Pose::translation(0, 0, 0.1 + half + z), 1e-3, scratch, set);
        EXPECT_FALSE(set.contacts.empty());
      }
    };
    run();
    run();
    const long before = allocations;
    run();
    EXPECT_EQ(allocations, before) << shape_name(shape);
  }
}

}  // namespace
}  // namespace geste
