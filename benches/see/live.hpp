#pragma once

#include <cstdint>
#include <vector>

namespace geste::bench {

/// Milliseconds from a drag to the frame that shows it, one after the other.
std::vector<double> measure_drags(std::uint16_t port, int count);

/// Frames per second that the slowest of `clients` got while one of them moved a joint as fast as
/// the studio answered.
double measure_stream(std::uint16_t port, int clients, double seconds);

/// MiB of memory that this process holds.
double get_memory_mb();

}  // namespace geste::bench
