# LLVM and MLIR 22 as shared libraries. Asking for a version number is refused by their package files, so it is checked here.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "TPP needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}. Install libmlir-22-dev (tools/setup "
                      "does) and pass -DCMAKE_PREFIX_PATH=/usr/lib/llvm-22.")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# An interface for everything that includes MLIR's headers: flags of LLVM's own build, and the two shared libraries.
add_library(TppMlirInterface INTERFACE)
target_include_directories(TppMlirInterface SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(TppMlirInterface INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
                           ${CMAKE_SOURCE_DIR}/microkernels/include ${CMAKE_SOURCE_DIR}/runtime/include)
target_compile_options(TppMlirInterface INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
target_link_libraries(TppMlirInterface INTERFACE MLIR LLVM)
