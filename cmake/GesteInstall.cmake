# find_package(geste) and a pkg-config file for the installed tree.
include(CMakePackageConfigHelpers)

install(TARGETS geste EXPORT geste-targets)
install(DIRECTORY src/geste DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "internal" EXCLUDE)
