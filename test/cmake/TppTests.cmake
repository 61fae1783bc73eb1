# How tests become ctest entries: one entry per GoogleTest suite, one per lit file.
#
# An entry per GoogleTest case would start a process for each of thousands of cases, and the start would take longer than the case. An
# entry per program would not show which suite failed and would use one core.
set(TPP_TESTS_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# tpp_discover_suites(TARGET PREFIX prefix [SHARDS Suite=N...])
#   Adds the entry <prefix>.<Suite> for each suite of the GoogleTest program TARGET. The program lists its suites after each link, so that a
#   new suite needs no change here. All instances of a parameterized suite (Instance/Suite) are one entry. A suite listed in SHARDS becomes N
#   entries <prefix>.<Suite>/1 to /N, each with a part of its cases, so that both cores have work: for suites of more than 20 s.
function(tpp_discover_suites target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "SHARDS")
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DPREFIX=${arg_PREFIX} "-DSHARDS=${arg_SHARDS}" -DOUTPUT=${list}
            -P ${TPP_TESTS_CMAKE_DIR}/discover_suites.cmake)
  # ctest reads this file. A program that was not built is an entry that fails.
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  file(WRITE ${include}
    "if(EXISTS [==[${list}]==])\n  include([==[${list}]==])\nelse()\n  add_test(${arg_PREFIX}.${target}-not-built ${target}-not-built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

# tpp_add_lit_tests(LIT)
#   Adds the entry lit.<folder>.<file> for each .mlir and .test file of the current source folder, except those in folders named Inputs.
#   `ctest -R '^lit\.rows\.'` runs a folder.
function(tpp_add_lit_tests lit)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.mlir *.test)
  list(FILTER files EXCLUDE REGEX "(^|/)Inputs/")
  foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.[^.]*$" "" name ${file})
    string(REPLACE "/" "." name ${name})
    # Several lit processes run at once; without --skip-test-time-recording, all of them would write one file.
    add_test(NAME lit.${name} COMMAND ${lit} -j1 -v --skip-test-time-recording ${CMAKE_CURRENT_BINARY_DIR}/${file})
    set_tests_properties(lit.${name} PROPERTIES SKIP_REGULAR_EXPRESSION "(^|\n)UNSUPPORTED: ")
  endforeach()
endfunction()
