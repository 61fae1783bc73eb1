// A slice that drops other dimensions than upstream's canonicalizer expects keeps all, and a reshape drops them: otherwise the
// canonicalizer slices along another dimension as soon as an operand is a constant.
// RUN: tpp-opt %s --tpp-keep-slices | FileCheck %s
// RUN: tpp-opt %s --tpp-default-tensors=entry=second_dim | FileCheck %s --check-prefix=PIPELINE
// RUN: tpp-opt %s --tpp-loops-tensors=entry=second_dim | FileCheck %s --check-prefix=PIPELINE

// CHECK-LABEL: func.func @second_dim
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice %{{.*}}[0, %{{.*}}, %{{.*}}] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2x1xf32>
// CHECK: tensor.collapse_shape %[[WHOLE]] {{\[\[}}0], [1, 2]] : tensor<1x2x1xf32> into tensor<1x2xf32>
// PIPELINE-LABEL: func.func @second_dim
// PIPELINE: tensor.extract_slice %{{.*}}[0, %{{.*}}, 2] [1, 2, 1] [1, 1, 1]
func.func @second_dim(%x: tensor<4x8x4xf32>, %i: tensor<index>) -> tensor<1x2xf32> {
  %c2 = arith.constant 2 : index
  %row = tensor.extract %i[] : tensor<index>
  %0 = tensor.extract_slice %x[0, %row, %c2] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// Leading dimensions and several ones; a size that is an operand.
// CHECK-LABEL: func.func @several
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0, 0] [1, 1, %[[SIZE:.*]], 1] [1, 1, 1, 1] : tensor<4x8x4x5xf32> to tensor<1x1x?x1xf32>
// CHECK: tensor.collapse_shape %[[WHOLE]] {{\[\[}}0, 1], [2, 3]] : tensor<1x1x?x1xf32> into tensor<1x?xf32>
func.func @several(%x: tensor<4x8x4x5xf32>, %i: index, %n: index) -> tensor<1x?xf32> {
  %0 = tensor.extract_slice %x[%i, 0, 0, 0] [1, 1, %n, 1] [1, 1, 1, 1] : tensor<4x8x4x5xf32> to tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// A size that may become 1, so that the slice drops this dimension and not the last one.
// CHECK-LABEL: func.func @size_operand
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 1] [%{{.*}}, 2, 1] [1, 1, 1] : tensor<4x2x4xf32> to tensor<?x2x1xf32>
// CHECK: tensor.collapse_shape
func.func @size_operand(%x: tensor<4x2x4xf32>, %n: index) -> tensor<?x2xf32> {
  %0 = tensor.extract_slice %x[0, 0, 1] [%n, 2, 1] [1, 1, 1] : tensor<4x2x4xf32> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// Near misses: upstream expects that the first dimensions are dropped, or all; without operands nothing is folded; the rank stays.
// CHECK-LABEL: func.func @near_misses
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @near_misses(%x: tensor<4x8x4xf32>, %i: index) -> (tensor<2x1xf32>, tensor<2xf32>, tensor<f32>, tensor<1x2xf32>, tensor<1x2x1xf32>) {
  %0 = tensor.extract_slice %x[0, %i, 0] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<2x1xf32>
  %1 = tensor.extract_slice %x[0, %i, 0] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<2xf32>
  %2 = tensor.extract_slice %x[0, %i, 0] [1, 1, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<f32>
  %3 = tensor.extract_slice %x[0, 1, 0] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2xf32>
  %4 = tensor.extract_slice %x[0, %i, 0] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2x1xf32>
  return %0, %1, %2, %3, %4 : tensor<2x1xf32>, tensor<2xf32>, tensor<f32>, tensor<1x2xf32>, tensor<1x2x1xf32>
}
