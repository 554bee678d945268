#include "geste/formats/internal/dae_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace geste {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kMostHeight = 1000, kFreeNodes = 100'000, kBytesPerNode = 8;

class NodeChecker {
 public:
  NodeChecker(const XMLElement& root, std::size_t file_bytes, DaeLog& log)
      : log_(log), most_nodes_(std::max(kFreeNodes, file_bytes / kBytesPerNode)) {
    collect(root);
    std::size_t nodes = 0;
    for (const XMLElement* library = root.FirstChildElement("library_visual_scenes"); library;
         library = library->NextSiblingElement("library_visual_scenes")) {
      nodes += measure(*library, 0).nodes;
      if (!log_.ok()) return;
    }
    if (nodes > most_nodes_) {
      log_.fault("dae.too_large", root,
                 "instanced nodes unfold to more nodes than the file's size can justify",
                 "export the scene with its nodes written out");
    }
  }

 private:
  /// A node and all below it, unfolded.
  struct Measure {
    std::size_t nodes = 0, height = 0;
    bool open = false;
  };

  void collect(const XMLElement& e) {
    if (std::string_view(e.Name()) == "node") {
      for (const char* key : {"id", "name"}) {
        const std::string_view value = dae_attribute(e, key);
        if (!value.empty()) targets_.emplace(value, &e);
      }
    }
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) collect(*c);
  }

  Measure measure(const XMLElement& e, std::size_t depth) {
    if (!log_.ok()) return {};
    if (depth > kMostHeight)
      return fault(e, "dae.too_deep", "instanced nodes nest more than a thousand deep");
    Measure& known = known_[&e];
    if (known.open)
      return fault(e, "dae.cycle", "the node contains itself through <instance_node>");
    if (known.nodes > 0) return known;
    known.open = true;
    Measure sum{1, 1, false};
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      const std::string_view name = c->Name();
      if (name == "node" || name == "visual_scene") add(sum, *c, depth);
      if (name == "instance_node") add_instance(sum, *c, depth);
    }
    sum.nodes = std::min(sum.nodes, most_nodes_ + 1);
    known_[&e] = sum;
    if (sum.height > kMostHeight)
      return fault(e, "dae.too_deep", "instanced nodes nest more than a thousand deep");
    return sum;
  }

  void add(Measure& sum, const XMLElement& child, std::size_t depth) {
    const Measure below = measure(child, depth + 1);
    sum.nodes += below.nodes;
    sum.height = std::max(sum.height, below.height + 1);
  }

  void add_instance(Measure& sum, const XMLElement& instance, std::size_t depth) {
    const auto [begin, end] = targets_.equal_range(dae_target(instance, "url"));
    if (begin == end) {
      log_.fault(
          "dae.reference", instance,
          fmt::format("'{}' is no node of this file", dae_attribute(instance, "url").substr(0, 80)),
          "export the file again with all nodes in one file");
    }
    // Several nodes may carry the name; which one the importer takes does not matter here.
    for (auto it = begin; it != end; ++it) add(sum, *it->second, depth);
  }

  Measure fault(const XMLElement& e, const char* code, const char* message) {
    log_.fault(code, e, message, "export the scene with its nodes written out");
    return {};
  }

  DaeLog& log_;
  std::size_t most_nodes_;
  std::unordered_multimap<std::string, const XMLElement*> targets_;
  std::unordered_map<const XMLElement*, Measure> known_;
};

}  // namespace

void check_dae_nodes(const XMLElement& root, std::size_t file_bytes, DaeLog& log) {
  NodeChecker(root, file_bytes, log);
}

}  // namespace geste
