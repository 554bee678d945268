#include <fmt/format.h>

#include "geste/formats/load_asset.hpp"
#include "geste/formats/result_files.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

const char* up_name(UpAxis up) {
  switch (up) {
    case UpAxis::x:
      return "x";
    case UpAxis::y:
      return "y";
    case UpAxis::z:
      return "z";
    case UpAxis::unstated:
      break;
  }
  return "unstated";
}

/// Triangles of the mesh as the file has them, before hygiene dropped any.
std::size_t triangles_in_file(const AssetMesh& mesh) {
  return mesh.mesh->triangles.size() + mesh.report.degenerate_triangles +
         mesh.report.duplicate_triangles;
}

Facts triangles_to_facts(const Asset& asset) {
  std::size_t distinct = 0, instanced = 0;
  for (const AssetMesh& mesh : asset.meshes) distinct += triangles_in_file(mesh);
  for (const AssetInstance& i : asset.instances)
    instanced += triangles_in_file(asset.meshes[static_cast<std::size_t>(i.mesh)]);
  return {{"distinct_in_file", distinct},
          {"instanced_in_file", instanced},
          {"distinct_after_hygiene", count_distinct_triangles(asset)},
          {"instanced_after_hygiene", count_instanced_triangles(asset)}};
}

Facts meshes_to_facts(const Asset& asset) {
  std::vector<std::size_t> uses(asset.meshes.size(), 0);
  for (const AssetInstance& i : asset.instances) ++uses[static_cast<std::size_t>(i.mesh)];
  Facts table = Facts::array();
  for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
    const AssetMesh& m = asset.meshes[i];
    table.push_back({{"name", m.name},
                     {"instances", uses[i]},
                     {"triangles", m.mesh->triangles.size()},
                     {"closed", m.report.closed},
                     {"hygiene", m.report.to_text()}});
  }
  return table;
}

Facts index_or_null(int index) { return index < 0 ? Facts(nullptr) : Facts(index); }

Facts parts_to_facts(const Asset& asset) {
  Facts table = Facts::array();
  for (const AssetInstance& i : asset.instances) {
    table.push_back({{"name", i.name},
                     {"mesh", asset.meshes[static_cast<std::size_t>(i.mesh)].name},
                     {"path", i.path},
                     {"assembly", index_or_null(i.assembly)}});
  }
  return table;
}

/// A list with parents first, not nested: files can be as deep as they like.
Facts assemblies_to_facts(const Asset& asset) {
  std::vector<std::size_t> parts(asset.assemblies.size(), 0);
  for (const AssetInstance& i : asset.instances)
    if (i.assembly >= 0) ++parts[static_cast<std::size_t>(i.assembly)];
  for (std::size_t a = parts.size(); a-- > 0;) {
    const int parent = asset.assemblies[a].parent;
    if (parent >= 0) parts[static_cast<std::size_t>(parent)] += parts[a];
  }
  Facts table = Facts::array();
  for (std::size_t a = 0; a < parts.size(); ++a) {
    const AssetAssembly& assembly = asset.assemblies[a];
    table.push_back(
        {{"name", assembly.name}, {"parent", index_or_null(assembly.parent)}, {"parts", parts[a]}});
  }
  return table;
}

void add_asset_facts(const Asset& asset, Facts& facts) {
  const AxisBox box = compute_box(asset);
  facts["unit"] = asset.unit;
  facts["metres_per_unit"] = asset.metres_per_unit;
  facts["up_axis"] = up_name(asset.up);
  facts["parts"] = asset.instances.size();
  facts["distinct_meshes"] = asset.meshes.size();
  facts["triangles"] = triangles_to_facts(asset);
  facts["box"] = box_to_facts(box);
  facts["size_in_metres"] = {box.size().x() * asset.metres_per_unit,
                             box.size().y() * asset.metres_per_unit,
                             box.size().z() * asset.metres_per_unit};
  double area = 0, volume = 0;
  bool closed = !asset.instances.empty();
  for (const AssetInstance& i : asset.instances) {
    const AssetMesh& m = asset.meshes[static_cast<std::size_t>(i.mesh)];
    const TriangleMesh placed = transformed(*m.mesh, i.A, i.t);
    area += compute_area(placed);
    volume += compute_volume(placed);
    closed = closed && m.report.closed;
  }
  const double metres = asset.metres_per_unit;
  facts["surface_area_m2"] = area * metres * metres;
  if (closed) facts["enclosed_volume_m3"] = volume * metres * metres * metres;
  facts["all_closed"] = closed;
  facts["meshes"] = meshes_to_facts(asset);
  if (asset.instances.size() > 1) {
    facts["assemblies"] = assemblies_to_facts(asset);
    facts["instances"] = parts_to_facts(asset);
  }
  Notes notes = asset.notes;
  if (auto doubt = find_unit_doubt(asset)) notes.push_back(std::move(*doubt));
  facts["notes"] = notes_to_facts(notes);
}

}  // namespace

Facts notes_to_facts(const Notes& notes) {
  Facts list = Facts::array();
  for (const Note& n : notes) list.push_back(Facts::parse(make_diagnostic_json(n)));
  return list;
}

Facts box_to_facts(const AxisBox& box) {
  if (box.empty()) return nullptr;
  return {{"min", {box.min.x(), box.min.y(), box.min.z()}},
          {"max", {box.max.x(), box.max.y(), box.max.z()}},
          {"size", {box.size().x(), box.size().y(), box.size().z()}}};
}

Result<Facts> load_asset_facts(const std::filesystem::path& path, const InfoOptions&) {
  const Result<Asset> asset = load_asset(path);
  if (!asset) return asset.error();
  Facts facts = {{"file", path.string()}, {"format", asset->format}};
  add_asset_facts(*asset, facts);
  return facts;
}

Result<Facts> load_step_facts(const std::filesystem::path& path, const InfoOptions& options) {
  StepOptions reading;
  reading.linear_deflection = options.step_deflection;
  const Result<StepFile> step = load_step(path, reading);
  if (!step) return step.error();
  Facts facts = {{"file", path.string()},
                 {"format", "STEP"},
                 {"schema", step->schema},
                 {"declared_length_units", step->length_units},
                 {"deflection_m", options.step_deflection},
                 {"solids", step->solids.size()},
                 {"sheets", step->sheets.size()}};
  double volume = 0, area = 0;
  int faces = 0;
  Facts solids = Facts::array();
  for (const StepSolid& s : step->solids) {
    volume += s.volume;
    area += s.area;
    faces += s.faces;
    solids.push_back({{"part", s.part},
                      {"volume_mm3", s.volume},
                      {"area_mm2", s.area},
                      {"faces", s.faces},
                      {"path", s.path}});
  }
  facts["faces"] = faces;
  facts["exact_volume_mm3"] = volume;
  facts["exact_area_mm2"] = area;
  add_asset_facts(step->asset, facts);
  facts["solid_list"] = std::move(solids);
  return facts;
}

}  // namespace geste::internal
