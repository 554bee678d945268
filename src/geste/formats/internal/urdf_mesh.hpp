#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "geste/formats/internal/xml_reader.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/formats/urdf.hpp"

namespace geste {

/// The default of UrdfOptions::load_mesh: any mesh file that geste reads, all its instances joined
/// into one surface in metres. A stated unit is applied; a stated up axis is not, as in ROS.
Result<UrdfMesh> load_urdf_mesh(const std::filesystem::path& path, Notes& notes);

/// The meshes of one robot. Each file is read once, each (file, scale) is one shared surface, and
/// a file that cannot be had is reported once.
class UrdfMeshStore {
 public:
  UrdfMeshStore(const std::string& urdf_file, const UrdfOptions& options, XmlReader& xml);

  /// The mesh that `element` (<mesh filename= scale=>) names. Nothing after a fault, and where
  /// the options leave meshes out.
  std::optional<UrdfMesh> find(const XmlElement& element, bool visual, const std::string& who);

  /// How many mesh elements the options left out.
  [[nodiscard]] int left_out() const { return left_out_; }
  /// What the mesh readers said.
  Notes take_notes() { return std::move(notes_); }

 private:
  using Scale = std::array<double, 3>;

  std::optional<UrdfMesh> make_scaled(UrdfMesh mesh, const Vec3& scale, const XmlElement& element,
                                      const std::string& who);
  const UrdfMesh* load(const std::string& name, int line, const std::string& who);
  const UrdfMesh* load_resolved(const std::filesystem::path& path, const std::string& name,
                                int line, const std::string& who);
  void fault_missing(const std::string& name, const FileSearch& search, int line,
                     const std::string& who);

  std::filesystem::path folder_;
  const UrdfOptions& options_;
  XmlReader& xml_;
  std::map<std::string, std::optional<std::filesystem::path>> paths_;
  std::map<std::string, std::string>
      missing_packages_;  ///< and the remedy told with the first mesh
  std::map<std::filesystem::path, std::optional<UrdfMesh>> files_;
  std::map<std::pair<const UrdfMesh*, Scale>, std::optional<UrdfMesh>> scaled_;
  Notes notes_;
  int left_out_ = 0;
};

}  // namespace geste
