// RUN: tpp-opt %s --tpp-emit=entry=f --split-input-file --verify-diagnostics

// expected-error @+1 {{returns a value that is neither tensor nor memref}}
func.func @f(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func @f(%x: memref<4xf32>) {
  return
}
// expected-error @+1 {{has the name of an entry point of @f}}
func.func private @f_run(%x: memref<4xf32>) {
  return
}
