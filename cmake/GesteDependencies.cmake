# All from Debian 12, installed by tools/setup. docs/design/dependencies.md says why each was taken.

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(TBB REQUIRED)
find_package(hwy REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(tinyxml2 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(meshoptimizer REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Threads REQUIRED)

# The exported targets of OpenCASCADE and assimp pull in windowing and compression libraries that
# we never call; the plain libraries carry what they need themselves.
set(GESTE_OCCT_LIBRARIES)
foreach(toolkit TKXDESTEP TKSTEP TKSTEPBase TKXSBase TKXCAF TKLCAF TKCDF TKMesh TKTopAlgo TKShHealing
                TKBRep TKG2d TKG3d TKMath TKernel)
  find_library(GESTE_${toolkit} ${toolkit} REQUIRED)
  list(APPEND GESTE_OCCT_LIBRARIES ${GESTE_${toolkit}})
endforeach()
find_path(GESTE_OCCT_INCLUDE STEPCAFControl_Reader.hxx PATH_SUFFIXES opencascade REQUIRED)
find_library(GESTE_ASSIMP assimp REQUIRED)
find_path(GESTE_ASSIMP_INCLUDE assimp/Importer.hpp REQUIRED)
find_library(GESTE_EMBREE embree3 REQUIRED)
find_path(GESTE_EMBREE_INCLUDE embree3/rtcore.h REQUIRED)
# OMPL's exported configuration names neither targets nor where its headers lie.
find_library(GESTE_OMPL ompl REQUIRED)
find_path(GESTE_OMPL_INCLUDE ompl/config.h PATH_SUFFIXES ompl-1.5 REQUIRED)
