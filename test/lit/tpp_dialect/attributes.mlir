// Attributes without an op: they parse, verify and print as written, without default values.
// RUN: tpp-opt %s | FileCheck %s
// RUN: tpp-opt %s | tpp-opt | FileCheck %s

// CHECK: unpacked = #tpp.layout
// CHECK-NOT: <
func.func private @identity() attributes {unpacked = #tpp.layout}

// CHECK-LABEL: @layouts
// CHECK-SAME: a = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0]>
// CHECK-SAME: b = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0], vnni = 2>
// CHECK-SAME: c = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16]>
func.func private @layouts() attributes {
  a = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0]>,
  b = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16], outer_dims_perm = [1, 0], vnni = 2>,
  c = #tpp.layout<inner_dims_pos = [1], inner_tiles = [16], vnni = 0>
}

// CHECK-LABEL: @target
// CHECK-SAME: t = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576], vnni = {bf16 = 2 : i64, i8 = 4 : i64}, cores = 2>
// CHECK-SAME: u = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536], cores = 4>
// CHECK-SAME: v = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536], cores = 4, figures = {clock_ghz = 3.500000e+00 : f64, fma_per_cycle = 1 : i64, l1_ways = 8 : i64}>
func.func private @target() attributes {
  t = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152, 1048576], vnni = {bf16 = 2, i8 = 4}, cores = 2>,
  u = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536], cores = 4>,
  v = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536], cores = 4, figures = {l1_ways = 8, clock_ghz = 3.5, fma_per_cycle = 1}>
}

// CHECK-LABEL: @enumerations
// CHECK-SAME: b = #tpp<broadcast row>
// CHECK-SAME: k = #tpp<unary_kind gelu_tanh>
// CHECK-SAME: m = #tpp.matrix<type = u8, ld = 32, panel = 16, panel_stride = 4096, vnni = 4>
func.func private @enumerations() attributes {
  b = #tpp<broadcast row>, k = #tpp<unary_kind gelu_tanh>, m = #tpp.matrix<type = u8, ld = 32, panel = 16, panel_stride = 4096, vnni = 4>
}
