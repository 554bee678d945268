#include <cmath>

#include "geste/formats/c3d.hpp"

#include "checks.hpp"

using namespace geste;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<C3dFile> c3d = parse_c3d(fuzz::as_text(data, size), "fuzz.c3d");
  if (!c3d) return fuzz::require_telling(c3d.error()), 0;
  fuzz::require_telling(c3d->notes);

  const auto frames = static_cast<std::size_t>(c3d->frames);
  fuzz::require(c3d->points.size() == frames * c3d->point_labels.size(), "frames x markers");
  fuzz::require(c3d->analog.size() == frames * c3d->samples_per_frame * c3d->channels.size(),
                "frames x samples x channels");
  for (const C3dPoint& point : c3d->points)
    fuzz::require(!point.valid() || point.p.allFinite(), "markers that were seen are somewhere");
  for (const double value : c3d->analog) fuzz::require(std::isfinite(value), "samples are finite");
  for (const C3dGroup& group : c3d->groups) {
    for (const C3dParameter& parameter : group.parameters)
      fuzz::require(find_parameter(*c3d, group.name, parameter.name) != nullptr, "names are found");
  }
  if (const Result<double> unit = metres_per_unit(*c3d); !unit) fuzz::require_telling(unit.error());
  return 0;
}
