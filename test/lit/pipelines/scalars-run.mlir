// Scalar arguments and results.
// RUN: tpp-run %s --input=0.5,3,-2,ones --check=reference | FileCheck %s
// RUN: tpp-run %s --input=0.5,3,-2,ones --output=%t.f.npy,%t.i.npy,%t.x.npy
// RUN: tpp-run %s --input=0.5,3,-2,ones --pipeline=loops --check=%t.f.npy,%t.i.npy,%t.x.npy --rtol=0 --atol=0
// RUN: not tpp-run %s --input=0.5,2.5,-2,ones 2>&1 | FileCheck %s --check-prefix=FRACTION
// RUN: not tpp-run %s --input=0.5,7,-2,ones 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: tpp-run %s --emit=obj -o %t.o && FileCheck %s --check-prefix=HEADER --input-file=%t.h

// CHECK: @main (f32, index, i32, 4x8xf32) -> (f32, i32, 4x8xf32)
// CHECK: result #0 equals the reference
// CHECK: result #1 equals the reference
// CHECK: result #2 equals the reference
// FRACTION: argument #1 has type tensor<index>, which cannot hold the input 2.5
// RANGE: the row is out of range
// HEADER: const float *argument0,
// HEADER-NEXT: const int64_t *argument1,
// HEADER-NEXT: const int32_t *argument2,
// HEADER-NEXT: const float *argument3,
// HEADER-NEXT: float *result0,
// HEADER-NEXT: int32_t *result1,
// HEADER-NEXT: float *result2);
func.func @main(%scale: f32, %row: index, %n: i32, %x: tensor<4x8xf32>) -> (f32, i32, tensor<4x8xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %inside = arith.cmpi ult, %row, %c4 : index
  cf.assert %inside, "the row is out of range"
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.mulf %v, %scale : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  %first = tensor.extract %y[%row, %c0] : tensor<4x8xf32>
  %r = arith.index_cast %row : index to i32
  %sum = arith.addi %r, %n : i32
  return %first, %sum, %y : f32, i32, tensor<4x8xf32>
}
