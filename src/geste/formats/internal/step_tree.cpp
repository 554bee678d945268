#include "geste/formats/internal/step_tree.hpp"

#include <Quantity_ColorRGBA.hxx>
#include <TCollection_AsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TopLoc_Location.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/step_text.hpp"

namespace geste {
namespace {

constexpr std::size_t kMostPlaces = 1'000'000;
/// Deeper trees come from assemblies that contain themselves.
constexpr int kDeepestTree = 100;

std::string read_name(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return "";
  return clean_name(decode_step_string(TCollection_AsciiString(name->Get()).ToCString()), "");
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class TreeWalk {
 public:
  TreeWalk(const Handle(TDocStd_Document) & document, const std::string& file_name)
      : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
        colours_(XCAFDoc_DocumentTool::ColorTool(document->Main())),
        file_name_(file_name) {}

  Result<StepTree> run() {
    Node root;
    root.name = std::filesystem::path(file_name_).stem().string();
    TDF_LabelSequence labels;
    shapes_->GetFreeShapes(labels);
    for (const TDF_Label& label : labels) {
      if (!visit(label, root, 0)) return explain_too_many();
    }
    return std::move(tree_);
  }

 private:
  /// What is known on the way down.
  struct Node {
    std::string path;
    std::string name;  ///< the nearest telling one so far
    TopLoc_Location location;
    std::optional<Colour> colour;
    int assembly = -1;
  };

  /// A label is an assembly, a part, or a reference that places one of the two.
  bool visit(const TDF_Label& label, const Node& above, int depth) {
    if (depth > kDeepestTree) return false;
    if (!XCAFDoc_ShapeTool::IsReference(label)) return visit_product(label, above, depth);
    const std::string own = read_name(label);
    TDF_Label product;
    if (!XCAFDoc_ShapeTool::GetReferredShape(label, product)) return true;
    Node node = above;
    append_path(node.path, own);
    node.location = above.location * XCAFDoc_ShapeTool::GetLocation(label);
    if (const auto colour = read_colour(label)) node.colour = colour;
    instance_name_ = own;
    return visit_product(product, node, depth);
  }

  bool visit_product(const TDF_Label& label, const Node& above, int depth) {
    const std::string own = read_name(label);
    const std::string instance = std::exchange(instance_name_, "");
    const std::string& telling_product = is_telling_name(own) ? own : above.name;
    const std::string& telling_instance = is_telling_name(instance) ? instance : telling_product;
    Node node = above;
    append_path(node.path, own);
    if (!XCAFDoc_ShapeTool::IsAssembly(label)) {
      return add_place(label, node, own, telling_instance, telling_product);
    }
    node.name = telling_instance;
    node.assembly = add_assembly(is_telling_name(instance) ? instance : own, above.assembly);
    if (!node.colour) node.colour = read_colour(label);
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(label, components);
    for (const TDF_Label& component : components) {
      if (!visit(component, node, depth + 1)) return false;
    }
    return true;
  }

  /// Its own name, where it has a telling one; not that of the assembly above.
  int add_assembly(const std::string& name, int parent) {
    tree_.assemblies.push_back({is_telling_name(name) ? name : "assembly", parent});
    return static_cast<int>(tree_.assemblies.size()) - 1;
  }

  bool add_place(const TDF_Label& label, const Node& node, const std::string& own,
                 const std::string& name, const std::string& mesh_name) {
    if (tree_.places.size() == kMostPlaces) return false;
    StepPlace place;
    place.part = label;
    place.path = node.path;
    place.part_name = own.empty() ? "unnamed" : own;
    place.name = name;
    place.mesh_name = mesh_name;
    place.X_WP = node.location.Transformation();
    place.colour = node.colour;
    if (!place.colour) place.colour = read_colour(label);
    if (!place.colour) place.colour = read_common_face_colour(label);
    place.assembly = node.assembly;
    tree_.places.push_back(std::move(place));
    return true;
  }

  static void append_path(std::string& path, const std::string& name) {
    if (!path.empty()) path += '/';
    path += name.empty() ? "unnamed" : name;
  }

  std::optional<Colour> read_colour(const TDF_Label& label) const {
    Quantity_ColorRGBA colour;
    for (const XCAFDoc_ColorType kind : {XCAFDoc_ColorSurf, XCAFDoc_ColorGen}) {
      if (!colours_->GetColor(label, kind, colour)) continue;
      const Quantity_Color& rgb = colour.GetRGB();
      return Colour{rgb.Red(), rgb.Green(), rgb.Blue(), double(colour.Alpha())};
    }
    return std::nullopt;
  }

  /// Some programs colour every face and not the part.
  std::optional<Colour> read_common_face_colour(const TDF_Label& label) const {
    TDF_LabelSequence faces;
    XCAFDoc_ShapeTool::GetSubShapes(label, faces);
    std::optional<Colour> common;
    for (const TDF_Label& face : faces) {
      const auto colour = read_colour(face);
      if (!colour) continue;
      const auto as_tuple = [](const Colour& c) { return std::array{c.r, c.g, c.b, c.a}; };
      if (common && as_tuple(*common) != as_tuple(*colour)) return std::nullopt;
      common = colour;
    }
    return common;
  }

  [[nodiscard]] Diagnostic explain_too_many() const {
    Diagnostic fault;
    fault.code = "step.too_many_instances";
    fault.file = file_name_;
    fault.message =
        fmt::format("the assembly places more than {} parts or is nested more than {} levels deep",
                    kMostPlaces, kDeepestTree);
    fault.remedy = "export a part of the assembly, or look for an assembly that contains itself";
    return fault;
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colours_;
  const std::string& file_name_;
  std::string instance_name_;  ///< of the reference just followed
  StepTree tree_;
};

}  // namespace

bool is_telling_name(std::string_view name) {
  constexpr std::array<std::string_view, 10> kKinds = {
      "SOLID", "COMPOUND", "COMPSOLID", "SHELL",    "FACE",
      "WIRE",  "EDGE",     "VERTEX",    "ASSEMBLY", "unnamed"};
  if (std::find(kKinds.begin(), kKinds.end(), name) != kKinds.end()) return false;
  if (name.rfind("=>[", 0) == 0) return false;
  for (const std::string_view prefix : {"NAUO", "instance id ", "Instance ", ""}) {
    if (name.rfind(prefix, 0) == 0 && all_digits(name.substr(prefix.size()))) return false;
  }
  return true;
}

Result<StepTree> list_places(const Handle(TDocStd_Document) & document,
                             const std::string& file_name) {
  return TreeWalk(document, file_name).run();
}

}  // namespace geste
