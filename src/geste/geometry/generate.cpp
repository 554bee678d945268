#include "geste/geometry/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "geste/geometry/internal/world_plan.hpp"

namespace geste {
namespace {

constexpr double kLargestSize = 400;             // m
constexpr std::size_t kMostFacets = 10'000'000;  // about 1 GB of memory with the copies of a scene

/// New kinds: a file with a layout, and a line here.
const std::array<WorldKind, 4> kKinds{{
    {"plant",
     "chemical plant: steel frame with floors and handrails, pipe rack, piping, tanks and columns; "
     "free: 'yard' in front, 'shaft' down through the frame",
     300'000, Vec3(40, 30, 18), Vec3(28, 24, 10), lay_out_plant},
    {"engine_room",
     "turbine hall over a lower floor: machine train, pumps, ducts, piping, girders for "
     "models/travelling_crane; free: 'hatch' between the floors, 'crane' under the girders' top",
     120'000, Vec3(32, 18, 12), Vec3(24, 14, 10), lay_out_engine_room},
    {"office",
     "office floor: rooms with doors, desks with chairs and screens, cabinets, plants; free: "
     "'aisle' "
     "between the rooms",
     40'000, Vec3(16, 12, 3), Vec3(10, 9, 2.5), lay_out_office},
    {"station",
     "space station of trusses, modules, panels and dishes among rocks; free: 'approach' along the "
     "spine",
     60'000, Vec3(120, 80, 60), Vec3(60, 40, 30), lay_out_station},
}};

Diagnostic fault(const char* code, std::string message, std::string_view kind, std::string remedy) {
  return {.code = code,
          .message = std::move(message),
          .element = fmt::format("world '{}'", kind),
          .remedy = std::move(remedy)};
}

std::vector<Diagnostic> find_faults(const WorldKind& kind, const Vec3& size, std::size_t facets) {
  std::vector<Diagnostic> faults;
  const bool is_sized =
      (size.array() >= kind.smallest_size.array()).all() && (size.array() <= kLargestSize).all();
  if (!is_sized) {
    faults.push_back(fault(
        "generate.size",
        fmt::format("the size is {:g} x {:g} x {:g} m", size.x(), size.y(), size.z()), kind.name,
        fmt::format("give from {:g} x {:g} x {:g} m to {:g} m each way", kind.smallest_size.x(),
                    kind.smallest_size.y(), kind.smallest_size.z(), kLargestSize)));
  }
  if (facets > kMostFacets) {
    faults.push_back(fault("generate.facets", fmt::format("{} facets are too many", facets),
                           kind.name, fmt::format("ask for at most {}", kMostFacets)));
  }
  return faults;
}

}  // namespace

std::size_t count_facets(const GeneratedWorld& world) {
  std::size_t count = 0;
  for (const GeneratedPart& part : world.parts) count += part.mesh->triangles.size();
  return count;
}

std::span<const WorldKind> world_kinds() { return kKinds; }

const WorldKind* find_world_kind(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const WorldKind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : &*found;
}

Result<GeneratedWorld> generate_world(std::string_view name, const WorldOptions& options) {
  const WorldKind* kind = find_world_kind(name);
  if (!kind) {
    std::string names;
    for (const WorldKind& k : kKinds)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", k.name);
    return fault("generate.kind", "there is no such kind of world", name,
                 "choose one of: " + names);
  }
  const Vec3 size = options.size.isZero(0) ? kind->size : options.size;
  const std::size_t facets = options.facets == 0 ? kind->facets : options.facets;
  if (auto faults = find_faults(*kind, size, facets); !faults.empty()) {
    return make_error(std::move(faults));
  }
  WorldPlan plan(options.seed, size, facets);
  kind->lay_out(plan);
  std::size_t possible = 0;
  if (std::optional<GeneratedWorld> world = plan.build(possible)) return *std::move(world);
  return fault("generate.facets",
               fmt::format("{} facets cannot be kept in {:g} x {:g} x {:g} m", facets, size.x(),
                           size.y(), size.z()),
               kind->name, fmt::format("ask for about {}, or for another size", possible));
}

}  // namespace geste
