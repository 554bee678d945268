#include <fmt/format.h>

#include <algorithm>

#include "geste/formats/bvh.hpp"
#include "geste/formats/c3d.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

std::string channel_letters(const BvhJoint& joint) {
  static constexpr const char* kNames[] = {"Tx", "Ty", "Tz", "Rx", "Ry", "Rz"};
  std::string names;
  for (BvhChannel c : joint.channels)
    names += (names.empty() ? "" : " ") + std::string(kNames[static_cast<int>(c)]);
  return names;
}

void add_c3d_facts(const C3dFile& c3d, Facts& facts) {
  facts["processor"] = to_string(c3d.processor);
  facts["storage"] = to_string(c3d.storage);
  facts["points"] = c3d.point_labels.size();
  facts["frames"] = c3d.frames;
  facts["first_frame"] = c3d.first_frame;
  facts["rate_hz"] = c3d.rate;
  if (c3d.rate > 0) facts["duration_s"] = std::max(0, c3d.frames - 1) / c3d.rate;
  facts["unit"] = c3d.point_units;
  const Result<double> metres = metres_per_unit(c3d);
  facts["metres_per_unit"] = metres ? Facts(*metres) : Facts(nullptr);
  AxisBox box;
  std::vector<int> seen(c3d.point_labels.size(), 0);
  int invalid = 0;
  for (std::size_t i = 0; i < c3d.points.size(); ++i) {
    if (!c3d.points[i].valid()) {
      ++invalid;
      continue;
    }
    box.add(c3d.points[i].p);
    ++seen[i % seen.size()];
  }
  facts["invalid_point_samples"] = invalid;
  facts["box"] = box_to_facts(box);
  facts["analog_channels"] = c3d.channels.size();
  facts["analog_samples_per_frame"] = c3d.samples_per_frame;
  facts["parameter_groups"] = c3d.groups.size();
  facts["events"] = c3d.events.size();
  Facts points = Facts::array();
  for (std::size_t i = 0; i < seen.size(); ++i)
    points.push_back({{"point", c3d.point_labels[i]}, {"frames_seen", seen[i]}});
  facts["point_list"] = std::move(points);
  Facts channels = Facts::array();
  for (const C3dChannel& c : c3d.channels)
    channels.push_back({{"channel", c.label}, {"unit", c.unit}});
  facts["channel_list"] = std::move(channels);
  Notes notes = c3d.notes;
  if (!metres) notes.push_back(metres.error());
  facts["notes"] = notes_to_facts(notes);
}

}  // namespace

Result<Facts> load_bvh_facts(const std::filesystem::path& path, const InfoOptions&) {
  const Result<BvhFile> bvh = load_bvh(path);
  if (!bvh) return bvh.error();
  const BvhScale scale = guess_bvh_scale(*bvh);
  Facts facts = {{"file", path.string()},
                 {"format", "BVH"},
                 {"joints", bvh->joints.size()},
                 {"channels", bvh->channels},
                 {"frames", bvh->frames},
                 {"frame_time_s", bvh->frame_time},
                 {"duration_s", bvh->frame_time * std::max(0, bvh->frames - 1)},
                 {"unit", "unstated"},
                 {"guessed_metres_per_unit", scale.metres_per_unit}};
  Result<Scene> scene =
      Scene::compile(make_bvh_scene(*bvh, {.metres_per_unit = scale.metres_per_unit}));
  if (!scene) return scene.error();
  facts["degrees_of_freedom"] = scene->nv();
  std::vector<Pose> rest;
  compute_bvh_rest_pose(*bvh, rest);
  AxisBox box;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    box.add(rest[i].p);
    for (const Vec3& tip : bvh->joints[i].end_sites) box.add(rest[i] * tip);
  }
  facts["rest_box"] = box_to_facts(box);
  Facts table = Facts::array();
  for (const BvhJoint& j : bvh->joints) {
    table.push_back(
        {{"joint", j.name},
         {"parent", j.parent < 0 ? Facts(nullptr)
                                 : Facts(bvh->joints[static_cast<std::size_t>(j.parent)].name)},
         {"channels", channel_letters(j)},
         {"offset", {j.offset.x(), j.offset.y(), j.offset.z()}}});
  }
  facts["joint_list"] = std::move(table);
  Notes notes = bvh->notes;
  notes.push_back(scale.note);
  facts["notes"] = notes_to_facts(notes);
  return facts;
}

Result<Facts> load_c3d_facts(const std::filesystem::path& path, const InfoOptions&) {
  const Result<C3dFile> c3d = load_c3d(path);
  if (!c3d) return c3d.error();
  Facts facts = {{"file", path.string()}, {"format", "C3D"}};
  add_c3d_facts(*c3d, facts);
  return facts;
}

}  // namespace geste::internal
