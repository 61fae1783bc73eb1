# Finds LLVM and MLIR 22: as shared libraries or, with TPP_STATIC_LLVM, as archives, so that what is built runs without them. The version is checked here, because MLIR's package files reject a version request in
# find_package.
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

# Interface library for all targets that include MLIR headers: compile flags that match LLVM's build, and the two shared libraries.
add_library(TppMlirInterface INTERFACE)
target_include_directories(TppMlirInterface SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(TppMlirInterface INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
                           ${CMAKE_SOURCE_DIR}/microkernels/include ${CMAKE_SOURCE_DIR}/runtime/include)
# -Wno-deprecated-declarations: std::stable_sort of libstdc++ 12 calls a function that libstdc++ itself marks as deprecated.
target_compile_options(TppMlirInterface INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -Wno-deprecated-declarations>)
if(TPP_SANITIZE)
  # Compiles in 60 % of the time. LLVM's and MLIR's parts, which are optimized, take most of a compilation.
  target_compile_options(TppMlirInterface INTERFACE -O0)
endif()

if(TPP_STATIC_LLVM)
  # The linker takes what is used from the archives. The targets of LLVM's package would add libz3, which nothing here uses.
  file(GLOB archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  find_package(Threads REQUIRED)
  find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)
  find_library(ZLIB_ARCHIVE libz.a REQUIRED)
  target_link_libraries(TppMlirInterface INTERFACE
    -Wl,--start-group ${archives} -Wl,--end-group ${ZSTD_ARCHIVE} ${ZLIB_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS} m rt)
  target_link_options(TppMlirInterface INTERFACE -Wl,--gc-sections)
else()
  target_link_libraries(TppMlirInterface INTERFACE MLIR LLVM)
endif()

# A precompiled header with the MLIR headers that most files of the compiler include: parsing them takes most of a file's compile time. All targets share
# it, so they need the compile options of this one.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/TppMlirHeaders.cpp CONTENT "")
add_library(TppMlirHeaders OBJECT ${CMAKE_BINARY_DIR}/TppMlirHeaders.cpp)
target_link_libraries(TppMlirHeaders PRIVATE TppMlirInterface)
target_compile_options(TppMlirHeaders PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
target_precompile_headers(TppMlirHeaders PRIVATE
  <mlir/Dialect/Affine/IR/AffineOps.h> <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/Linalg/IR/Linalg.h> <mlir/Dialect/Linalg/Transforms/Transforms.h>
  <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h> <mlir/Transforms/GreedyPatternRewriteDriver.h>)

# The target's files are compiled with that precompiled header.
function(tpp_precompile_mlir target)
  target_precompile_headers(${target} REUSE_FROM TppMlirHeaders)
  target_compile_options(${target} PRIVATE -fPIC) # not -fPIE, which executables have
  tpp_join_files(${target})
endfunction()
