#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "geste/core/rng.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/geometry/internal/solids.hpp"

namespace geste {

using Boxes = std::vector<AxisBox>;

AxisBox make_box(const Vec3& low, const Vec3& high);
AxisBox grown(const AxisBox& box, double margin);

/// What a kind writes its world into: parts as descriptions, built once their roundness is known.
class WorldPlan {
 public:
  /// Writes a part in world coordinates into `solids`.
  using Build = std::function<void(Solids& solids)>;

  /// The roundness that the layout counts with. 16 segments show a pipe as round and still leave
  /// the larger half of 300,000 facets to the number of parts.
  static constexpr int kUsualSegments = 16;

  WorldPlan(std::uint64_t seed, const Vec3& size, std::size_t facets)
      : rng_(seed), size_(size), facets_(facets) {}

  Rng& rng() { return rng_; }
  [[nodiscard]] const Vec3& size() const { return size_; }

  /// Where parts may be; a part that leaves it is a bug of the layout, found by the tests.
  void set_box(const AxisBox& box) { box_ = box; }
  [[nodiscard]] const AxisBox& box() const { return box_; }

  /// Adds a part that the world cannot be without. The name gets a number: "column_1".
  void add(const std::string& name, const Colour& colour, Build build);
  /// Adds a part where `claims` are still free, and claims them.
  bool try_add(const std::string& name, const Colour& colour, const Boxes& claims, Build build);
  /// Takes a place without a part.
  void claim(const AxisBox& place);
  [[nodiscard]] bool is_free(const AxisBox& place) const;
  /// Keeps a place free for machines and loads.
  void keep_free(const std::string& name, const AxisBox& place);

  /// Whether the parts so far, and `planned` facets besides, leave some for more, at the usual
  /// roundness.
  [[nodiscard]] bool wants_more(std::size_t planned = 0) const {
    return usual_facets_ + planned < facets_;
  }

  /// The parts with the roundness that comes nearest to the facets asked for from below. Nothing,
  /// when even the coarsest has more than they, or the finest clearly fewer; `possible` then holds
  /// the number that can be kept.
  std::optional<GeneratedWorld> build(std::size_t& possible) const;

 private:
  struct Part {
    std::string name;
    Colour colour;
    Build build;
  };

  [[nodiscard]] std::vector<std::size_t> count_facets(int segments) const;

  Rng rng_;
  Vec3 size_;
  AxisBox box_;
  std::size_t facets_;
  std::size_t usual_facets_ = 0;
  std::vector<Part> parts_;
  std::unordered_map<std::string, int> numbers_;
  std::vector<FreeSpace> free_;
  Boxes claims_;
  /// Claims by cell of a horizontal grid; a box is in every cell it touches.
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells_;
};

void lay_out_plant(WorldPlan& plan);
void lay_out_engine_room(WorldPlan& plan);
void lay_out_office(WorldPlan& plan);
void lay_out_station(WorldPlan& plan);

}  // namespace geste
