// RUN: tpp-opt %s --tpp-lower-parallel-loops --verify-diagnostics

func.func @tensors(%a: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{has results: tensors must be buffers when parallel loops are lowered}}
  %0 = scf.forall (%i) in (64) shared_outs(%out = %a) -> tensor<64xf32> {
    %v = tensor.from_elements %one : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}
