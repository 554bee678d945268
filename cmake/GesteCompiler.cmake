# Language level, warnings, instruction set and sanitizers: one interface target for all our code.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(GESTE_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, empty for none")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# -O2 instead of CMake's -O3, unless someone chose other flags; the rooms with hot loops ask for -O3 themselves.
# Most of the code reads files, where -O3 only costs building time.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()

# Several files of a target are compiled as one: most of a file's time is spent on its headers, and a clean
# build takes half as long. A name in an unnamed namespace must so be told apart within its room, or better
# stand in one place. For work on one file -DGESTE_UNITY=OFF (preset dev) is a little quicker.
option(GESTE_UNITY "Compile several files as one" ON)
# Files of one folder are put together into one unit for every few of them, at most `units`, by their names
# alone: a new file seldom moves another.
function(geste_join_files target units)
  if(NOT GESTE_UNITY)
    return()
  endif()
  set(files_per_unit 5)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/verify_[a-z_]*\\.cpp$") # the second prover shares nothing with the first, no names either
  set(folders)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX REPLACE "/internal$" "" folder "${folder}")
    get_filename_component(folder "${folder}" NAME)
    list(APPEND folders "at_${folder}")
  endforeach()
  foreach(source folder IN ZIP_LISTS sources folders)
    set(all ${folders})
    list(FILTER all INCLUDE REGEX "^${folder}$")
    list(LENGTH all count)
    math(EXPR wanted "(${count} + ${files_per_unit} - 1) / ${files_per_unit}")
    if(wanted GREATER units)
      set(wanted ${units})
    endif()
    get_filename_component(name ${source} NAME)
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 4 digits)
    math(EXPR unit "0x${digits} % ${wanted}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers change their time stamps; ccache is told to look at their content.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()

add_library(geste_compiler INTERFACE)
# -ffp-contract=off: the same bytes with and without fused multiply-add.
target_compile_options(geste_compiler INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wpedantic
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O3 draws false warnings of these kinds from Eigen 3.4 and its own std::string.
  target_compile_options(geste_compiler INTERFACE
    -fpch-preprocess -fno-semantic-interposition -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow -Wno-restrict)
endif()

if(GESTE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes a file that is compiled with others for a header, in which unnamed namespaces would be wrong.
  target_compile_options(geste_compiler INTERFACE -Wno-subobject-linkage)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(geste_compiler INTERFACE -march=${GESTE_ARCH})
elseif(GESTE_ARCH STREQUAL "native")
  target_compile_options(geste_compiler INTERFACE -mcpu=native)
endif()
if(GESTE_ARCH STREQUAL "native" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12's own header of AVX-512 uses values before they are set, on purpose, and warns of it.
  target_compile_options(geste_compiler INTERFACE -Wno-uninitialized)
endif()

if(GESTE_SANITIZE)
  target_compile_options(geste_compiler INTERFACE
    -fsanitize=${GESTE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(geste_compiler INTERFACE -fsanitize=${GESTE_SANITIZE})
endif()
