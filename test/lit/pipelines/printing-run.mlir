// vector.print and upstream's runner utilities: the forms of upstream's integration tests.
// RUN: tpp-run %s | FileCheck %s
// RUN: tpp-run %s --pipeline=loops | FileCheck %s
// RUN: not tpp-run %s --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: the program calls no_such_function, which neither it nor MLIR's runner utilities define

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32>)
func.func private @rtclock() -> f64
func.func private @no_such_function(memref<*xf32>)

func.func private @filled(%rows: index, %columns: index, %value: f32) -> memref<?x?xf32> {
  %buffer = memref.alloc(%rows, %columns) : memref<?x?xf32>
  linalg.fill ins(%value : f32) outs(%buffer : memref<?x?xf32>)
  return %buffer : memref<?x?xf32>
}

// CHECK: ( 1, 2, 3 )
// CHECK-NEXT: ( ( 1, 2 ), ( 3, 4 ) )
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: the matmul:
// CHECK-NEXT: rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1]
// CHECK-NEXT: {{\[}}[16, 16, 16],
// CHECK-NEXT: [16, 16, 16]]
// CHECK-NEXT: sizes = [2, 4]
// CHECK-NEXT: {{\[}}[0, 0, 0, 0],
// CHECK-NEXT: [1, 2, 3, 0]]
// The summary of tpp-run follows what the program prints.
// CHECK-NEXT: model
func.func @main() attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = call @rtclock() : () -> f64

  %v = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  vector.print %v : vector<3xf32>
  %w = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi64>
  vector.print %w : vector<2x2xi64>
  scf.for %i = %c0 to %c2 step %c1 {
    vector.print %i : index
  }

  vector.print str "the matmul:\n"
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = call @filled(%c2, %c4, %two) : (index, index, f32) -> memref<?x?xf32>
  %b = call @filled(%c4, %c3, %two) : (index, index, f32) -> memref<?x?xf32>
  %c = call @filled(%c2, %c3, %zero) : (index, index, f32) -> memref<?x?xf32>
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  %product = memref.cast %c : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%product) : (memref<*xf32>) -> ()
  memref.dealloc %a : memref<?x?xf32>

  %row = arith.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %dynamic = tensor.cast %row : tensor<1x3xi32> to tensor<?x3xi32>
  %padded = tensor.pad %dynamic low[%c1, 0] high[0, %c1] {
  ^bb0(%i: index, %j: index):
    %none = arith.constant 0 : i32
    tensor.yield %none : i32
  } : tensor<?x3xi32> to tensor<?x?xi32>
  %image = tensor.cast %padded : tensor<?x?xi32> to tensor<*xi32>
  call @printMemrefI32(%image) : (tensor<*xi32>) -> ()
  return
}

func.func @unknown() {
  %a = memref.alloc() : memref<2xf32>
  %u = memref.cast %a : memref<2xf32> to memref<*xf32>
  call @no_such_function(%u) : (memref<*xf32>) -> ()
  return
}
