#include "checks.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::fuzz {
namespace {

constexpr std::size_t kSmall = 100;  ///< bodies; larger scenes are compiled only
constexpr std::size_t kMostFaults = 1000;

void require_telling(const Diagnostic& d) {
  require(!d.code.empty() && !d.message.empty(), "a fault or note has a code and a message");
  require(d.line >= 0 && d.column >= 0, "lines and columns count from 1");
  require(!to_text(d).empty(), "a fault or note can be printed");
}

void require_sound(const TriangleMesh& mesh) {
  for (const Vec3& p : mesh.vertices) require(p.allFinite(), "coordinates are finite");
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t i : t) require(i < mesh.vertices.size(), "indices are in range");
    require(t[0] != t[1] && t[1] != t[2] && t[2] != t[0], "triangles have three corners");
  }
}

void require_rotation(const Mat3& R) {
  require(R.allFinite() && R.isUnitary(1e-6), "rotations are rotations");
}

void require_sound(const Scene& scene) {
  for (const Joint& j : scene.joints()) {
    require_rotation(j.X_PJ.R);
    require(std::abs(j.axis.norm() - 1) < 1e-6, "axes have length 1");
    require(static_cast<int>(j.limits.size()) == j.nv, "every degree of freedom has limits");
  }
  for (const Geometry& g : scene.geometry()) require_rotation(g.X_BG.R);
  if (scene.bodies().size() > kSmall) return;
  VecX q = make_neutral(scene);
  require(q.size() == scene.nq(), "a configuration has nq entries");
  Workspace workspace(scene);
  const bool closed = compute_dependents(scene, q, workspace);
  compute_kinematics(scene, q, workspace);
  compute_joint_columns(scene, workspace);
  // Formulas and factors of followers may lead anywhere.
  if (!closed || !scene.followers().empty()) return;
  require(is_within_limits(scene, make_neutral(scene)), "neutral is within the limits");
  for (const Pose& X : workspace.X_WM()) require_rotation(X.R);
}

}  // namespace

void require(bool holds, std::string_view promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

void require_telling(const Error& error) {
  require_telling(static_cast<const Diagnostic&>(error));
  for (const Diagnostic& d : error.also) require_telling(d);
  require(error.also.size() < kMostFaults, "a file broken a million times draws a short message");
  require(!to_text(error).empty(), "an error can be printed");
}

void require_telling(const Notes& notes) {
  for (const Note& note : notes) require_telling(note);
}

void require_sound(const Asset& asset) {
  for (const AssetMesh& m : asset.meshes) {
    require(m.mesh != nullptr, "meshes are there");
    require_sound(*m.mesh);
    require(!m.report.to_text().empty(), "the report can be printed");
  }
  std::set<std::string> names;
  for (const AssetInstance& i : asset.instances) {
    require(i.mesh >= 0 && i.mesh < static_cast<int>(asset.meshes.size()), "instances have a mesh");
    require(i.A.allFinite() && i.t.allFinite(), "places are finite");
    require(names.insert(i.name).second, "names of instances are unique");
  }
  require(std::isfinite(asset.metres_per_unit) && asset.metres_per_unit > 0, "units have a length");
  const AxisBox box = compute_box(asset);
  require(count_instanced_triangles(asset) == 0 || !box.empty(), "triangles fill a box");
  if (const auto doubt = find_unit_doubt(asset)) require_telling(*doubt);
}

void require_sound(SceneSpec spec) {
  const Result<Scene> scene = Scene::compile(std::move(spec));
  if (!scene) return require_telling(scene.error());
  require_sound(*scene);
}

}  // namespace geste::fuzz
