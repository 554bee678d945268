#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

// The semantic description that accompanies a URDF (SRDF, wiki.ros.org/srdf), as written: names are
// not looked up until it is applied to a robot.

/// All joints on the way from one link to another.
struct SrdfChain {
  std::string base_link;
  std::string tip_link;
  Source source;
};

/// A name, and where it stands.
struct SrdfName {
  std::string name;
  Source source;
};

struct SrdfGroup {
  std::string name;
  std::vector<SrdfName> joints;
  std::vector<SrdfName> links;  ///< each stands for the joint above it
  std::vector<SrdfChain> chains;
  std::vector<SrdfName> subgroups;
  Source source;
};

struct SrdfJointValue {
  std::string joint;
  std::vector<double> values;  ///< one per entry of the joint's configuration
  Source source;
};

struct SrdfGroupState {
  std::string name;
  std::string group;
  std::vector<SrdfJointValue> joints;
  Source source;
};

struct SrdfDisabledPair {
  std::string link1;
  std::string link2;
  std::string reason;
  Source source;
};

struct SrdfEndEffector {
  std::string name;
  std::string parent_link;
  std::string group;
  std::string parent_group;  ///< may be empty
  Source source;
};

struct SrdfVirtualJoint {
  std::string name;
  std::string type;  ///< "fixed", "planar" or "floating"
  std::string parent_frame;
  std::string child_link;
  Source source;
};

struct SrdfFile {
  std::string file;
  std::string robot;
  std::vector<SrdfGroup> groups;
  std::vector<SrdfGroupState> states;
  std::vector<SrdfDisabledPair> disabled_pairs;
  std::vector<SrdfEndEffector> end_effectors;
  std::vector<SrdfVirtualJoint> virtual_joints;
  std::vector<SrdfName> passive_joints;
  Notes notes;
};

Result<SrdfFile> parse_srdf(std::string_view xml, const std::string& file_name);

/// Adds the groups, named configurations and allowed pairs to a robot read from URDF, and the
/// notes. When anything is at fault the robot stays as it was.
///
/// Groups hold joints in the order written (joints, links, chains from base to tip, subgroups),
/// each once, fixed ones included. Unknown names are faults, save in disable_collisions, where they
/// are notes: a reduced robot keeps its full SRDF, and a pair that is not there cannot collide.
/// Values of fixed and following joints are left out of configurations with a note. End effectors,
/// virtual joints and passive joints are checked and stay in the SrdfFile.
Result<void> apply_srdf(const SrdfFile& srdf, SceneSpec& robot);
Result<void> apply_srdf(std::string_view xml, const std::string& file_name, SceneSpec& robot);
Result<void> load_srdf(const std::filesystem::path& path, SceneSpec& robot);

}  // namespace geste
