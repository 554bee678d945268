#include "geste/model/kinematics.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "geste/math/lanes.hpp"
#include "geste/math/sincos.hpp"
#include "geste/model/internal/joint_motion.hpp"
#include "geste/model/internal/require.hpp"
#include "geste/model/internal/workspace_access.hpp"

namespace geste {
namespace {

using Access = WorkspaceAccess;
using internal::Lanes;

static_assert(sizeof(Pose) == 12 * sizeof(double), "turn() reads a pose as four columns of three");

/// X_WM = X_WP X_PJ Rot(axis, angle). Columns are taken four doubles at a time; the fourth belongs
/// to the next column and is overwritten by it, so the stores go from left to right. Poses lie in
/// an array of the workspace with one more behind the last, so that reading past a translation
/// stays inside.
inline void turn(const Mover& m, const Pose& X_WP, double sine, double cosine, Pose& X_WM) {
  const double* P = X_WP.R.data();
  GESTE_LANES_LOAD(P0, P);
  GESTE_LANES_LOAD(P1, P + 3);
  GESTE_LANES_LOAD(P2, P + 6);
  GESTE_LANES_LOAD(p, P + 9);
  const auto rotate = [&](double x, double y, double z) { return P0 * x + P1 * y + P2 * z; };
  Lanes column[3];
  if (m.aligned >= 0) {
    // The product with the constant does not wait for the sine.
    Lanes T[3];
    for (int k = 0; k < 3; ++k) T[k] = rotate(m.R0(0, k), m.R0(1, k), m.R0(2, k));
    const int u = (m.aligned + 1) % 3, v = (m.aligned + 2) % 3;
    const double s = m.sense * sine;
    column[m.aligned] = T[m.aligned];
    column[u] = cosine * T[u] + s * T[v];
    column[v] = cosine * T[v] - s * T[u];
  } else {
    const Mat3 L = m.R0 + sine * m.R1 + (1 - cosine) * m.R2;
    for (int k = 0; k < 3; ++k) column[k] = rotate(L(0, k), L(1, k), L(2, k));
  }
  p += rotate(m.X_PJ.p.x(), m.X_PJ.p.y(), m.X_PJ.p.z());
  double* out = X_WM.R.data();
  std::memcpy(out, &column[0], sizeof(Lanes));
  std::memcpy(out + 3, &column[1], sizeof(Lanes));
  std::memcpy(out + 6, &column[2], sizeof(Lanes));
  std::memcpy(out + 9, &p, 3 * sizeof(double));
}

/// Twist at the world's origin of a rotation about the unit vector `axis_W` through p_W.
void write_rotation(const Vec3& axis_W, const Vec3& p_W, Mat6X& columns, int j) {
  columns.col(j).head<3>() = p_W.cross(axis_W);
  columns.col(j).tail<3>() = axis_W;
}

void write_translation(const Vec3& direction_W, Mat6X& columns, int j) {
  columns.col(j).head<3>() = direction_W;
  columns.col(j).tail<3>().setZero();
}

void write_columns(const Mover& m, const Pose& X_WP, const Pose& X, Mat6X& columns) {
  if (m.carried) {
    columns.middleCols(m.v, m.nv).setZero();
    return;
  }
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      if (m.aligned >= 0) return write_rotation(m.sense * X.R.col(m.aligned), X.p, columns, m.v);
      return write_rotation(X.R * m.axis, X.p, columns, m.v);
    case JointType::prismatic:
      return write_translation(X.R * m.axis, columns, m.v);
    case JointType::universal:
      write_rotation(X_WP.R * (m.R0 * m.axis), X.p, columns, m.v);  // turns with the parent
      return write_rotation(X.R * m.axis2, X.p, columns, m.v + 1);
    case JointType::planar:
      write_translation(X.R * m.u1, columns, m.v);
      write_translation(X.R * m.u2, columns, m.v + 1);
      return write_rotation(X.R * m.axis, X.p, columns, m.v + 2);
    case JointType::spherical:
      for (int k = 0; k < 3; ++k) write_rotation(X.R.col(k), X.p, columns, m.v + k);
      return;
    case JointType::free:
      for (int k = 0; k < 3; ++k) write_translation(X.R.col(k), columns, m.v + k);
      for (int k = 0; k < 3; ++k) write_rotation(X.R.col(k), X.p, columns, m.v + 3 + k);
      return;
    case JointType::fixed:
      return;
  }
}

/// Calls f(mover, mass, centre of mass in the mover) for what moves of one actor, or of all.
template <class F>
void for_each_mass(const Scene& scene, ActorId actor, F f) {
  if (actor.valid()) {
    for (const Actor::Mass& m : scene.actor(actor).masses)
      f(static_cast<std::size_t>(m.mover), m.mass, m.com);
    return;
  }
  const std::vector<Mover>& movers = scene.movers();
  for (std::size_t i = 1; i < movers.size(); ++i)
    f(i, movers[i].inertia.mass, movers[i].inertia.com);
}

}  // namespace

void compute_kinematics(const Scene& scene, ConstVecRef q, Workspace& workspace) {
  internal::require_size("q", q.size(), scene.nq());
  internal::require_size("poses of the workspace", std::ssize(Access::X_WM(workspace)),
                         std::ssize(scene.movers()) + 1);
  // All sines and cosines first, four at a time.
  const std::vector<int>& angles = scene.angles();
  std::vector<double>& angle = Access::angles(workspace);
  for (std::size_t k = 0; k < angles.size(); ++k) angle[k] = q[angles[k]];
  compute_sincos(angle.data(), Access::sines(workspace).data(), Access::cosines(workspace).data(),
                 angle.size());
  const double* sine = Access::sines(workspace).data();
  const double* cosine = Access::cosines(workspace).data();

  const std::vector<Mover>& movers = scene.movers();
  Pose* X_WM = Access::X_WM(workspace).data();
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    const bool turns = m.type == JointType::revolute || m.type == JointType::continuous;
    if (turns && !m.carried) {
      turn(m, X_WM[m.parent], *sine++, *cosine++, X_WM[i]);
    } else {
      X_WM[i] = X_WM[m.parent] * internal::local_pose(m, q.data() + m.q);
    }
  }
  Access::set_kinematics(workspace);
}

Pose compute_joint_pose(const Mover& mover, const double* q) {
  return internal::local_pose(mover, q);
}

Pose compute_pose(const Scene& scene, const Workspace& workspace, BodyId body) {
  const std::vector<Pose>& X_WM = workspace.X_WM();
  if (!body.valid()) return {};
  const Body& b = scene.body(body);
  return X_WM[static_cast<std::size_t>(b.mover)] * b.X_MB;
}

Pose compute_pose(const Scene& scene, const Workspace& workspace, FrameId frame) {
  const Frame& f = scene.frame(frame);
  return compute_pose(scene, workspace, f.body) * f.X_BF;
}

Pose compute_geometry_pose(const Scene& scene, const Workspace& workspace, int geometry) {
  const Geometry& g = scene.geometry()[static_cast<std::size_t>(geometry)];
  return compute_pose(scene, workspace, g.body) * g.X_BG;
}

void compute_joint_columns(const Scene& scene, Workspace& workspace) {
  const std::vector<Mover>& movers = scene.movers();
  const Pose* X_WM = workspace.X_WM().data();
  Mat6X& columns = Access::columns(workspace);
  for (std::size_t i = 1; i < movers.size(); ++i) {
    write_columns(movers[i], X_WM[movers[i].parent], X_WM[i], columns);
  }
  Access::set_columns(workspace);
}

void compute_point_jacobian(const Scene& scene, const Workspace& workspace, BodyId body,
                            const Vec3& p_B, Eigen::Ref<Mat6X> J) {
  const Mat6X& columns = workspace.columns();
  internal::require_size("columns of J", J.cols(), scene.nv());
  J.setZero();
  if (!body.valid()) return;
  const Body& b = scene.body(body);
  const Vec3 p_W = workspace.X_WM()[static_cast<std::size_t>(b.mover)] * (b.X_MB * p_B);
  const std::vector<Mover>& movers = scene.movers();
  for (int i = b.mover; i > 0; i = movers[static_cast<std::size_t>(i)].parent) {
    const Mover& m = movers[static_cast<std::size_t>(i)];
    for (int j = m.v; j < m.v + m.nv; ++j) {
      const auto column = columns.col(j);
      const Vec3 angular = column.tail<3>();
      J.col(j).head<3>() = column.head<3>() + angular.cross(p_W);
      J.col(j).tail<3>() = angular;
    }
  }
}

void compute_frame_jacobian(const Scene& scene, const Workspace& workspace, FrameId frame,
                            Eigen::Ref<Mat6X> J) {
  const Frame& f = scene.frame(frame);
  compute_point_jacobian(scene, workspace, f.body, f.X_BF.p, J);
}

void compute_velocities(const Scene& scene, ConstVecRef v, Workspace& workspace) {
  internal::require_size("v", v.size(), scene.nv());
  const std::vector<Mover>& movers = scene.movers();
  const std::vector<Pose>& X_WM = workspace.X_WM();
  std::vector<Motion>& V_WM = Access::V_WM(workspace);
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    const auto parent = static_cast<std::size_t>(m.parent);
    const Motion joint = internal::joint_velocity(m, X_WM[parent].R, X_WM[i].R, v.data() + m.v);
    const Motion& above = V_WM[parent];
    V_WM[i].angular = above.angular + joint.angular;
    V_WM[i].linear = above.linear + above.angular.cross(X_WM[i].p - X_WM[parent].p) + joint.linear;
  }
  Access::set_velocities(workspace);
}

Motion compute_velocity(const Scene& scene, const Workspace& workspace, BodyId body) {
  const std::vector<Motion>& V_WM = workspace.V_WM();
  if (!body.valid()) return {};
  const Body& b = scene.body(body);
  const auto mover = static_cast<std::size_t>(b.mover);
  const Motion& V = V_WM[mover];
  return {V.linear + V.angular.cross(workspace.X_WM()[mover].R * b.X_MB.p), V.angular};
}

Vec3 compute_com(const Scene& scene, const Workspace& workspace, ActorId actor) {
  const std::vector<Pose>& X_WM = workspace.X_WM();
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for_each_mass(scene, actor, [&](std::size_t mover, double m, const Vec3& com) {
    mass += m;
    moment += m * (X_WM[mover] * com);
  });
  return mass > 0 ? Vec3(moment / mass) : Vec3(Vec3::Zero());
}

void compute_com_jacobian(const Scene& scene, Workspace& workspace, Eigen::Ref<Mat3X> J,
                          ActorId actor) {
  const Mat6X& columns = workspace.columns();
  const std::vector<Pose>& X_WM = workspace.X_WM();
  internal::require_size("columns of J", J.cols(), scene.nv());
  const std::vector<Mover>& movers = scene.movers();
  std::vector<double>& mass = Access::subtree_mass(workspace);
  std::vector<Vec3>& moment = Access::subtree_moment(workspace);
  std::fill(mass.begin(), mass.end(), 0.0);
  std::fill(moment.begin(), moment.end(), Vec3::Zero());
  for_each_mass(scene, actor, [&](std::size_t mover, double m, const Vec3& com) {
    mass[mover] += m;
    moment[mover] += m * (X_WM[mover] * com);
  });
  // Children come after their parents: one pass backwards sums the subtrees.
  for (std::size_t i = movers.size() - 1; i > 0; --i) {
    mass[static_cast<std::size_t>(movers[i].parent)] += mass[i];
    moment[static_cast<std::size_t>(movers[i].parent)] += moment[i];
  }
  // A column moves its subtree's centre c with (linear at the origin + angular x c): the sum is
  // (m linear + angular x m c) / total.
  const double total = mass[0];
  J.setZero();
  if (total <= 0) return;
  for (std::size_t i = 1; i < movers.size(); ++i) {
    for (int j = movers[i].v; j < movers[i].v + movers[i].nv; ++j) {
      const auto column = columns.col(j);
      const Vec3 angular = column.tail<3>();
      J.col(j) = (mass[i] * column.head<3>() + angular.cross(moment[i])) / total;
    }
  }
}

}  // namespace geste
