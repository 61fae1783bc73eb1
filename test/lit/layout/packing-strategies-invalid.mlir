// Packings that fit no kernel or not this contraction, and record files with invalid contents.
// RUN: split-file %s %t
// RUN: cd %t && tpp-opt %t/sizes.mlir --tpp-assign-layouts --split-input-file -verify-diagnostics
// RUN: cd %t && tpp-opt %t/files.mlir --tpp-assign-layouts --split-input-file -verify-diagnostics

//--- sizes.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 1>} {
func.func @panel(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 20>} {
  // expected-error @below {{'tpp.contract' op cannot be packed by #tpp.packing_fixed<panel = 20>: panel = 20 is no multiple of the 16 columns that a vector of the target holds}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
}

// -----

// Another target accepts the same packing.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.target = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536], cores = 1>} {
func.func @panel(%x: tensor<8x30xf32>, %w: tensor<30x60xf32>, %e: tensor<8x60xf32>) -> tensor<8x60xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 20>} {
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x60xf32>) outs(%e : tensor<8x60xf32>) {beta = 0 : i64, extents = array<i64: 8, 60, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x60xf32>
  return %0 : tensor<8x60xf32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {tpp.target = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 1>} {
func.func @columns(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{nc = 24 is no multiple of the 16 columns that a vector of the target holds}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = [], tpp.packing = #tpp.packing_fixed<panel = 64, nc = 24>} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @sums(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_fixed<panel = 64, small_batch = <panel = 64, kc = 16>>} {
  // expected-error @below {{kc = 16 does not divide the 30 steps of the sum}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

//--- missing-version.json
{"records": []}
//--- newer.json
{"version": 2, "records": []}
//--- count.json
{"version": 1, "records": [{"shape": [8, 64, 30], "packing": {"panel": 64}}]}
//--- zero.json
{"version": 1, "records": [{"shape": [1, 8, 64, 0], "packing": {"panel": 64}}]}
//--- key.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "block": 3}}]}
//--- order.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "order": "hilbert"}}]}
//--- types.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "types": ["f32"], "packing": {"panel": 64}}]}
//--- isa.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "isa": "vax", "packing": {"panel": 64}}]}
//--- panel.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"mc": 64}}]}
//--- text.json
{"version": 1, "records": [
//--- negative.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": -64}}]}

//--- tile.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "a": [8]}}]}
//--- tile-number.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "c": 8}}]}
//--- tile-text.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "c": [8, "all"]}}]}
//--- tile-negative.json
{"version": 1, "records": [{"shape": [1, 8, 64, 30], "packing": {"panel": 64, "a": [-8, 6]}}]}

//--- twice.json
{
  "version": 1,
  "records": [
    {"shape": [1, 8, 64, 30], "packing": {"panel": 64}},
    {"shape": [1, 8, 64, 31], "packing": {"panel": 64,
                                          "mc": 8, "m\u0063": 16}}
  ]
}
//--- second.json
{
  "version": 1,
  "machine": {"records": [{"version": "\"}"}, 2]},
  "records": [
    {"shape": [1, 8, 64, 31], "packing": {"panel": 64, "mc": 8}},
    {"shape": [1, 8, 64, 30], "packing": {"panel": 64},
     "types": "f32"}
  ]
}
//--- odd.json
{"version": 1, "records": [{"shape": [1, 9, 64, 30], "packing": {"panel": 64}}, {"shape": [1, 8, 64, 30], "packing": {"panel": 64, "kc": 16}}]}

//--- files.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"nowhere.json">} {
  // expected-error @below {{tuned packings cannot be used: nowhere.json: cannot read: No such file or directory}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"missing-version.json">} {
  // expected-error @below {{missing-version.json: 'version' is missing}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"newer.json">} {
  // expected-error @below {{newer.json: 'version' is 2, this is a reader of version 1}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"count.json">} {
  // expected-error @below {{count.json:1: records[0]: 'shape' must have 4 entries, batch, m, n and k, not 3}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"zero.json">} {
  // expected-error @below {{zero.json:1: records[0]: the entries of 'shape' must be positive integers, or null for any}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"key.json">} {
  // expected-error @below {{key.json:1: records[0].packing: 'block' is no key; keys are panel, kc, mc, nc, a, c, order}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"order.json">} {
  // expected-error @below {{order.json:1: records[0].packing: 'order' must be auto, rows, columns, blocked or curve, not 'hilbert'}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"types.json">} {
  // expected-error @below {{types.json:1: records[0]: 'types' must be 3 element types (f32, bf16, ...), those of A, B and C}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"isa.json">} {
  // expected-error @below {{isa.json:1: records[0]: 'isa' must be one of avx512, avx2, sse4, neon, portable, not 'vax'}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"panel.json">} {
  // expected-error @below {{panel.json:1: records[0].packing: 'panel' is missing}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"text.json">} {
  // expected-error @below {{text.json: [}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"negative.json">} {
  // expected-error @below {{negative.json, records[0]: panel must not be negative, got -64}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"twice.json">} {
  // expected-error @below {{tuned packings cannot be used: twice.json:6: 'mc' is given twice}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"second.json">} {
  // expected-error @below {{second.json:6: records[1]: 'types' must be a list}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"odd.json">} {
  // expected-error @below {{cannot be packed by #tpp.packing_tuned<"odd.json">: odd.json, records[1]: kc = 16 does not divide the 30 steps of the sum}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"tile.json">} {
  // expected-error @below {{tile.json:1: records[0].packing: 'a' must hold two integers, the rows and the columns of a tile}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"tile-number.json">} {
  // expected-error @below {{tile-number.json:1: records[0].packing: 'c' must be a list}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"tile-text.json">} {
  // expected-error @below {{tile-text.json:1: records[0].packing: 'c' must hold two integers, the rows and the columns of a tile}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%x: tensor<8x30xf32>, %w: tensor<30x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tpp.packing = #tpp.packing_tuned<"tile-negative.json">} {
  // expected-error @below {{tile-negative.json, records[0]: the sizes of a tile of a must not be negative, got -8 x 6}}
  %0 = tpp.contract ins(%x, %w : tensor<8x30xf32>, tensor<30x64xf32>) outs(%e : tensor<8x64xf32>) {beta = 0 : i64, extents = array<i64: 8, 64, 30>, indexing_maps = [#a, #b, #c], post_ops = []} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
