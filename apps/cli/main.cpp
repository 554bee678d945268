#include <cstdio>

#include "geste/core/version.hpp"

int main() {
  std::printf("geste %s\n", geste::kVersion);
  return 0;
}
