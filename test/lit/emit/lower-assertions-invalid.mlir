// RUN: tpp-opt %s --tpp-lower-assertions --split-input-file --verify-diagnostics

func.func @buffer(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %z = scf.if %c -> (memref<8xf32>) {
    // expected-error @+1 {{is in a branch or loop that yields a buffer}}
    cf.assert %d, "no"
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  memref.store %v, %z[%c0] : memref<8xf32>
  return
}

// -----

// expected-error @+1 {{has an assertion beside unstructured control flow or results that are values}}
func.func @result(%c: i1) -> f32 {
  %v = arith.constant 1.0 : f32
  cf.assert %c, "no"
  return %v : f32
}
