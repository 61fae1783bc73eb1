// Upstream's canonicalizer folds a pad into an insertion with strides at offset + low instead of offset + low * stride: 2 + 1 instead of 2 + 1 * 3. Pads that
// may become the source of such an insertion are decomposed before.
// RUN: tpp-opt %s --tpp-keep-slices | FileCheck %s
// RUN: tpp-opt %s --tpp-default-tensors=entry=strided_pad | FileCheck %s --check-prefix=PAD
// RUN: tpp-opt %s --tpp-loops-tensors=entry=strided_pad | FileCheck %s --check-prefix=PAD
// RUN: tpp-opt %s --tpp-default-tensors=entry=called | FileCheck %s --check-prefix=PAD
// RUN: tpp-opt %s --tpp-default-tensors=entry=cast | FileCheck %s --check-prefix=PAD
// PAD: tensor.insert_slice %arg0 into %{{.*}}[1] [4] [1] : tensor<4xf32> into tensor<5xf32>
// PAD: tensor.insert_slice %{{.*}} into %{{.*}}[2] [5] [3] : tensor<5xf32> into tensor<20xf32>

// CHECK-LABEL: func.func @strided_pad
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %arg0 into %{{.*}}[1] [4] [1] : tensor<4xf32> into tensor<5xf32>
// CHECK: tensor.insert_slice %[[PADDED]] into %{{.*}}[2] [5] [3]
func.func @strided_pad(%x: tensor<4xf32>) -> tensor<20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %0 = tensor.insert_slice %padded into %f[2] [5] [3] : tensor<5xf32> into tensor<20xf32>
  return %0 : tensor<20xf32>
}

// In a function that will be inlined.
func.func private @padded(%x: tensor<4xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %padded : tensor<5xf32>
}
func.func @called(%x: tensor<4xf32>) -> tensor<20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = call @padded(%x) : (tensor<4xf32>) -> tensor<5xf32>
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %0 = tensor.insert_slice %padded into %f[2] [5] [3] : tensor<5xf32> into tensor<20xf32>
  return %0 : tensor<20xf32>
}

// Through a cast that will be folded.
func.func @cast(%x: tensor<4xf32>) -> tensor<20xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %padded = tensor.pad %x low[%one] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  %c = tensor.cast %padded : tensor<?xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %0 = tensor.insert_slice %c into %f[2] [5] [3] : tensor<5xf32> into tensor<20xf32>
  return %0 : tensor<20xf32>
}

// A pad of another rank.
// CHECK-LABEL: func.func @other_rank
// CHECK: tensor.pad
func.func @other_rank(%x: tensor<1x4xf32>) -> tensor<1x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x4xf32> to tensor<1x5xf32>
  return %padded : tensor<1x5xf32>
}

// Negative amounts remove elements. Where all are removed, the result consists of padding.
// CHECK-LABEL: func.func @cropped
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %arg0[1, 0] [3, 4] [1, 1] : tensor<4x6xf32> to tensor<3x4xf32>
// CHECK: tensor.pad %[[LEFT]] low[0, 3] high[2, 0]
// CHECK: tensor<3x4xf32> to tensor<5x7xf32>
func.func @cropped(%x: tensor<4x6xf32>) -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[-1, 3] high[2, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// CHECK-LABEL: func.func @nothing_left
// CHECK: tensor.extract_slice %arg0[0, 0] [0, 0] [1, 1] : tensor<4x6xf32> to tensor<0x0xf32>
// CHECK: tensor.pad %{{.*}} low[0, 2] high[2, 0]
// CHECK: tensor<0x0xf32> to tensor<2x2xf32>
func.func @nothing_left(%x: tensor<4x6xf32>) -> tensor<2x2xf32> {
  %one = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[-5, 3] high[3, -7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x6xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
