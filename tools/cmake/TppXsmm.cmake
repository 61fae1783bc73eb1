# Finds libxsmm and detects which of its two APIs it has: that of 1.17 (one dispatch function per precision) or that of 2.x (one function
# for all). The detection reads the header instead of the version, because snapshots of several years have the 2.x API but version 1.17.
# Sets TPP_XSMM_API to 1 or 2, or to 0 without libxsmm. If libxsmm is found, also sets TPP_XSMM_VERSION and defines the interface library
# tpp_xsmm. XSMM_INCLUDE_DIR, XSMM_LIBRARY and XSMM_NOBLAS_LIBRARY select a libxsmm other than the system's.
set(TPP_XSMM_API 0)
if(NOT TPP_WITH_XSMM)
  message(STATUS "TPP: provider xsmm left out (TPP_WITH_XSMM is off)")
  return()
endif()

find_path(XSMM_INCLUDE_DIR libxsmm.h)
find_library(XSMM_LIBRARY xsmm)
# libxsmm's GEMM falls back to a BLAS. This library provides an empty one, so that no BLAS is needed.
find_library(XSMM_NOBLAS_LIBRARY xsmmnoblas)
mark_as_advanced(XSMM_INCLUDE_DIR XSMM_LIBRARY XSMM_NOBLAS_LIBRARY)
if(NOT (XSMM_INCLUDE_DIR AND XSMM_LIBRARY AND XSMM_NOBLAS_LIBRARY))
  message(STATUS "TPP: provider xsmm left out (libxsmm.h, libxsmm or libxsmmnoblas not found)")
  return()
endif()

file(STRINGS ${XSMM_INCLUDE_DIR}/libxsmm.h functions REGEX "libxsmm_(smmdispatch_reducebatch_strd|dispatch_brgemm) *\\(")
if(functions MATCHES "libxsmm_dispatch_brgemm")
  set(TPP_XSMM_API 2)
elseif(functions MATCHES "libxsmm_smmdispatch_reducebatch_strd")
  set(TPP_XSMM_API 1)
else()
  message(STATUS "TPP: provider xsmm left out (${XSMM_INCLUDE_DIR}/libxsmm.h has neither the 1.17 API nor the 2.x API)")
  return()
endif()

set(TPP_XSMM_VERSION "unknown version")
foreach(header libxsmm_version.h libxsmm_config.h)
  if(EXISTS ${XSMM_INCLUDE_DIR}/${header})
    file(STRINGS ${XSMM_INCLUDE_DIR}/${header} version REGEX "define LIBXSMM_CONFIG_VERSION \"[^\"]+\"")
    if(version MATCHES "\"([^\"]+)\"")
      set(TPP_XSMM_VERSION ${CMAKE_MATCH_1})
      break()
    endif()
  endif()
endforeach()

add_library(tpp_xsmm INTERFACE)
target_compile_definitions(tpp_xsmm INTERFACE TPP_XSMM_API=${TPP_XSMM_API})
target_include_directories(tpp_xsmm SYSTEM INTERFACE ${XSMM_INCLUDE_DIR})
target_link_libraries(tpp_xsmm INTERFACE ${XSMM_LIBRARY} ${XSMM_NOBLAS_LIBRARY} ${CMAKE_DL_LIBS} m)
message(STATUS "TPP: provider xsmm uses libxsmm ${TPP_XSMM_VERSION} (API ${TPP_XSMM_API}), ${XSMM_LIBRARY}")
if(TPP_XSMM_API EQUAL 2)
  # The benchmarks compare with kernels of libxsmm 1.17 only if this variable is set. An empty normal variable hides the cached one.
  set(XSMM_NOBLAS_LIBRARY "")
endif()
