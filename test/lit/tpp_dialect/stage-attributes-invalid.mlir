// The attributes by which stages speak to each other are verified wherever they are.
// RUN: tpp-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has "tpp.moves" = 3 : i64: it is an array}}
func.func private @moves() attributes {tpp.moves = 3 : i64}

// -----

// expected-error @+1 {{has "tpp.workspace_bytes" = -1 : i64: it is an i64 that is not negative}}
func.func private @workspace() attributes {tpp.workspace_bytes = -1 : i64}

// -----

// expected-error @+1 {{has "tpp.weights_bytes" = 1 : i32: it is an i64 that is not negative}}
func.func private @weights() attributes {tpp.weights_bytes = 1 : i32}

// -----

// expected-error @+1 {{has "tpp.weight" = "first" on argument 1: it is an i64 that is not negative}}
func.func private @weight(tensor<4xf32>, tensor<4xf32> {tpp.weight = "first"})

// -----

// expected-error @+1 {{has "tpp.result" = true on argument 0: it is a unit attribute}}
func.func private @result(memref<4xf32> {tpp.result = true})

// -----

func.func @loop() {
  // expected-error @+1 {{has "tpp.work_ns" = 1.000000e+00 : f32: it is an i64 that is not negative}}
  scf.forall (%i) in (4) {
  } {tpp.work_ns = 1.0 : f32}
  return
}

// -----

// expected-error @+1 {{has "tpp.workspace" on argument 0: it is an attribute of an argument that is a buffer}}
func.func private @place(tensor<4xf32> {tpp.workspace})

// -----

// expected-error @+1 {{has "tpp.slot": it is an attribute of an op in a function}}
func.func private @slot() attributes {tpp.slot = 0 : i64}

// -----

// expected-error @+1 {{has "tpp.weight": it is an attribute of an argument of a function}}
func.func private @weight_of_function() attributes {tpp.weight = 0 : i64}

// -----

// expected-error @+1 {{has "tpp.wieght" on argument 0, an attribute that tpp does not know}}
func.func private @unknown(tensor<4xf32> {tpp.wieght = 0 : i64})

// -----

// expected-error @+1 {{has "tpp.unsigned" on argument 1: it is an attribute of an argument or result of signless integers}}
func.func private @sign_of_argument(tensor<4xi8> {tpp.unsigned}, index {tpp.unsigned})

// -----

// expected-error @+1 {{has "tpp.unsigned" on result 1: it is an attribute of an argument or result of signless integers}}
func.func private @sign_of_result() -> (memref<4xi32> {tpp.unsigned}, tensor<4xf32> {tpp.unsigned})

// -----

// expected-error @+1 {{has "tpp.prepack" on result 0: it is an attribute of an argument of a function}}
func.func private @prepack_of_result() -> (tensor<4xi8> {tpp.prepack})

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

func.func @visible(%a: memref<8x4xf32>, %b: memref<4x6xf32>, %c: memref<8x6xf32>) {
  // Two groups of five rows; the second ends behind the last column.
  // expected-error @+1 {{has "tpp.visible" = array<i64: 0, 8, 6, 5, 0, 3, 2, 7>: on a contraction, it is an array of its role}}
  tpp.contract ins(%a, %b : memref<8x4xf32>, memref<4x6xf32>) outs(%c : memref<8x6xf32>)
    {beta = 0 : i64, extents = array<i64: 8, 6, 4>, indexing_maps = [#a, #b, #c], post_ops = [], tpp.visible = array<i64: 0, 8, 6, 5, 0, 3, 2, 7>}
  return
}

// -----

// Names of others are theirs.
func.func private @others(tensor<4xf32> {mine.weight = "first"}) attributes {mine.moves = 3 : i64}
