// A gather with an index out of range ends the call with an error that says where; nothing is written, and nothing is read out of bounds.
// RUN: tpp-run %s --input=random,zeros --check=reference
// RUN: rm -f %t.npy
// RUN: not tpp-run %s --input=random,ones --output=%t.npy 2>&1 | FileCheck %s
// RUN: not tpp-run %s --input=random,ones --threads=2 2>&1 | FileCheck %s
// RUN: not tpp-run %s --input=random,ones --pipeline=loops 2>&1 | FileCheck %s
// RUN: not ls %t.npy

// CHECK: tpp-run: error: the call failed: the input does not fit the model: an assertion of the program failed: {{.*}}assertions-run.mlir:[[#@LINE+11]]:5: index must be smaller than the table
func.func @main(%table: tensor<1x512xf32>, %indices: tensor<400xi64>) -> tensor<400x512xf32> {
  %e = tensor.empty() : tensor<400x512xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%indices : tensor<400xi64>) outs(%e : tensor<400x512xf32>) {
  ^bb0(%i: i64, %o: f32):
    %low = arith.cmpi sge, %i, %zero : i64
    cf.assert %low, "index must not be negative"
    %high = arith.cmpi slt, %i, %one : i64
    cf.assert %high, "index must be smaller than the table"
    %large = arith.constant 100000000000 : i64
    %far = arith.muli %i, %large : i64
    %row = arith.index_cast %far : i64 to index
    %col = linalg.index 1 : index
    %x = tensor.extract %table[%row, %col] : tensor<1x512xf32>
    linalg.yield %x : f32
  } -> tensor<400x512xf32>
  %e2 = tensor.empty() : tensor<400x512xf32>
  %1 = linalg.exp ins(%0 : tensor<400x512xf32>) outs(%e2 : tensor<400x512xf32>) -> tensor<400x512xf32>
  return %1 : tensor<400x512xf32>
}
