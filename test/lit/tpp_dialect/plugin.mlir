// With the plugin, an unmodified mlir-opt knows the dialect and the passes. Passes must be in a pipeline, because flags are
// parsed before plugins are loaded.
// RUN: mlir-opt %s --load-dialect-plugin=%tpp_plugin --load-pass-plugin=%tpp_plugin \
// RUN:   --pass-pipeline='builtin.module(func.func(tpp-bind-kernels{provider=native}))' | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// UNSUPPORTED: sanitizer

// CHECK: tpp.dispatch #tpp.unary_desc<kind = relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, provider = native>
// WITHOUT: Dialect `tpp' not found
func.func @relu(%x: memref<13x32xf32>) {
  tpp.unary relu ins(%x : memref<13x32xf32>) outs(%x : memref<13x32xf32>)
  return
}
