#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

/// Two fingers on an arm: every kind of joint that a group or state can name.
const SceneSpec& robot() {
  static const SceneSpec spec = *parse_urdf(R"(<robot name="r">
    <link name="base"/><link name="l1"/><link name="l2"/><link name="hand"/>
    <link name="f1"/><link name="f2"/><link name="ball"/>
    <joint name="j1" type="revolute"><parent link="base"/><child link="l1"/>
      <axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
    <joint name="j2" type="continuous"><parent link="l1"/><child link="l2"/></joint>
    <joint name="j3" type="fixed"><parent link="l2"/><child link="hand"/></joint>
    <joint name="g1" type="prismatic"><parent link="hand"/><child link="f1"/>
      <limit lower="0" upper="0.04" velocity="1" effort="1"/></joint>
    <joint name="g2" type="prismatic"><parent link="hand"/><child link="f2"/>
      <limit lower="0" upper="0.04" velocity="1" effort="1"/><mimic joint="g1"/></joint>
    <joint name="j4" type="floating"><parent link="base"/><child link="ball"/></joint>
    </robot>)",
                                            "robot.urdf");
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<SrdfFile> srdf = parse_srdf(fuzz::as_text(data, size), "fuzz.srdf");
  if (!srdf) return fuzz::require_telling(srdf.error()), 0;
  fuzz::require_telling(srdf->notes);
  SceneSpec applied = robot();
  if (const Result<void> done = apply_srdf(*srdf, applied); !done) {
    fuzz::require_telling(done.error());
    fuzz::require(applied.groups.empty() && applied.configurations.empty() &&
                      applied.allowed_pairs.empty() && applied.notes.size() == robot().notes.size(),
                  "a faulty SRDF leaves the robot as it was");
  }
  fuzz::require_sound(std::move(applied));
  return 0;
}
