#include "allocations.hpp"
#include "contact_testing.hpp"

// Contacts ask for no memory after some queries.

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
    const long before = testing::count_allocations();
    run();
    EXPECT_EQ(testing::count_allocations(), before) << shape_name(shape);
  }
}

}  // namespace
}  // namespace geste
