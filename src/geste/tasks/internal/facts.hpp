#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"
#include "geste/model/collision_spec.hpp"
#include "geste/model/scene.hpp"
#include "geste/tasks/info.hpp"

namespace geste::internal {

/// Facts in the order in which people read them. Arrays of objects become tables.
using Facts = nlohmann::ordered_json;

Facts notes_to_facts(const Notes& notes);
Facts box_to_facts(const AxisBox& box);

/// facts_scene.cpp
void add_scene_facts(const Scene& scene, const VecX& q, Facts& facts);
/// Poses in the world of the bodies that `options` names, with its joints laid over q.
Result<void> add_pose_facts(const Scene& scene, VecX q, const InfoOptions& options, Facts& facts);
Result<Facts> load_urdf_facts(const std::filesystem::path& path, const InfoOptions& options);
Result<Facts> load_srdf_facts(const std::filesystem::path& path, const InfoOptions& options);
Result<Facts> load_task_facts(const std::filesystem::path& path, const InfoOptions& options);

/// facts_speed.cpp: how many random motions of an arm the fast stages of collision checking decide,
/// and which pairs they leave to the exact one.
void add_speed_facts(const Scene& scene, const CollisionSpec& collision, const VecX& q,
                     Facts& facts);

/// facts_asset.cpp
Result<Facts> load_asset_facts(const std::filesystem::path& path, const InfoOptions& options);
Result<Facts> load_step_facts(const std::filesystem::path& path, const InfoOptions& options);

/// facts_capture.cpp
Result<Facts> load_bvh_facts(const std::filesystem::path& path, const InfoOptions& options);
Result<Facts> load_c3d_facts(const std::filesystem::path& path, const InfoOptions& options);

/// facts_roadmap.cpp
Result<Facts> load_roadmap_facts(const std::filesystem::path& path, const InfoOptions& options);

/// "key: value" lines, tables with aligned columns, at most `rows` rows of each.
std::string render_facts(const Facts& facts, std::size_t rows);

}  // namespace geste::internal
