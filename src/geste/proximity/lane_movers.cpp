#include "geste/core/index.hpp"
#include "geste/math/so3.hpp"
#include "geste/proximity/internal/lane_builder.hpp"

namespace geste {
namespace {

using namespace internal;

void copy(const Mat3& R, std::array<float, 9>& out) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out[at(3 * r + c)] = static_cast<float>(R(r, c));
  }
}
void copy(const Vec3& p, std::array<float, 3>& out) {
  for (int k = 0; k < 3; ++k) out[at(k)] = static_cast<float>(p[k]);
}

/// Axis and sense where the vector lies along an axis; -1 where it does not.
int find_axis(const Vec3& axis, float& sense) {
  for (int k = 0; k < 3; ++k) {
    const double across = std::max(std::abs(axis[(k + 1) % 3]), std::abs(axis[(k + 2) % 3]));
    if (!(across < 1e-9)) continue;
    sense = axis[k] > 0 ? 1.0f : -1.0f;
    return k;
  }
  return -1;
}

void set_rotation(const Mat3& R, LaneMover& m) {
  copy(R, m.R0);
  m.permutes = true;
  for (int k = 0; k < 3; ++k) {
    float sign = 1;
    const int row = find_axis(R.col(k), sign);
    m.permutes = m.permutes && row >= 0;
    m.column[at(k)] = std::max(row, 0);
    m.sign[at(k)] = sign;
  }
}

LaneMover make_turn(int parent, const Mat3& R0, const Vec3& axis, const Vec3& p) {
  LaneMover m;
  m.kind = LaneMover::Kind::turn;
  m.parent = parent;
  set_rotation(R0, m);
  m.aligned = find_axis(axis, m.sense);
  const Mat3 K = so3::hat(axis);
  copy(Mat3(R0 * K), m.R1);
  copy(Mat3(R0 * K * K), m.R2);
  copy(p, m.p);
  return m;
}

}  // namespace

void add_lane_movers(const Scene& scene, LaneModel& out) {
  const std::vector<Mover>& movers = scene.movers();
  out.lane_mover.assign(movers.size(), 0);
  out.lanes.movers.resize(1);
  // Angles come first among the inputs.
  std::vector<LaneModel::Input> slides;
  std::vector<std::size_t> sliding;
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    const int parent = out.lane_mover[at(m.parent)];
    const auto add_angle = [&](LaneMover lane, int k) {
      lane.row = static_cast<int>(out.inputs.size());
      out.inputs.push_back({m.q + k, m.v + k, true});
      out.lanes.movers.push_back(lane);
    };
    if (m.carried) {
      LaneMover lane;
      lane.parent = parent;
      set_rotation(m.X_PJ.R, lane);
      copy(m.X_PJ.p, lane.p);
      out.lanes.movers.push_back(lane);
    } else if (m.type == JointType::revolute || m.type == JointType::continuous) {
      add_angle(make_turn(parent, m.X_PJ.R, m.axis, m.X_PJ.p), 0);
    } else if (m.type == JointType::universal) {
      add_angle(make_turn(parent, m.X_PJ.R, m.axis, m.X_PJ.p), 0);
      const int first = static_cast<int>(out.lanes.movers.size()) - 1;
      add_angle(make_turn(first, Mat3::Identity(), m.axis2, Vec3::Zero()), 1);
    } else if (m.type == JointType::prismatic) {
      LaneMover lane;
      lane.kind = LaneMover::Kind::slide;
      lane.parent = parent;
      lane.row = static_cast<int>(slides.size());
      set_rotation(m.X_PJ.R, lane);
      copy(m.X_PJ.p, lane.p);
      copy(m.u1, lane.u);
      sliding.push_back(out.lanes.movers.size());
      slides.push_back({m.q, m.v, false});
      out.lanes.movers.push_back(lane);
    } else {
      LaneMover lane;
      lane.kind = LaneMover::Kind::posed;
      lane.parent = parent;
      lane.row = static_cast<int>(out.posed.size());
      out.posed.push_back(static_cast<int>(i));
      out.lanes.movers.push_back(lane);
    }
    out.lane_mover[i] = static_cast<int>(out.lanes.movers.size()) - 1;
  }
  out.lanes.angles = static_cast<int>(out.inputs.size());
  for (const std::size_t k : sliding) out.lanes.movers[k].row += out.lanes.angles;
  out.inputs.insert(out.inputs.end(), slides.begin(), slides.end());
  out.lanes.inputs = static_cast<int>(out.inputs.size());
  out.lanes.posed = static_cast<int>(out.posed.size());
}

}  // namespace geste
