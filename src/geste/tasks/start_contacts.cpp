#include "geste/tasks/internal/start_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/geometry/feature_axes.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/shape_pair.hpp"
#include "geste/geometry/thin_shape.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste::internal {
namespace {

constexpr std::string_view kSuffix = " (seat";

/// m; how far a shrunken copy stays clear at the start: twice what planners keep, so that paths
/// along a seat can be proven.
constexpr double kClear = 6 * kTouch;

/// Cosine of how far apart two axes are at most that are taken as one: 1.8 degrees.
constexpr double kParallel = 0.9995;

/// A body's collision shapes, shrunken.
struct ShrunkenBody {
  std::vector<GeometrySpec> geometry;
  double bound = 0;  ///< m; the farthest that a point of its surface has moved
};

/// What is left of a body whose faces lie deeper by `by`.
ShrunkenBody shrink(const BodySpec& body, double by) {
  ShrunkenBody out;
  for (const GeometrySpec& g : body.geometry) {
    if (!g.collision) continue;
    const std::optional<ThinShape> thin = make_thinner(g.shape, by);
    out.bound = std::max(out.bound, by);
    if (!thin) continue;
    const auto* before = std::get_if<MeshShape>(&g.shape);
    const auto* after = std::get_if<MeshShape>(&thin->shape);
    if (before && after) {
      for (std::size_t i = 0; i < (*before)->vertices.size(); ++i)
        out.bound = std::max(out.bound, ((*after)->vertices[i] - (*before)->vertices[i]).norm());
    } else if (std::holds_alternative<HullShape>(g.shape)) {
      out.bound = std::max(out.bound, kThinReach * by);
    }
    out.geometry.push_back({.name = {},
                            .shape = thin->shape,
                            .X_BG = g.X_BG * thin->X_ST,
                            .visual = false,
                            .collision = true,
                            .colour = {}});
  }
  return out;
}

/// Shapes at their places in the world.
struct PlacedShapes {
  std::vector<Collider> colliders;
  std::vector<Pose> X_WS;
  AxisBox box;

  void add(const Shape& shape, const Pose& X) {
    colliders.emplace_back(shape);
    X_WS.push_back(X);
    box.add(place_box(X, colliders.back().box()));
  }
};

class ContactTaker {
 public:
  ContactTaker(TaskScene world, const std::vector<std::string>& moved,
               const CollisionSpec& collision, const ContactOptions& options)
      : world_(std::move(world)),
        scene_(world_.scene),
        spec_(scene_.spec()),
        options_(options),
        workspace_(scene_) {
    compute_kinematics(scene_, world_.start, workspace_);
    static_cast<CollisionSpec&>(model_options_) = collision;
    model_options_.margin = 0;
    model_options_.margins.clear();
    model_options_.reserve = kClear;
    model_options_.use_reach = false;
    model_options_.threads = options.threads;
    model_options_.cancel = options.cancel;
    is_moved_.resize(scene_.bodies().size());
    for (const std::string& name : moved)
      if (const auto body = scene_.find_body(name)) is_moved_[body->index()] = true;
  }

  Result<TaskScene> run() {
    const Result<CollisionModel> model = CollisionModel::make(scene_, model_options_);
    if (!model) return model.error();
    CollisionWorkspace memory(*model);
    for (const PairClearance& pair : find_collisions(*model, workspace_, memory)) {
      if (is_moved_[pair.a.index()] != is_moved_[pair.b.index()]) take(pair);
    }
    share_axis();
    allow_other_pairs();
    Result<Scene> scene = Scene::compile(std::move(spec_));
    if (!scene) return scene.error();
    return TaskScene{
        std::move(*scene),       std::move(world_.start),      std::move(world_.inputs),
        std::move(world_.notes), std::move(world_.assemblies), std::move(contacts_)};
  }

 private:
  void take(const PairClearance& pair) {
    const bool is_a_moved = is_moved_[pair.a.index()];
    const BodyId moved = is_a_moved ? pair.a : pair.b, other = is_a_moved ? pair.b : pair.a;
    StartContact contact{scene_.body(moved).name, scene_.body(other).name,
                         std::max(0.0, -pair.separation.distance),
                         (pair.separation.on_a + pair.separation.on_b) / 2};
    const double deepest = find_deepest_seat(moved, other, contact.depth);
    // The one that stands still first: what moves is prepared at more cost.
    const bool is_seat = seat(moved, other, Shrunken::other, deepest, contact) ||
                         seat(moved, other, Shrunken::moved, deepest, contact) ||
                         seat(moved, other, Shrunken::both, deepest, contact);
    if (!is_seat) {
      contact.is_fit = true;
      fit_axes_.push_back(list_axes(moved, other));
    }
    if (!contact.is_fit)
      spec_.allowed_pairs.push_back({contact.moved, contact.other, "in contact at the start"});
    contacts_.push_back(std::move(contact));
  }

  /// m; what is deeper is no seat: a tenth of how wide the smaller of the two is. Faces that must
  /// be moved by much more than the two overlap are no seat either: surfaces that are not closed
  /// tell no depth.
  [[nodiscard]] double find_deepest_seat(BodyId a, BodyId b, double depth) const {
    constexpr double kMost = 0.1, kBeyond = 0.01, kFactor = 2;
    const auto width = [&](BodyId body) {
      Vec3 size = place(body).box.size();
      std::sort(size.data(), size.data() + 3);
      return size[1];
    };
    const double narrower = std::min(width(a), width(b));
    return std::min(kMost * narrower, kFactor * depth + kBeyond * narrower + 4 * kClear);
  }

  [[nodiscard]] PlacedShapes place(BodyId body) const {
    PlacedShapes out;
    for (std::size_t g = 0; g < scene_.geometry().size(); ++g) {
      const Geometry& geometry = scene_.geometry()[g];
      if (geometry.body == body && geometry.collision)
        out.add(geometry.shape, compute_geometry_pose(scene_, workspace_, static_cast<int>(g)));
    }
    return out;
  }

  [[nodiscard]] PlacedShapes place(BodyId body, const ShrunkenBody& shrunken) const {
    PlacedShapes out;
    const Pose X_WB = compute_pose(scene_, workspace_, body);
    for (const GeometrySpec& g : shrunken.geometry) out.add(g.shape, X_WB * g.X_BG);
    return out;
  }

  /// Whether two are far enough apart for paths along a seat.
  static bool are_clear(const PlacedShapes& a, const PlacedShapes& b) {
    QueryScratch scratch;
    for (std::size_t i = 0; i < a.colliders.size(); ++i)
      for (std::size_t j = 0; j < b.colliders.size(); ++j)
        if (comes_within(a.colliders[i], b.colliders[j], a.X_WS[i].inverse() * b.X_WS[j], kClear,
                         scratch))
          return false;
    return true;
  }

  /// Which of the two is shrunken.
  enum class Shrunken { other, moved, both };

  /// Shrinks until the two are clear of each other. False where that takes more than a seat may.
  bool seat(BodyId moved, BodyId other, Shrunken which, double deepest, StartContact& contact) {
    constexpr double kStep = 1.3;
    const double share = which == Shrunken::both ? 0.5 : 1;
    const PlacedShapes whole = place(which == Shrunken::other ? moved : other);
    for (double by = contact.depth + std::max(1.01 * kClear, options_.tolerance); by <= deepest;
         by *= kStep) {
      ShrunkenBody a, b;
      if (which != Shrunken::other) a = shrink(find_spec(moved), share * by);
      if (which != Shrunken::moved) b = shrink(find_spec(other), share * by);
      if (!are_clear(which == Shrunken::other ? whole : place(moved, a),
                     which == Shrunken::moved ? whole : place(other, b)))
        continue;
      contact.bound = a.bound + b.bound;
      contact.checked_moved =
          which == Shrunken::other ? contact.moved : add_copy(moved, std::move(a));
      contact.checked_other =
          which == Shrunken::moved ? contact.other : add_copy(other, std::move(b));
      return true;
    }
    return false;
  }

  [[nodiscard]] const BodySpec& find_spec(BodyId body) const {
    return *std::find_if(spec_.bodies.begin(), spec_.bodies.end(),
                         [&](const auto& b) { return b.name == scene_.body(body).name; });
  }

  /// Welded to its host.
  std::string add_copy(BodyId host, ShrunkenBody shrunken) {
    const std::string& of = scene_.body(host).name;
    std::string name = fmt::format("{}{})", of, kSuffix);
    for (int k = 2; has_body(name); ++k) name = fmt::format("{}{} {})", of, kSuffix, k);
    spec_.bodies.push_back(
        {.name = name, .inertia = {}, .geometry = std::move(shrunken.geometry), .source = {}});
    JointSpec weld;
    weld.name = name;
    weld.parent = of;
    weld.child = name;
    spec_.joints.push_back(std::move(weld));
    for (ActorSpec& actor : spec_.actors)
      if (std::find(actor.bodies.begin(), actor.bodies.end(), of) != actor.bodies.end())
        actor.bodies.push_back(name);
    copies_.push_back({name, is_moved_[host.index()] != 0});
    return name;
  }

  /// A copy is checked against its own partner alone.
  void allow_other_pairs() {
    const auto are_partners = [&](const std::string& a, const std::string& b) {
      return std::any_of(contacts_.begin(), contacts_.end(), [&](const StartContact& c) {
        return (c.checked_moved == a && c.checked_other == b) ||
               (c.checked_moved == b && c.checked_other == a);
      });
    };
    const auto allow = [&](const std::string& a, const std::string& b) {
      if (!are_partners(a, b)) spec_.allowed_pairs.push_back({a, b, "seat"});
    };
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      for (std::size_t k = 0; k < scene_.bodies().size(); ++k)
        if (copies_[i].is_moved != (is_moved_[k] != 0))
          allow(copies_[i].name, scene_.bodies()[k].name);
      for (std::size_t k = 0; k < i; ++k)
        if (copies_[i].is_moved != copies_[k].is_moved) allow(copies_[i].name, copies_[k].name);
    }
  }

  [[nodiscard]] bool has_body(const std::string& name) const {
    return std::any_of(spec_.bodies.begin(), spec_.bodies.end(),
                       [&](const BodySpec& b) { return b.name == name; });
  }

  /// Fits leave along one axis, exactly: of all that they may have the one that the most share; of
  /// several the one that weighs most. A fit that does not have it keeps its heaviest.
  void share_axis() {
    const auto find = [](const std::vector<FeatureAxis>& axes, const Vec3& direction) {
      return std::find_if(axes.begin(), axes.end(), [&](const FeatureAxis& axis) {
        return std::abs(axis.direction.dot(direction)) > kParallel;
      });
    };
    std::optional<Vec3> shared;
    std::pair<int, double> most{0, 0};
    for (const auto& axes : fit_axes_) {
      for (const FeatureAxis& axis : axes) {
        std::pair<int, double> found{0, 0};
        for (const auto& others : fit_axes_) {
          const auto same = find(others, axis.direction);
          if (same == others.end()) continue;
          ++found.first;
          found.second += same->weight;
        }
        if (found <= most) continue;
        most = found;
        shared = axis.direction;
      }
    }
    std::size_t k = 0;
    for (StartContact& c : contacts_) {
      if (!c.is_fit) continue;
      const auto& axes = fit_axes_[k++];
      if (axes.empty()) continue;
      c.axis = find(axes, *shared) != axes.end() ? *shared : axes.front().direction;
    }
  }

  /// Directions that a bolt, or what else is in the other, is made along where the two overlap: the
  /// one of which a larger fraction lies there, else the other. The heaviest first.
  [[nodiscard]] std::vector<FeatureAxis> list_axes(BodyId moved, BodyId other) const {
    constexpr double kHeavy = 0.3;  // of the heaviest
    const AxisBox a = place(moved).box, b = place(other).box;
    const AxisBox both{a.min.cwiseMax(b.min), a.max.cwiseMin(b.max)};
    const bool is_inside = a.size().prod() <= b.size().prod();
    std::vector<FeatureAxis> axes = find_axes(is_inside ? moved : other, both);
    if (axes.empty()) axes = find_axes(is_inside ? other : moved, both);
    std::erase_if(axes, [least = axes.empty() ? 0 : kHeavy * axes.front().weight](
                            const FeatureAxis& axis) { return axis.weight < least; });
    return axes;
  }

  [[nodiscard]] std::vector<FeatureAxis> find_axes(BodyId body, const AxisBox& within) const {
    std::vector<FeatureAxis> axes;
    for (std::size_t g = 0; g < scene_.geometry().size(); ++g) {
      const Geometry& geometry = scene_.geometry()[g];
      if (geometry.body != body || !geometry.collision) continue;
      const Pose X_WG = compute_geometry_pose(scene_, workspace_, static_cast<int>(g));
      for (const FeatureAxis& axis : find_feature_axes(geometry.shape, X_WG, within))
        if (!axis.is_flat) axes.push_back(axis);
    }
    std::stable_sort(axes.begin(), axes.end(),
                     [](const auto& x, const auto& y) { return x.weight > y.weight; });
    return axes;
  }

  TaskScene world_;
  const Scene& scene_;
  SceneSpec spec_;
  const ContactOptions& options_;
  Workspace workspace_;
  CollisionOptions model_options_;
  std::vector<char> is_moved_;
  struct Copy {
    std::string name;
    bool is_moved;
  };
  std::vector<Copy> copies_;
  std::vector<StartContact> contacts_;
  std::vector<std::vector<FeatureAxis>> fit_axes_;  ///< that the fits may have, in their order
};

}  // namespace

Result<TaskScene> take_start_contacts(TaskScene world, const std::vector<std::string>& moved,
                                      const CollisionSpec& collision,
                                      const ContactOptions& options) {
  return ContactTaker(std::move(world), moved, collision, options).run();
}

CollisionSpec make_collision_spec(const TaskScene& world, const CollisionSpec& file) {
  CollisionSpec spec = file;
  for (const StartContact& c : world.contacts)
    if (!c.is_fit) spec.margins.push_back({c.checked_moved, c.checked_other, 0, {}});
  return spec;
}

CollisionSpec leave_out_seats(const TaskScene& world, CollisionSpec spec) {
  for (const StartContact& c : world.contacts)
    if (!c.is_fit) spec.allowed.push_back({c.checked_moved, c.checked_other, {}});
  return spec;
}

std::string name_part(const Scene& scene, BodyId body) {
  const std::string& name = scene.body(body).name;
  const std::size_t suffix = name.rfind(kSuffix);
  return suffix != std::string::npos && name.back() == ')' ? name.substr(0, suffix) : name;
}

}  // namespace geste::internal
