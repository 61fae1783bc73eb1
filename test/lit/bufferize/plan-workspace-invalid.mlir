// RUN: tpp-opt %s --tpp-plan-workspace --split-input-file --verify-diagnostics

func.func @dynamic(%n: index) {
  // expected-error @+1 {{has a size that is not known at compile time; shapes must be static}}
  %0 = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @layout() {
  // expected-error @+1 {{has a layout other than the identity}}
  %0 = memref.alloc() : memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @huge() {
  // expected-error @+1 {{has elements without a known size, or more bytes than fit an address space}}
  %0 = memref.alloc() : memref<4294967296x4294967296xf32>
  return
}

// -----

func.func @returned() -> memref<4xf32> {
  // expected-error @+1 {{escapes the loop or function it is made in; only buffers of one iteration can be planned}}
  %b = memref.alloc() : memref<4xf32>
  return %b : memref<4xf32>
}

// -----

func.func @unknown_trips(%n: index, %x: memref<4096xf32>) {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{needs 16384 bytes in each iteration of a parallel loop whose bounds are not constant}}
    %a = memref.alloc() : memref<4096xf32>
    linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
    linalg.exp ins(%a : memref<4096xf32>) outs(%a : memref<4096xf32>)
  }
  return
}

// -----

func.func private @callee(%a: memref<4xf32>) {
  return
}
func.func @caller(%a: memref<4xf32>) {
  // expected-error @+1 {{calls function @callee, which needs a workspace of its own: inline calls first}}
  call @callee(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{has unstructured control flow: its buffers cannot be planned}}
func.func @branches(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  return
}
