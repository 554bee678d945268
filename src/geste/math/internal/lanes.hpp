#pragma once

#include <cstdint>
#include <cstring>

/// Four doubles as one value: the compilers' own vector extension, which every target of ours has
/// (one register with AVX, two with SSE or NEON). Loads and stores need no alignment. Only for use
/// inside functions: passing lanes by value would make the calling convention depend on the
/// instruction set.
namespace geste::internal {

typedef double Lanes __attribute__((vector_size(32)));
typedef std::int64_t IntLanes __attribute__((vector_size(32)));

#define GESTE_LANES_LOAD(name, from) \
  ::geste::internal::Lanes name;     \
  std::memcpy(&name, (from), sizeof name)

}  // namespace geste::internal
