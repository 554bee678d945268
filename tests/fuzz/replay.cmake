# Runs the fuzzer `program` over every file of `corpus`, once, without changing any.
file(GLOB inputs ${corpus}/*)
list(LENGTH inputs count)
if(count EQUAL 0)
  message(FATAL_ERROR "${corpus} is empty: every entry needs a corpus")
endif()
execute_process(
  COMMAND ${program} -runs=0 -timeout=5 -rss_limit_mb=2048 -malloc_limit_mb=256 ${corpus}
  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code EQUAL 0)
  message("${said}")
  message(FATAL_ERROR "A file of ${corpus} broke the reader; the fuzzer left a copy of it.")
endif()
message(STATUS "${count} files replayed")
