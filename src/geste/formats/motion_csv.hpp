#pragma once

#include <filesystem>
#include <string>

#include "geste/core/budget.hpp"
#include "geste/core/result.hpp"
#include "geste/model/motion.hpp"

namespace geste {

// motion.csv: first column `time [s]`, then the entries of every moving joint, each with its unit.
// A joint with one entry has a column of its name ("arm/joint1 [rad]"); the others have one column
// per entry: ":x", ":y", ":angle" (planar), ":qx", ":qy", ":qz", ":qw" (spherical), ":1", ":2"
// (universal). A free body has its pose in the world: "crate:pose.x [m]", ".y", ".z", ".qx", ".qy",
// ".qz", ".qw" (quaternion, w last).
//
// Read are also files without units, which are in SI, with other units ("[deg]", "[mm]", "[ms]"),
// and with the entries of a free joint ("crate/root:x", ...), which tell where the body is from
// where the scene has it.

/// The shortest digits that read back as the same number. A step of the budget is a frame; empty
/// when it ended before.
std::string write_motion_csv(const Scene& scene, const JointMotion& motion,
                             const Budget& budget = {});

/// The same motion every `step` seconds, its end held in the last row: for controllers and
/// spreadsheets. What was proven is the motion of motion.csv.
std::string write_even_csv(const Scene& scene, const JointMotion& motion, double step,
                           const Budget& budget = {});

/// Columns may come in any order; joints without a column stay at `q0`. Quaternions are normalised.
/// The error names line and column of what is wrong: unknown name (with the nearest), unit,
/// missing entry, number, time that does not rise.
Result<JointMotion> parse_motion_csv(std::string_view text, const std::string& file,
                                     const Scene& scene, const VecX& q0);
Result<JointMotion> load_motion_csv(const std::filesystem::path& path, const Scene& scene,
                                    const VecX& q0);

}  // namespace geste
