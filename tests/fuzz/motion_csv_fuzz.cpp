#include "geste/formats/motion_csv.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/configuration.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

/// One joint of each kind of column: plain, universal, planar, spherical, free.
const Scene& scene() {
  static const Scene compiled = *Scene::compile(*parse_urdf(R"(<robot name="r">
    <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/><link name="f"/>
    <joint name="turn" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="bend" type="universal"><parent link="b"/><child link="c"/></joint>
    <joint name="slide" type="planar"><parent link="c"/><child link="d"/></joint>
    <joint name="ball" type="spherical"><parent link="d"/><child link="e"/></joint>
    <joint name="fly" type="floating"><parent link="e"/><child link="f"/></joint>
    </robot>)",
                                                            "robot.urdf"));
  return compiled;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const VecX q0 = make_neutral(scene());
  const auto motion = parse_motion_csv(fuzz::as_text(data, size), "fuzz.csv", scene(), q0);
  if (!motion) return fuzz::require_telling(motion.error()), 0;
  fuzz::require(motion->q.rows() == scene().nq(), "one row per entry of q");
  fuzz::require(motion->q.cols() == static_cast<Eigen::Index>(motion->times.size()),
                "one column per moment");
  fuzz::require(motion->q.allFinite(), "values are finite");

  // What was written reads back; quaternions are normalised once more on the way.
  const auto again = parse_motion_csv(write_motion_csv(scene(), *motion), "again.csv", scene(), q0);
  fuzz::require(again.has_value(), "geste reads what it writes");
  fuzz::require(again->times == motion->times, "times read back as they were");
  const MatX error = (again->q - motion->q).cwiseAbs();
  fuzz::require(error.size() == 0 || error.maxCoeff() < 1e-12, "values read back as they were");
  return 0;
}
