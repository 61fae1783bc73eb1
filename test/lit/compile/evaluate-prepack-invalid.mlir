// RUN: tpp-opt %s --tpp-evaluate-prepack --split-input-file --verify-diagnostics
// RUN: not tpp-opt %s --tpp-evaluate-prepack=threads=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=THREADS -DGOT=0
// RUN: not tpp-opt %s --tpp-evaluate-prepack=threads=100000 --split-input-file 2>&1 | FileCheck %s --check-prefix=THREADS -DGOT=100000
// THREADS: error: tpp-evaluate-prepack: threads must be from 1 to 1024, got [[GOT]]

// expected-error @+1 {{has no function @NAME with a function @NAME_prepack: run this pass after tpp-default-tensors or tpp-loops-tensors, on a model with constants}}
module {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

func.func @f(%w: tensor<4xf32> {tpp.weight = 0 : i64}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
// expected-error @+1 {{has arguments, whose values are known only when the model runs}}
func.func @f_prepack(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

func.func @f(%w: memref<4xf32> {tpp.weight = 0 : i64}) {
  return
}
memref.global "private" @w : memref<4xf32>
// expected-error @+1 {{is not on tensors: run this pass before bufferization, after tpp-default-tensors or tpp-loops-tensors}}
func.func @f_prepack() -> memref<4xf32> {
  %w = memref.get_global @w : memref<4xf32>
  return %w : memref<4xf32>
}

// -----

// The output of tpp-default: results have become arguments.
func.func @f(%w: memref<4xf32> {tpp.weight = 0 : i64}) {
  return
}
// expected-error @+1 {{is not on tensors}}
func.func @f_prepack(%w: memref<4xf32> {tpp.result}) {
  return
}

// -----

func.func @f(%w: tensor<2xf32>) {
  return
}
// expected-error @+1 {{has the name of the function that computes the weights of @f, but is called or does not return one result for each of its 0 weights: rename it}}
func.func @f_prepack() -> tensor<2xf32> {
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %w : tensor<2xf32>
}

// -----

// The resource has no data.
func.func @f(%w: tensor<2xf32> {tpp.weight = 0 : i64}) {
  return
}
// expected-error @+1 {{cannot be run: the model does not hold the data of resource 'absent'}}
func.func @f_prepack() -> tensor<2xf32> {
  %w = arith.constant dense_resource<absent> : tensor<2xf32>
  return %w : tensor<2xf32>
}
