#include "allocations.hpp"

#include <cstdlib>

// Eigen allocates through malloc, everything else through operator new, which calls malloc:
// counting in glibc's malloc hook point by interposition sees both. Sanitizers bring their own
// malloc: nothing is counted there, and the comparison of counts holds trivially.

namespace {
thread_local long allocations = 0;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GESTE_OWN_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GESTE_OWN_MALLOC 1
#endif

#ifndef GESTE_OWN_MALLOC
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}
#endif

namespace geste::testing {

long count_allocations() { return allocations; }

bool counts_allocations() {
#ifdef GESTE_OWN_MALLOC
  return false;
#else
  return true;
#endif
}

}  // namespace geste::testing
