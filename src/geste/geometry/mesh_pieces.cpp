#include "geste/geometry/mesh_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace geste {
namespace {

/// Union-find with path halving; the lowest member is the root.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::uint32_t x, std::uint32_t y) {
    x = find(x);
    y = find(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

struct Place {
  std::uint32_t piece;
  AxisBox box;
  AxisBox around;  ///< the box with what counts as near
};

void grow(Place& place, double nearness) {
  const Vec3 reach = Vec3::Constant(nearness * place.box.size().norm());
  place.around.min = place.box.min - reach;
  place.around.max = place.box.max + reach;
}

/// Joins places that are near each other, by a sweep along x. True when any were.
bool join_near(std::vector<Place>& places, Sets& sets) {
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.around.min.x() < b.around.min.x() ||
           (a.around.min.x() == b.around.min.x() && a.piece < b.piece);
  });
  bool joined = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const AxisBox& a = places[i].around;
    for (std::size_t j = i + 1; j < places.size() && places[j].around.min.x() <= a.max.x(); ++j) {
      const AxisBox& b = places[j].around;
      if ((a.min.array() > b.max.array()).any() || (b.min.array() > a.max.array()).any()) continue;
      sets.join(places[i].piece, places[j].piece);
      joined = true;
    }
  }
  return joined;
}

/// One place for each set that is left.
std::vector<Place> merge(const std::vector<Place>& places, Sets& sets, double nearness) {
  std::vector<Place> sorted = places;
  for (Place& p : sorted) p.piece = sets.find(p.piece);
  std::sort(sorted.begin(), sorted.end(),
            [](const Place& a, const Place& b) { return a.piece < b.piece; });
  std::vector<Place> merged;
  for (const Place& p : sorted) {
    if (merged.empty() || merged.back().piece != p.piece) {
      merged.push_back(p);
    } else {
      merged.back().box.add(p.box);
    }
  }
  for (Place& p : merged) grow(p, nearness);
  return merged;
}

/// The triangles of `mesh` in `chosen`, with the vertices they need.
MeshShape extract(const TriangleMesh& mesh, const std::vector<std::uint32_t>& chosen,
                  std::vector<std::uint32_t>& new_index) {
  TriangleMesh part;
  part.deflection = mesh.deflection;
  for (const std::uint32_t t : chosen) {
    Triangle corners = mesh.triangles[t];
    for (std::uint32_t& v : corners) {
      // Pieces share no vertex, so that what another part wrote here is never read.
      if (new_index[v] == 0) {
        part.vertices.push_back(mesh.vertices[v]);
        new_index[v] = static_cast<std::uint32_t>(part.vertices.size());
      }
      v = new_index[v] - 1;
    }
    part.triangles.push_back(corners);
  }
  return std::make_shared<const TriangleMesh>(std::move(part));
}

}  // namespace

std::vector<std::uint32_t> label_pieces(const TriangleMesh& mesh) {
  Sets sets(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
  }
  std::vector<std::uint32_t> label(mesh.vertices.size());
  for (std::uint32_t v = 0; v < label.size(); ++v) label[v] = sets.find(v);
  return label;
}

std::vector<MeshShape> split_by_place(const MeshShape& mesh, double nearness) {
  if (!mesh) throw std::invalid_argument("split_by_place: there is no mesh");
  if (!(nearness >= 0)) throw std::invalid_argument("split_by_place: nearness below zero");
  const std::vector<std::uint32_t> label = label_pieces(*mesh);
  std::vector<Place> places;
  std::vector<std::uint32_t> place_of(label.size(), 0);  // by label, from 1
  for (const Triangle& t : mesh->triangles) {
    std::uint32_t& place = place_of[label[t[0]]];
    if (place == 0) {
      places.push_back({label[t[0]], {}, {}});
      place = static_cast<std::uint32_t>(places.size());
    }
    for (const std::uint32_t v : t) places[place - 1].box.add(mesh->vertices[v]);
  }
  if (places.size() < 2) return {mesh};
  for (Place& p : places) grow(p, nearness);
  Sets sets(label.size());
  while (places.size() > 1 && join_near(places, sets)) places = merge(places, sets, nearness);
  if (places.size() < 2) return {mesh};

  std::vector<std::vector<std::uint32_t>> parts;
  std::fill(place_of.begin(), place_of.end(), 0);
  for (std::uint32_t t = 0; t < mesh->triangles.size(); ++t) {
    std::uint32_t& part = place_of[sets.find(label[mesh->triangles[t][0]])];
    if (part == 0) {
      parts.emplace_back();
      part = static_cast<std::uint32_t>(parts.size());
    }
    parts[part - 1].push_back(t);
  }
  std::vector<MeshShape> result;
  std::vector<std::uint32_t> new_index(mesh->vertices.size(), 0);
  for (const auto& part : parts) result.push_back(extract(*mesh, part, new_index));
  return result;
}

}  // namespace geste
