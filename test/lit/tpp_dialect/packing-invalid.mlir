// One test for each message about targets, packings and strategies that needs no op, and for attributes that do not match their
// op.
// RUN: tpp-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{isa must be one of avx512, avx2, sse4, neon, portable, got 'vax'}}
func.func private @f() attributes {a = #tpp.target<isa = "vax", vector_bits = 64, registers = 16, caches = [1024], cores = 1>}

// -----

// expected-error @below {{panel must not be negative, got -64}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = -64>}

// -----

// expected-error @below {{mc must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, mc = -1>}

// -----

// expected-error @below {{nc must not be negative, got -16}}
func.func private @f() attributes {a = #tpp.packing<panel = 64, nc = -16>}

// -----

// expected-error @below {{kc must not be negative, got -8}}
// expected-error @below {{failed to parse Tpp_PackingFixedAttr parameter 'small_batch'}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, small_batch = <panel = 32, kc = -8>>}

// -----

// expected-error @below {{a task must lie in one panel: nc = 128, panel = 64}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, nc = 128>}

// -----

// expected-error @below {{the sizes of a tile of a must not be negative, got 32 x -16}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, a = [32, -16]>}

// -----

// expected-error @below {{the sizes of a tile of c must not be negative, got -1 x 16}}
func.func private @f() attributes {a = #tpp.packing<panel = 64, c = [-1, 16]>}

// -----

// expected-error @below {{a must hold the rows and the columns of a tile, got 1 sizes}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, a = [32]>}

// -----

// expected-error @below {{c must hold the rows and the columns of a tile, got 3 sizes}}
// expected-error @below {{failed to parse Tpp_PackingFixedAttr parameter 'small_batch'}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, small_batch = <panel = 32, c = [1, 2, 3]>>}

// -----

// expected-error @below {{expected ::mlir::tpp::LoopOrder to be one of: auto, rows, columns, blocked, curve}}
// expected-error @below {{failed to parse Tpp_PackingFixedAttr parameter 'order'}}
func.func private @f() attributes {a = #tpp.packing_fixed<panel = 64, order = hilbert>}

// -----

// expected-error @below {{tuned packings need the name of a file}}
func.func private @f() attributes {a = #tpp.packing_tuned<"">}

// -----

// expected-error @below {{has tpp.packing = 64 : i64, which is no packing strategy}}
func.func private @f() attributes {tpp.packing = 64}

// -----

// A packing describes how one contraction is packed; it is not a strategy.
// expected-error @below {{has tpp.packing = #tpp.packing<panel = 64>, which is no packing strategy}}
func.func private @f() attributes {tpp.packing = #tpp.packing<panel = 64>}

// -----

// expected-error @below {{has tpp.target = "avx2", which is no #tpp.target}}
module attributes {tpp.target = "avx2"} {
}

// -----

func.func @not_a_contraction(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.exp' op has tpp.packing but is neither a contraction nor a function or module: there is nothing to pack}}
  %0 = linalg.exp {tpp.packing = #tpp.packing_fixed<panel = 64>} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Pooling has two inputs and a reduction, but multiplies nothing.
func.func @pooling(%x: tensor<1x4x4x1xf32>, %w: tensor<2x2xf32>, %e: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{'linalg.pooling_nhwc_sum' op has tpp.packing but is neither a contraction nor a function or module}}
  %0 = linalg.pooling_nhwc_sum {tpp.packing = #tpp.packing_fixed<panel = 64>} ins(%x, %w : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%e : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}

// -----

func.func @chosen(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{has tpp.chosen_packing = #tpp.packing<panel = 8>: it is a #tpp.packing on a tpp.contract}}
  %0 = linalg.matmul {tpp.chosen_packing = #tpp.packing<panel = 8>} ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
