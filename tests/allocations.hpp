#pragma once

namespace geste::testing {

/// How often this thread has asked for memory, by new or malloc (Eigen), so far.
long count_allocations();
/// False where a sanitizer brings its own malloc: nothing is counted there.
bool counts_allocations();

}  // namespace geste::testing
