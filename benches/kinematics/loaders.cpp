#include "kinematics/loaders.hpp"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "geste/formats/dae.hpp"
#include "geste/formats/glb_writer.hpp"
#include "geste/formats/gltf.hpp"
#include "geste/formats/obj.hpp"
#include "geste/formats/stl.hpp"

namespace geste::bench {
namespace {

TriangleMesh make_torus() { return make_mesh(Torus{1.0, 0.3}, 700); }

std::string write_stl(const TriangleMesh& mesh) {
  std::string out(84, '\0');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  std::memcpy(out.data() + 80, &count, 4);
  for (const Triangle& t : mesh.triangles) {
    float f[12] = {};
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c)
        f[3 + 3 * k + c] = static_cast<float>(mesh.vertices[t[static_cast<std::size_t>(k)]][c]);
    }
    out.append(reinterpret_cast<const char*>(f), sizeof f);
    out.append(2, '\0');
  }
  return out;
}

std::string write_ascii_stl(const TriangleMesh& mesh) {
  std::string out = "solid torus\n";
  for (const Triangle& t : mesh.triangles) {
    out += "facet normal 0 0 0\n outer loop\n";
    for (std::uint32_t i : t) {
      const Vec3& p = mesh.vertices[i];
      fmt::format_to(std::back_inserter(out), "  vertex {:.7g} {:.7g} {:.7g}\n", p.x(), p.y(),
                     p.z());
    }
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid torus\n";
}

std::string write_obj(const TriangleMesh& mesh) {
  std::string out;
  for (const Vec3& p : mesh.vertices)
    fmt::format_to(std::back_inserter(out), "v {:.7g} {:.7g} {:.7g}\n", p.x(), p.y(), p.z());
  for (const Triangle& t : mesh.triangles)
    fmt::format_to(std::back_inserter(out), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return out;
}

std::string write_glb(const TriangleMesh& mesh) {
  GlbScene scene;
  scene.bodies.push_back(
      {"torus", {{"", std::make_shared<const TriangleMesh>(mesh), Pose(), {}}}, {Pose()}});
  return make_glb(scene);
}

std::string write_dae(const TriangleMesh& mesh) {
  std::string out =
      R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g" name="torus"><mesh><source id="p"><float_array id="pa" count=")";
  out += fmt::format("{}\">", 3 * mesh.vertices.size());
  for (const Vec3& p : mesh.vertices)
    fmt::format_to(std::back_inserter(out), "{:.7g} {:.7g} {:.7g} ", p.x(), p.y(), p.z());
  out += fmt::format(
      R"(</float_array><technique_common><accessor source="#pa" count="{}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>)",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    fmt::format_to(std::back_inserter(out), "{} {} {} ", t[0], t[1], t[2]);
  return out +
         R"(</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n" name="torus"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

Result<Asset> parse_glb_alone(std::string_view bytes, const std::string& file) { return parse_glb(bytes, file); }

struct Format {
  const char* name;
  const char* hint;  ///< assimp's
  std::string (*write)(const TriangleMesh&);
  Result<Asset> (*parse)(std::string_view, const std::string&);
  const char* summary;
};

constexpr Format kFormats[] = {
    {"STL binary", "stl", write_stl, parse_stl, "stl_mtri_per_s"},
    {"STL ASCII", "stl", write_ascii_stl, parse_stl, "stl_ascii_mtri_per_s"},
    {"OBJ", "obj", write_obj, parse_obj, "obj_mtri_per_s"},
    {"GLB", "glb", write_glb, parse_glb_alone, "glb_mtri_per_s"},
    {"DAE", "dae", write_dae, parse_dae, "dae_mtri_per_s"},
};

double measure_assimp(const std::string& bytes, const Format& format) {
  return measure_median(
      [&] {
        Assimp::Importer importer;
        // The same service: equal vertices joined.
        const aiScene* scene = importer.ReadFileFromMemory(
            bytes.data(), bytes.size(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices,
            format.hint);
        if (scene == nullptr) throw std::runtime_error(importer.GetErrorString());
      },
      3, 0.01);
}

}  // namespace

void measure_loaders(Report& report) {
  const TriangleMesh mesh = make_torus();
  const auto triangles = static_cast<double>(mesh.triangles.size());
  for (const Format& format : kFormats) {
    const std::string bytes = format.write(mesh);
    const double ours = measure_median(
        [&] {
          const Result<Asset> asset = format.parse(bytes, "bench");
          if (!asset) throw std::runtime_error(to_text(asset.error()));
        },
        7, 0.01);
    const double theirs = measure_assimp(bytes, format);
    report.rows.push_back(
        {format.name,
         "load",
         "Mtri/s",
         false,
         triangles / ours / 1e6,
         {{"assimp", triangles / theirs / 1e6}},
         fmt::format("{:.0f} triangles from memory, welded; 1 thread, CPU time, median of 7",
                     triangles)});
    report.summary.emplace_back(format.summary, triangles / ours / 1e6);
  }
}

}  // namespace geste::bench
