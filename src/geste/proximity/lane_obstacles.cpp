#include <algorithm>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/cover_boxes.hpp"
#include "geste/proximity/internal/lane_builder.hpp"

namespace geste {
namespace {

using namespace internal;

/// A mesh is no more boxes than this.
constexpr std::size_t kMostBoxes = 20'000;

bool is_permutation(const Mat3& R, double tolerance) {
  return ((R.cwiseAbs().array() - 0.5).abs() - 0.5).abs().maxCoeff() <= tolerance;
}

/// Puts fixed things into the lanes' world as rounded boxes.
class ObstacleMaker {
 public:
  ObstacleMaker(LaneModel& out, double size)
      : R_AW(out.R_AW), obstacles(out.lanes.obstacles), box_size(size) {}

  void add_obstacle(const CollisionObject& o, int index) {
    if (const MeshTree* mesh = o.collider.mesh()) {
      for (const OrientedBox& box : make_cover_boxes(*mesh, box_size, kMostBoxes))
        add_box(o.X_MO * box.X, box.half, 0, nullptr, 0, index);
      return;
    }
    const auto add = [&](const Vec3& half, double radius, const Vec3& inner, double inner_radius) {
      add_box(o.X_MO, half, radius, &inner, inner_radius, index);
    };
    std::visit(
        Overloaded{[&](const Sphere& s) { add(Vec3::Zero(), s.radius, Vec3::Zero(), s.radius); },
                   [&](const Capsule& s) {
                     const Vec3 core(0, 0, s.length / 2);
                     add(core, s.radius, core, s.radius);
                   },
                   [&](const Box& s) { add(s.size / 2, 0, s.size / 2, 0); },
                   [&](const Cylinder& s) {
                     const double in = s.radius * std::sqrt(0.5);
                     add({s.radius, s.radius, s.length / 2}, 0, {in, in, s.length / 2}, 0);
                   },
                   [&](const Cone& s) {
                     add_box(o.X_MO, {s.radius, s.radius, s.length / 2}, 0, nullptr, 0, index);
                   },
                   [&](const Torus& s) {
                     add_box(o.X_MO, {s.radius, s.radius, 0}, s.tube_radius, nullptr, 0, index);
                   },
                   [&](const HullShape&) {
                     const AxisBox& box = o.collider.box();
                     add_box(o.X_MO * Pose::translation(box.centre()), box.size() / 2, 0, nullptr,
                             0, index);
                   }},
        *o.collider.primitive());
  }

 private:
  void add_box(const Pose& X_WB, const Vec3& half, double radius, const Vec3* inner_half,
               double inner_radius, int object_index) {
    LaneObstacle o{};
    const Vec3 centre = R_AW * X_WB.p;
    Mat3 R = R_AW * X_WB.R;
    Vec3 h = half, inner = inner_half ? *inner_half : Vec3(Vec3::Zero());
    o.is_aligned = is_permutation(R, 1e-6);
    if (o.is_aligned) {
      const Mat3 swap = R.cwiseAbs().array().round();
      // What the small turn moves is added, and taken off inside.
      const double turned = (R.cwiseAbs() - swap).norm() * half.norm();
      h = swap * h + Vec3::Constant(turned);
      inner = (swap * inner - Vec3::Constant(turned)).cwiseMax(0);
      R.setIdentity();
    }
    const double pad = 4e-7 * (h.maxCoeff() + centre.cwiseAbs().maxCoeff());
    for (int k = 0; k < 3; ++k) {
      o.centre[k] = static_cast<float>(centre[k]);
      o.half[k] = round_out(h[k] + pad);
      o.inner_half[k] = static_cast<float>(std::max(0.0, inner[k] - pad));
      for (int j = 0; j < 3; ++j) o.R[3 * k + j] = static_cast<float>(R(j, k));
    }
    o.radius = round_out(radius);
    // A solid thinner than rounding has no inside.
    const bool has_inside = inner_half && (inner_radius > pad || inner.minCoeff() > pad);
    o.inner_radius = has_inside ? static_cast<float>(std::max(0.0, inner_radius - pad)) : -1;
    o.object = object_index;
    obstacles.push_back(o);
  }

  const Mat3& R_AW;
  std::vector<LaneObstacle>& obstacles;
  double box_size;
};

}  // namespace

Mat3 find_alignment(const CollisionModel& model) {
  std::vector<std::pair<Mat3, int>> groups;
  for (const CollisionObject& o : model.objects()) {
    if (o.mover != 0 || !o.collider.primitive()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return is_permutation(g.first.transpose() * o.X_MO.R, 1e-6);
    });
    if (same != groups.end()) {
      ++same->second;
    } else if (groups.size() < 64) {
      groups.push_back({o.X_MO.R, 1});
    }
  }
  const auto most =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& x, const auto& y) { return x.second < y.second; });
  return most == groups.end() ? Mat3(Mat3::Identity()) : Mat3(most->first.transpose());
}

void add_lane_obstacles(const CollisionModel& model, const std::vector<bool>& is_clustered,
                        double box_size, LaneModel& out) {
  ObstacleMaker maker(out, box_size);
  for (std::size_t i = 0; i < model.objects().size(); ++i) {
    const CollisionObject& o = model.objects()[i];
    if (o.mover == 0 && !is_clustered[i]) maker.add_obstacle(o, static_cast<int>(i));
  }
}

AxisBox compute_box(const LaneObstacle& o) {
  Vec3 centre, half;
  for (int k = 0; k < 3; ++k) {
    centre[k] = o.centre[k];
    half[k] = o.radius;
    for (int j = 0; j < 3; ++j)
      half[k] += o.is_aligned ? (j == k ? o.half[k] : 0) : std::abs(o.R[3 * j + k]) * o.half[j];
  }
  half *= 1 + 1e-6;
  return {centre - half, centre + half};
}

}  // namespace geste
