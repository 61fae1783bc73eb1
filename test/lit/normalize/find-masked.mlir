// Columns of scores that a mask of constants and indices hides are recorded on both contractions.
// RUN: tpp-opt %s --tpp-find-masked --split-input-file | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// 40 rows in groups of 16. The mask comes from indices in one op and is added in the next.
// CHECK-LABEL: @causal(
// CHECK: linalg.matmul {tpp.visible = array<i64: 0, 40, 40, 16, 0, 16, 0, 32, 0, 40>}
// CHECK: linalg.matmul {tpp.visible = array<i64: 1, 40, 40, 16, 0, 16, 0, 32, 0, 40>}
func.func @causal(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<40x40xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%is : tensor<40x40xf32>) -> tensor<40x40xf32>
  %mask = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%es : tensor<40x40xf32>) {
  ^bb0(%c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ii = arith.index_cast %i : index to i64
    %jj = arith.index_cast %j : index to i64
    %seen = arith.cmpi sle, %jj, %ii : i64
    %m = arith.select %seen, %zero, %least : f32
    linalg.yield %m : f32
  } -> tensor<40x40xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<40x40xf32>, tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<40x40xf32>
  %er = tensor.empty() : tensor<40xf32>
  %im = linalg.fill ins(%least : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<40x40xf32>) outs(%im : tensor<40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.maximumf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<40xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%masked, %max : tensor<40x40xf32>, tensor<40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %eo = tensor.empty() : tensor<40x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<40x8xf32>) -> tensor<40x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%io : tensor<40x8xf32>) -> tensor<40x8xf32>
  return %o : tensor<40x8xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A window of 10 columns, from constants of i64 that are shifted, extended and looked up; scores are scaled before. -1e32 hides as -inf does.
// CHECK-LABEL: @window(
// CHECK: linalg.matmul {tpp.visible = array<i64: 0, 24, 24, 16, 0, 16, 7, 24>}
// CHECK: linalg.matmul {tpp.visible = array<i64: 1, 24, 24, 16, 0, 16, 7, 24>}
func.func @window(%q: tensor<24x8xf32>, %k: tensor<8x24xf32>, %v: tensor<24x8xf32>) -> tensor<24x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+32 : f32
  %scale = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i64
  %most = arith.constant 23 : index
  %first = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]> : tensor<23xi64>
  %en = tensor.empty() : tensor<24xi64>
  %last = arith.constant dense<23> : tensor<1xi64>
  %n0 = tensor.insert_slice %first into %en[0] [23] [1] : tensor<23xi64> into tensor<24xi64>
  %n = tensor.insert_slice %last into %n0[23] [1] [1] : tensor<1xi64> into tensor<24xi64>
  %es = tensor.empty() : tensor<24x24xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<24x24xf32>) -> tensor<24x24xf32>
  %s = linalg.matmul ins(%q, %k : tensor<24x8xf32>, tensor<8x24xf32>) outs(%is : tensor<24x24xf32>) -> tensor<24x24xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<24x24xf32>) outs(%es : tensor<24x24xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.mulf %a, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<24x24xf32>
  %masked = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%scaled, %n, %n : tensor<24x24xf32>, tensor<24xi64>, tensor<24xi64>) outs(%es : tensor<24x24xf32>) {
  ^bb0(%a: f32, %i: i64, %j: i64, %c: f32):
    %index = arith.index_cast %j : i64 to index
    %jj = tensor.extract %n[%index] : tensor<24xi64>
    %apart = arith.subi %i, %jj : i64
    %old = arith.cmpi sge, %apart, %c0 : i64
    %new = arith.cmpi slt, %apart, %c10 : i64
    %seen = arith.andi %old, %new : i1
    %m = arith.select %seen, %a, %low : f32
    linalg.yield %m : f32
  } -> tensor<24x24xf32>
  %er = tensor.empty() : tensor<24xf32>
  %im = linalg.fill ins(%low : f32) outs(%er : tensor<24xf32>) -> tensor<24xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<24x24xf32>) outs(%im : tensor<24xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.maximumf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<24xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%masked, %max : tensor<24x24xf32>, tensor<24xf32>) outs(%es : tensor<24x24xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<24x24xf32>
  %eo = tensor.empty() : tensor<24x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<24x8xf32>) -> tensor<24x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<24x24xf32>, tensor<24x8xf32>) outs(%io : tensor<24x8xf32>) -> tensor<24x8xf32>
  return %o : tensor<24x8xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// In each case something else depends on hidden elements: their mean before the exponential, the scores as a result, a sum that hides no row of its own
// (row 0), a mask that the program gets.
// CHECK-NOT: tpp.visible
func.func @mean(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<40x40xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%is : tensor<40x40xf32>) -> tensor<40x40xf32>
  %er = tensor.empty() : tensor<40xf32>
  %im = linalg.fill ins(%zero : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %mean = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<40x40xf32>) outs(%im : tensor<40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<40xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%s, %mean : tensor<40x40xf32>, tensor<40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ule, %j, %i : index
    %m = arith.select %seen, %a, %least : f32
    %0 = arith.subf %m, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %eo = tensor.empty() : tensor<40x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<40x8xf32>) -> tensor<40x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%io : tensor<40x8xf32>) -> tensor<40x8xf32>
  return %o : tensor<40x8xf32>
}

func.func @returned(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>) -> (tensor<40x8xf32>, tensor<40x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<40x40xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%is : tensor<40x40xf32>) -> tensor<40x40xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ule, %j, %i : index
    %m = arith.select %seen, %a, %least : f32
    linalg.yield %m : f32
  } -> tensor<40x40xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%masked : tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %eo = tensor.empty() : tensor<40x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<40x8xf32>) -> tensor<40x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%io : tensor<40x8xf32>) -> tensor<40x8xf32>
  return %o, %masked : tensor<40x8xf32>, tensor<40x40xf32>
}

func.func @whole_row(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<40x40xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%is : tensor<40x40xf32>) -> tensor<40x40xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ult, %j, %i : index
    %m = arith.select %seen, %a, %least : f32
    linalg.yield %m : f32
  } -> tensor<40x40xf32>
  %e = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %eo = tensor.empty() : tensor<40x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<40x8xf32>) -> tensor<40x8xf32>
  %o = linalg.matmul ins(%e, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%io : tensor<40x8xf32>) -> tensor<40x8xf32>
  return %o : tensor<40x8xf32>
}

func.func @given(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>, %mask: tensor<40x40xf32>) -> tensor<40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<40x40xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%is : tensor<40x40xf32>) -> tensor<40x40xf32>
  %m = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<40x40xf32>, tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<40x40xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<40x40xf32>) outs(%es : tensor<40x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %eo = tensor.empty() : tensor<40x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<40x8xf32>) -> tensor<40x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%io : tensor<40x8xf32>) -> tensor<40x8xf32>
  return %o : tensor<40x8xf32>
}

// -----

#all = affine_map<(h, i, j) -> (h, i, j)>

// The second head sees more than the first: columns that one of them sees are visible.
// CHECK-LABEL: @heads(
// CHECK: linalg.batch_matmul {tpp.visible = array<i64: 0, 16, 300, 16, 0, 80>}
// CHECK: linalg.batch_matmul {tpp.visible = array<i64: 1, 16, 300, 16, 0, 80>}
func.func @heads(%q: tensor<2x16x8xf32>, %k: tensor<2x8x300xf32>, %v: tensor<2x300x8xf32>) -> tensor<2x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %forty = arith.constant 40 : index
  %es = tensor.empty() : tensor<2x16x300xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<2x16x300xf32>) -> tensor<2x16x300xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x16x8xf32>, tensor<2x8x300xf32>) outs(%is : tensor<2x16x300xf32>) -> tensor<2x16x300xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x16x300xf32>) outs(%es : tensor<2x16x300xf32>) {
  ^bb0(%a: f32, %c: f32):
    %h = linalg.index 0 : index
    %j = linalg.index 2 : index
    %more = arith.muli %h, %forty : index
    %end = arith.addi %more, %forty : index
    %seen = arith.cmpi ult, %j, %end : index
    %0 = arith.select %seen, %a, %least : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x300xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m : tensor<2x16x300xf32>) outs(%es : tensor<2x16x300xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x300xf32>
  %eo = tensor.empty() : tensor<2x16x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x16x300xf32>, tensor<2x300x8xf32>) outs(%io : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %o : tensor<2x16x8xf32>
}

// The last of 300 columns have negative numbers in 8 bits.
// CHECK-LABEL: @wraps(
// CHECK-NOT: tpp.visible
func.func @wraps(%q: tensor<2x16x8xf32>, %k: tensor<2x8x300xf32>, %v: tensor<2x300x8xf32>) -> tensor<2x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %hundred = arith.constant 100 : i8
  %es = tensor.empty() : tensor<2x16x300xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<2x16x300xf32>) -> tensor<2x16x300xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x16x8xf32>, tensor<2x8x300xf32>) outs(%is : tensor<2x16x300xf32>) -> tensor<2x16x300xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x16x300xf32>) outs(%es : tensor<2x16x300xf32>) {
  ^bb0(%a: f32, %c: f32):
    %j = linalg.index 2 : index
    %jj = arith.index_cast %j : index to i8
    %seen = arith.cmpi slt, %jj, %hundred : i8
    %0 = arith.select %seen, %a, %least : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x300xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m : tensor<2x16x300xf32>) outs(%es : tensor<2x16x300xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x300xf32>
  %eo = tensor.empty() : tensor<2x16x8xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x16x300xf32>, tensor<2x300x8xf32>) outs(%io : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %o : tensor<2x16x8xf32>
}

// Contractions that the program has already are left alone.
// CHECK-LABEL: @given_contraction(
// CHECK-NOT: tpp.visible
func.func @given_contraction(%q: tensor<16x8xf32>, %k: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %least = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<16x16xf32>
  %s = tpp.contract ins(%q, %k : tensor<16x8xf32>, tensor<8x16xf32>) outs(%es : tensor<16x16xf32>)
    {beta = 0 : i64, extents = array<i64: 16, 16, 8>, indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], post_ops = []} -> tensor<16x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<16x16xf32>) outs(%es : tensor<16x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ule, %j, %i : index
    %0 = arith.select %seen, %a, %least : f32
    linalg.yield %0 : f32
  } -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}
