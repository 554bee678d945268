#pragma once

#include <cstddef>

/// All that core asks of oneTBB.
namespace geste {

/// The cores that this process may use.
int count_cores();

/// Calls work(object, w) for each w < workers, on as many threads as it gets: all at once when it
/// can, but a call may also begin after another has ended. Returns when all have. `work` must not
/// throw.
void run_workers(std::size_t workers, void* object, void (*work)(void* object, std::size_t worker));

}  // namespace geste
