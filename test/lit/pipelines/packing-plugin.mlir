// A strategy of an out-of-tree library: on an op, by flag, in tpp-opt and in tpp-run. Its answers are validated like those of any
// strategy.
// RUN: tpp-opt %s --load-dialect-plugin=%packing_strategy --tpp-default-tensors=entry=main | FileCheck %s
// RUN: tpp-opt %s --load-dialect-plugin=%packing_strategy '--tpp-packing=#narrow.panels<16>' --tpp-default-tensors=entry=plain | FileCheck %s --check-prefix=FLAG
// RUN: tpp-run %s --load-dialect-plugin=%packing_strategy --entry=main --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-run %s --load-dialect-plugin=%packing_strategy '--packing=#narrow.panels<16>' --entry=plain --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: tpp-opt %s --load-dialect-plugin=%packing_strategy --tpp-default-tensors=entry=chain | FileCheck %s --check-prefix=TILES
// RUN: tpp-run %s --load-dialect-plugin=%packing_strategy --entry=chain --threads=1 --check=reference | FileCheck %s --check-prefix=EQUAL
// RUN: not tpp-opt %s --load-dialect-plugin=%packing_strategy '--tpp-packing=#narrow.panels<16, -8>' --tpp-default-tensors=entry=plain 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tpp-opt %s --load-dialect-plugin=%packing_strategy '--tpp-packing=#narrow.panels<-5>' --tpp-default-tensors=entry=plain 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tpp-run %s --load-dialect-plugin=%packing_strategy '--packing=#narrow.panels<18>' --entry=plain 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not tpp-run %s --entry=plain 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tpp-run %s --load-dialect-plugin=nowhere.so 2>&1 | FileCheck %s --check-prefix=NOWHERE
// UNSUPPORTED: sanitizer

// EQUAL: check
// NEGATIVE: packing-plugin.mlir:{{.*}}: error: 'tpp.contract' op cannot be packed by #narrow.panels<-5>: panel must not be negative, got -5
// ROWS: cannot be packed by #narrow.panels<16, -8>: the sizes of a tile of a must not be negative, got -8 x 16
// ODD: cannot be packed by #narrow.panels<18>: panel = 18 is no multiple of the {{4|8|16}} columns that a vector of the target holds
// UNKNOWN: error: {{.*}}narrow
// NOWHERE: tpp-run: error: --load-dialect-plugin: {{.*}}nowhere.so

// CHECK-LABEL: @main(
// CHECK: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, by = "narrow panels">, tpp.packing = #narrow.panels<32>
func.func @main(%x: tensor<24x40xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<40x64xf32>
  %e = tensor.empty() : tensor<24x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul {tpp.packing = #narrow.panels<32>} ins(%x, %w : tensor<24x40xf32>, tensor<40x64xf32>) outs(%z : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %0 : tensor<24x64xf32>
}

// FLAG-LABEL: @plain(
// FLAG: tpp.contract {{.*}} tpp.chosen_packing = #tpp.packing<panel = 16, by = "narrow panels">
func.func @plain(%x: tensor<24x40xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<40x64xf32>
  %e = tensor.empty() : tensor<24x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x64xf32>) outs(%z : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %0 : tensor<24x64xf32>
}

// The strategy also chooses tiles of 8 rows and 32 columns for A and C: only the argument is moved.
// TILES-LABEL: func.func @chain(
// TILES: %[[A:.*]] = linalg.pack %arg0 {{.*}} inner_tiles = [8, 32] {{.*}} -> tensor<3x2x8x32xf32>
// TILES-NOT: linalg.{{pack|unpack|transpose}}
// TILES: %[[C:.*]] = tpp.contract ins(%[[A]], {{.*}} outs(%{{.*}} : tensor<3x4x8x32xf32>) {{.*}} tpp.chosen_packing = #tpp.packing<panel = 32, a = [8, 32], c = [8, 32], by = "narrow panels">, tpp.tiled}
// TILES-NOT: linalg.{{pack|unpack|transpose}}
// TILES: tpp.contract ins(%[[C]],
func.func @chain(%x: tensor<24x64xf32>) -> tensor<24x64xf32> attributes {tpp.packing = #narrow.panels<32, 8>} {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense<0.5> : tensor<64x128xf32>
  %w1 = arith.constant dense<0.25> : tensor<128x64xf32>
  %e0 = tensor.empty() : tensor<24x128xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<24x128xf32>) -> tensor<24x128xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<24x64xf32>, tensor<64x128xf32>) outs(%z0 : tensor<24x128xf32>) -> tensor<24x128xf32>
  %e1 = tensor.empty() : tensor<24x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<24x128xf32>, tensor<128x64xf32>) outs(%z1 : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %1 : tensor<24x64xf32>
}
