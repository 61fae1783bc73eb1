# Installs the runtime into an empty prefix, then builds and runs the C programs of consumer/ and runtime/examples against it:
# once through find_package, once through pkg-config. Also checks find_package's messages for requests it cannot fulfil, and that
# the library prints nothing.
#   cmake -DBUILD_DIR= -DSOURCE_DIR= -DEXAMPLES_DIR= -DWORK_DIR= -DC_COMPILER= -DPKG_CONFIG= -DLIBDIR= -DHAS_XSMM= -P package.cmake

function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SILENT" "FAILS_SAYING" "COMMAND")
  execute_process(COMMAND ${arg_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(arg_FAILS_SAYING)
    string(REGEX REPLACE "[ \n]+" " " flat "${output}") # CMake wraps messages
    if(result EQUAL 0)
      message(FATAL_ERROR "should have failed: ${arg_COMMAND}")
    elseif(NOT flat MATCHES "${arg_FAILS_SAYING}")
      message(FATAL_ERROR "should have said '${arg_FAILS_SAYING}':\n${output}")
    endif()
  elseif(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${arg_COMMAND}\n${output}")
  elseif(arg_SILENT)
    # libxsmm may print this warning in its first call, before the provider can mute it, if LIBXSMM_VERBOSE is set.
    string(REGEX REPLACE "[\n]*LIBXSMM WARNING: timer is maybe not cycle-accurate![\n]*" "" said "${output}")
    if(NOT said STREQUAL "")
      message(FATAL_ERROR "should print nothing: ${arg_COMMAND}\n${output}")
    endif()
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
run(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component runtime)

# Internal headers must not be installed.
file(GLOB headers RELATIVE ${prefix}/include/tpp ${prefix}/include/tpp/*)
list(SORT headers)
if(NOT headers STREQUAL "kinds.def;machine.h;machine_fields.def;openmp.h;operations.def;tpp.h;tpp.hpp;types.h")
  message(FATAL_ERROR "unexpected installed headers: ${headers}")
endif()

set(configure ${CMAKE_COMMAND} -S ${SOURCE_DIR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C_COMPILER})
run(COMMAND ${configure} -B ${WORK_DIR}/by-cmake)
run(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/by-cmake)
set(programs ${WORK_DIR}/by-cmake/consumer)

run(COMMAND ${configure} -B ${WORK_DIR}/by-cmake-nonsense -DASK_FOR=nonsense
    FAILS_SAYING "TPP has no component 'nonsense'. there are runtime and compiler")
run(COMMAND ${configure} -B ${WORK_DIR}/by-cmake-compiler -DASK_FOR=compiler
    FAILS_SAYING "this installation of TPP has no compiler part: build and install it with -DTPP_BUILD_COMPILER=ON")

if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  run(COMMAND ${PKG_CONFIG} --cflags --libs tpp-runtime)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(COMMAND ${C_COMPILER} -std=c11 -pedantic -Wall -Wextra -Werror ${SOURCE_DIR}/main.c -o ${WORK_DIR}/by-pkg-config ${flags}
              -Wl,-rpath,${prefix}/${LIBDIR})
  list(APPEND programs ${WORK_DIR}/by-pkg-config)
endif()

foreach(program IN LISTS programs)
  run(SILENT COMMAND ${program})
  run(SILENT COMMAND ${program} native)
  run(SILENT COMMAND ${program} reference)
  if(HAS_XSMM)
    run(SILENT COMMAND ${program} xsmm)
    run(SILENT COMMAND ${CMAKE_COMMAND} -E env LIBXSMM_VERBOSE=1 ${program} xsmm) # unmuted, libxsmm would print statistics at exit
  endif()
  run(COMMAND ${CMAKE_COMMAND} -E env TPP_VERBOSE=1 ${program})
  if(NOT output MATCHES "tpp: brgemm 5x37x9 .*tpp:   \\* native ")
    message(FATAL_ERROR "TPP_VERBOSE=1 printed:\n${output}")
  endif()
endforeach()

# Each example checks its own result.
run(COMMAND ${CMAKE_COMMAND} -S ${EXAMPLES_DIR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C_COMPILER} -B ${WORK_DIR}/examples)
run(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/examples)
foreach(name linear_gelu softmax layernorm)
  run(COMMAND ${WORK_DIR}/examples/${name})
  if(PKG_CONFIG)
    run(COMMAND ${C_COMPILER} -std=c11 -pedantic -Wall -Wextra -Werror ${EXAMPLES_DIR}/${name}.c -o ${WORK_DIR}/${name} ${flags} -lm
                -Wl,-rpath,${prefix}/${LIBDIR})
    run(COMMAND ${WORK_DIR}/${name})
  endif()
endforeach()
