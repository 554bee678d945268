#pragma once

#include "common/report.hpp"

namespace geste::bench {

/// Adds a row for each mesh format: million triangles per second from bytes to a clean mesh, beside
/// assimp.
void measure_loaders(Report& report);

}  // namespace geste::bench
