// A tile size that is known only at run time.
// RUN: tpp-opt %s --tpp-lower-relayouts -verify-diagnostics

func.func @dynamic_tile(%w: tensor<4x128xf32>, %t: index, %d: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{linalg.pack cannot be lowered: its shape or tiles are dynamic}}
  %0 = linalg.pack %w padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [%t] into %d : tensor<4x128xf32> -> tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}
