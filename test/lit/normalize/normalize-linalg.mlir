// Ops that are not contractions are brought into few forms: generics, fills, slices; each user gets its own destination.
// RUN: tpp-opt %s --tpp-normalize-linalg --split-input-file | FileCheck %s

// Named elementwise ops and reductions become generics. Named ops that later stages match stay.
// CHECK-LABEL: @named(
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.transpose
// CHECK: linalg.matmul
// CHECK: linalg.pooling_nchw_max
// CHECK: linalg.pack
func.func @named(%a: tensor<8x8xf32>, %v: tensor<8xf32>, %x: tensor<1x1x8x8xf32>, %y: tensor<1x1x6x6xf32>, %p: tensor<2x8x4xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x1x6x6xf32>, tensor<2x8x4xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.add ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.reduce {arith.maximumf} ins(%a : tensor<8x8xf32>) outs(%v : tensor<8xf32>) dimensions = [1]
  %2 = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %3 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %4 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x1x8x8xf32>, tensor<3x3xf32>) outs(%y : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
  %5 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %p : tensor<8x8xf32> -> tensor<2x8x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<1x1x6x6xf32>, tensor<2x8x4xf32>
}

// -----

// CHECK-LABEL: @softmax(
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%a: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %e = tensor.empty() : tensor<8x9xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) -> tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

// -----

// A pad becomes a fill and an insertion, a concatenation several insertions into one tensor.
// CHECK-LABEL: @assembled(
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.concat
// CHECK: %[[F:.*]] = linalg.fill ins({{.*}}) outs({{.*}} : tensor<4x7xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %[[F]][1, 2] [3, 5] [1, 1]
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x10xf32>
// CHECK: %[[L:.*]] = tensor.insert_slice %{{.*}} into %[[E]][0, 0] [3, 5] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[L]][0, 5] [3, 5] [1, 1]
func.func @assembled(%a: tensor<3x5xf32>) -> (tensor<4x7xf32>, tensor<3x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[1, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x5xf32> to tensor<4x7xf32>
  %1 = tensor.concat dim(1) %a, %a : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x10xf32>
  return %0, %1 : tensor<4x7xf32>, tensor<3x10xf32>
}

// -----

// A constant that repeats one value becomes a fill. Other constants, and one of a single element, stay.
// CHECK-LABEL: @constants(
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: arith.constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-DAG: linalg.fill ins({{.*}} : f32) outs({{.*}} : tensor<500xf32>)
func.func @constants() -> (tensor<2xf32>, tensor<1xf32>, tensor<500xf32>) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = arith.constant dense<3.0> : tensor<1xf32>
  %2 = arith.constant dense<7.0> : tensor<500xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<1xf32>, tensor<500xf32>
}

// -----

// Exporters share inits among many ops; each user gets its own, so that none is copied.
// CHECK-LABEL: @shared(
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @shared(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%a, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// An unused result is not computed.
// CHECK-LABEL: @dead_result(
// CHECK: linalg.generic
// CHECK-NOT: math.exp
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: return
#id = affine_map<(i) -> (i)>
func.func @dead_result(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %s = arith.addf %x, %x : f32
    %t = math.exp %x : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}

// -----

// Near misses: dynamic shapes stay; functions on buffers have no destinations to share.
// CHECK-LABEL: @dynamic(
// CHECK: linalg.add
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @buffers(
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
func.func @buffers(%a: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  return
}

// -----

// A strided slice must not drop one dimension of size 1 and keep another: upstream's lowering cannot distinguish them.
// CHECK-LABEL: @extract_drops_with_steps
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[0, 2, 2, 21] [1, 1, 3, 1] [1, 2, 1, 2] : tensor<1x4x11x33xf32> to tensor<1x1x3x1xf32>
// CHECK: tensor.collapse_shape %[[SLICE]] {{.*}} : tensor<1x1x3x1xf32> into tensor<1x1x3xf32>
func.func @extract_drops_with_steps(%x: tensor<1x4x11x33xf32>) -> tensor<1x1x3xf32> {
  %0 = tensor.extract_slice %x[0, 2, 2, 21] [1, 1, 3, 1] [1, 2, 1, 2] : tensor<1x4x11x33xf32> to tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

// CHECK-LABEL: @insert_drops_with_steps
// CHECK: %[[SOURCE:.*]] = tensor.expand_shape %{{.*}} : tensor<1x3xf32> into tensor<1x3x1xf32>
// CHECK: tensor.insert_slice %[[SOURCE]] into %{{.*}}[0, 2, 1] [1, 3, 1] [1, 2, 1] : tensor<1x3x1xf32> into tensor<4x11x33xf32>
func.func @insert_drops_with_steps(%x: tensor<1x3xf32>, %into: tensor<4x11x33xf32>) -> tensor<4x11x33xf32> {
  %0 = tensor.insert_slice %x into %into[0, 2, 1] [1, 3, 1] [1, 2, 1] : tensor<1x3xf32> into tensor<4x11x33xf32>
  return %0 : tensor<4x11x33xf32>
}

// -----

// Near miss: all dimensions of size 1 are dropped.
// CHECK-LABEL: @extract_drops_all_units
// CHECK: tensor.extract_slice %{{.*}} : tensor<1x4x11x33xf32> to tensor<3xf32>
func.func @extract_drops_all_units(%x: tensor<1x4x11x33xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %x[0, 2, 2, 21] [1, 1, 3, 1] [1, 2, 2, 2] : tensor<1x4x11x33xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A reshaped empty tensor has no data either: it is one that a join can provide.
// CHECK-LABEL: @reshaped_empty
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x6x1xf32>
// CHECK-NOT: tensor.expand_shape
func.func @reshaped_empty(%x: f32) -> tensor<4x6x1xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %r = tensor.expand_shape %e [[0], [1, 2]] output_shape [4, 6, 1] : tensor<4x6xf32> into tensor<4x6x1xf32>
  %0 = linalg.fill ins(%x : f32) outs(%r : tensor<4x6x1xf32>) -> tensor<4x6x1xf32>
  return %0 : tensor<4x6x1xf32>
}

// -----

// Queries and keys of attention are slices of a transposed product: each slice is transposed instead.
// CHECK-LABEL: @slices_of_transposed(
// CHECK-SAME: %[[X:.*]]: tensor<16x64x2x4x8xf32>
// CHECK: %[[QS:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 1, 0] [16, 64, 1, 3, 8] [1, 1, 1, 1, 1] : tensor<16x64x2x4x8xf32> to tensor<16x64x1x3x8xf32>
// CHECK: %[[QT:.*]] = linalg.transpose ins(%[[QS]] : tensor<16x64x1x3x8xf32>) outs(%{{.*}} : tensor<1x16x3x64x8xf32>) permutation = [2, 0, 3, 1, 4]
// CHECK: %[[Q:.*]] = tensor.collapse_shape %[[QT]] {{.*}} : tensor<1x16x3x64x8xf32> into tensor<16x3x64x8xf32>
// CHECK: %[[KS:.*]] = tensor.extract_slice %[[X]][0, 0, 1, 0, 0] [16, 64, 1, 4, 8] [1, 1, 1, 1, 1] : tensor<16x64x2x4x8xf32> to tensor<16x64x1x4x8xf32>
// CHECK: %[[K:.*]] = linalg.transpose ins(%[[KS]] : tensor<16x64x1x4x8xf32>) outs(%{{.*}} : tensor<1x16x4x64x8xf32>) permutation = [2, 0, 3, 1, 4]
// CHECK: return %[[Q]], %[[K]]
func.func @slices_of_transposed(%x: tensor<16x64x2x4x8xf32>) -> (tensor<16x3x64x8xf32>, tensor<1x16x4x64x8xf32>) {
  %e = tensor.empty() : tensor<2x16x4x64x8xf32>
  %t = linalg.transpose ins(%x : tensor<16x64x2x4x8xf32>) outs(%e : tensor<2x16x4x64x8xf32>) permutation = [2, 0, 3, 1, 4]
  %q = tensor.extract_slice %t[0, 0, 1, 0, 0] [1, 16, 3, 64, 8] [1, 1, 1, 1, 1] : tensor<2x16x4x64x8xf32> to tensor<16x3x64x8xf32>
  %k = tensor.extract_slice %t[1, 0, 0, 0, 0] [1, 16, 4, 64, 8] [1, 1, 1, 1, 1] : tensor<2x16x4x64x8xf32> to tensor<1x16x4x64x8xf32>
  return %q, %k : tensor<16x3x64x8xf32>, tensor<1x16x4x64x8xf32>
}

// In a loop, the whole is transposed before it.
// CHECK-LABEL: @slices_in_a_loop(
// CHECK: linalg.transpose
// CHECK: scf.for
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @slices_in_a_loop(%x: tensor<4x8x16xf32>, %out: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %empty = tensor.empty() : tensor<4x16x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8x16xf32>) outs(%empty : tensor<4x16x8xf32>) permutation = [0, 2, 1]
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %out) -> tensor<16x8xf32> {
    %s = tensor.extract_slice %t[%i, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<16x8xf32>
    %n = linalg.add ins(%sum, %s : tensor<16x8xf32>, tensor<16x8xf32>) outs(%sum : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %n : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// Another reader needs the whole transposition.
// CHECK-LABEL: @transposed_is_read(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<4x6xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[T]]
// CHECK: return %[[T]], %[[S]]
func.func @transposed_is_read(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  %s = tensor.extract_slice %t[1, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
  return %t, %s : tensor<6x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func @constant_without_elements
func.func @constant_without_elements() -> tensor<3x0xi64> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<3x0xi64>
  // CHECK-NEXT: return %[[E]]
  %0 = arith.constant dense<> : tensor<3x0xi64>
  return %0 : tensor<3x0xi64>
}
