# Makes the report's and the studio's pages with Vite (tools/setup installs it) and has `source`, which carries them, compiled
# anew when they changed.
find_program(GESTE_NODE node REQUIRED)

function(geste_make_pages folder source)
  set(web ${PROJECT_SOURCE_DIR}/apps/studio/web)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/node_modules/vite)
    message(FATAL_ERROR "The pages are made with Vite, which is absent. Run tools/setup, or npm ci.")
  endif()
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
  list(APPEND inputs ${web}/build.mjs ${web}/report.html ${web}/studio.html ${PROJECT_SOURCE_DIR}/package-lock.json)
  set(pages ${folder}/report.html ${folder}/studio.html ${folder}/studio.js ${folder}/studio.css)
  add_custom_command(
    OUTPUT ${pages}
    COMMAND ${GESTE_NODE} ${web}/build.mjs ${folder}
    DEPENDS ${inputs}
    COMMENT "Making the pages"
    VERBATIM)
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS GESTE_PAGES="${folder}"
    OBJECT_DEPENDS "${pages}"
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()
