#pragma once

#include <filesystem>
#include <string>

#include "geste/core/budget.hpp"
#include "geste/core/result.hpp"
#include "geste/model/motion.hpp"

namespace geste {

// motion.csv: first column `time` in s, then the entries of every moving joint. A joint with one
// entry has a column of its name; the others have one column per entry: "part/root:x", ":y", ":z",
// ":qx", ":qy", ":qz",
// ":qw" (free), ":x", ":y", ":angle" (planar), ":qx".. (spherical), ":1", ":2" (universal).

/// Column names of the scene's configuration, in the order of q.
std::vector<std::string> make_column_names(const Scene& scene);

/// The shortest digits that read back as the same number. A step of the budget is a frame; empty
/// when it ended before.
std::string write_motion_csv(const Scene& scene, const JointMotion& motion,
                             const Budget& budget = {});

/// Columns may come in any order; joints without a column stay at `q0`. Quaternions are normalised.
/// The error names line and column of what is wrong: unknown name (with the nearest), missing
/// entry, number, time that does not rise.
Result<JointMotion> parse_motion_csv(std::string_view text, const std::string& file,
                                     const Scene& scene, const VecX& q0);
Result<JointMotion> load_motion_csv(const std::filesystem::path& path, const Scene& scene,
                                    const VecX& q0);

}  // namespace geste
