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

// Names of others are theirs.
func.func private @others(tensor<4xf32> {mine.weight = "first"}) attributes {mine.moves = 3 : i64}
