# What `cmake --install` lays down: the library, its public headers, the program, its models and
# scenes, and the two ways for others to find them: find_package(geste) and pkg-config. The
# installed tree may be moved: nothing in it holds an absolute path (a static libgeste does, to
# the libraries of its system).
include(CMakePackageConfigHelpers)

install(TARGETS geste EXPORT geste-targets)
install(DIRECTORY src/geste DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "internal" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/src/geste/core/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/geste/core)
install(DIRECTORY models scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/geste OPTIONAL)
install(FILES README.md LICENSE CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# bin/geste finds libgeste from where it lies itself.
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(geste_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")

# find_package(geste)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geste)
set(data_dir ${CMAKE_INSTALL_DATADIR}/geste)
configure_package_config_file(cmake/geste-config.cmake.in ${PROJECT_BINARY_DIR}/geste-config.cmake
                              INSTALL_DESTINATION ${config_dir} PATH_VARS data_dir)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geste-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT geste-targets NAMESPACE geste:: DESTINATION ${config_dir})
install(FILES ${PROJECT_BINARY_DIR}/geste-config.cmake ${PROJECT_BINARY_DIR}/geste-config-version.cmake
        DESTINATION ${config_dir})

# pkg-config geste. Who links a static libgeste names its parts too; a shared one carries them.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
set(GESTE_PC_PREFIX "\${pcfiledir}/${prefix_from_pc}")
set(GESTE_PC_REQUIRES "eigen3 fmt")
set(GESTE_PC_LIBS "-L\${libdir} -lgeste")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND GESTE_PC_REQUIRES " spdlog tbb yaml-cpp tinyxml2")
  list(JOIN GESTE_OCCT_LIBRARIES " " occt_libraries)
  string(APPEND GESTE_PC_LIBS " ${GESTE_ASSIMP} ${GESTE_EMBREE} ${GESTE_OMPL} ${occt_libraries}")
endif()
configure_file(cmake/geste.pc.in ${PROJECT_BINARY_DIR}/geste.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/geste.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
