// Ops without a kernel give the same results in vector code as in plain loops, tails included.
// RUN: tpp-run %s --entry=tails --check=reference
// RUN: tpp-run %s --entry=named --check=reference
// RUN: tpp-run %s --entry=types --check=reference
// RUN: tpp-run %s --entry=comparisons --check=reference
// RUN: tpp-run %s --entry=broadcasts --check=reference
// RUN: tpp-run %s --entry=transposes --check=reference
// RUN: tpp-run %s --entry=reductions --check=reference
// RUN: tpp-run %s --entry=integer_reductions --check=reference
// RUN: tpp-run %s --entry=softmax --check=reference
// RUN: tpp-run %s --entry=layer_norm --check=reference
// RUN: tpp-run %s --entry=argmax --check=reference
// RUN: tpp-run %s --entry=pooling --check=reference
// RUN: tpp-run %s --entry=indices --check=reference
// RUN: tpp-run %s --entry=masked --check=reference
// RUN: tpp-run %s --entry=gather --check=reference
// RUN: tpp-run %s --entry=long_row --threads=2 --check=reference
// RUN: tpp-run %s --entry=scan --check=reference

#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Extents around the length of a vector.
func.func @tails(%a: tensor<1xf32>, %b: tensor<15xf32>, %c: tensor<16xf32>, %d: tensor<17xf32>, %f: tensor<3x35xf32>) -> (tensor<1xf32>, tensor<15xf32>, tensor<16xf32>, tensor<17xf32>, tensor<3x35xf32>) {
  %ea = tensor.empty() : tensor<1xf32>
  %eb = tensor.empty() : tensor<15xf32>
  %ec = tensor.empty() : tensor<16xf32>
  %ed = tensor.empty() : tensor<17xf32>
  %ef = tensor.empty() : tensor<3x35xf32>
  %0 = linalg.exp ins(%a : tensor<1xf32>) outs(%ea : tensor<1xf32>) -> tensor<1xf32>
  %1 = linalg.exp ins(%b : tensor<15xf32>) outs(%eb : tensor<15xf32>) -> tensor<15xf32>
  %2 = linalg.exp ins(%c : tensor<16xf32>) outs(%ec : tensor<16xf32>) -> tensor<16xf32>
  %3 = linalg.exp ins(%d : tensor<17xf32>) outs(%ed : tensor<17xf32>) -> tensor<17xf32>
  %4 = linalg.exp ins(%f : tensor<3x35xf32>) outs(%ef : tensor<3x35xf32>) -> tensor<3x35xf32>
  return %0, %1, %2, %3, %4 : tensor<1xf32>, tensor<15xf32>, tensor<16xf32>, tensor<17xf32>, tensor<3x35xf32>
}

func.func @named(%a: tensor<5x21xf32>, %b: tensor<5x21xf32>) -> (tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>) {
  %e = tensor.empty() : tensor<5x21xf32>
  %0 = linalg.sub ins(%a, %b : tensor<5x21xf32>, tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %1 = linalg.div ins(%a, %b : tensor<5x21xf32>, tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %2 = linalg.max ins(%a, %b : tensor<5x21xf32>, tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %3 = linalg.abs ins(%a : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %4 = linalg.sqrt ins(%3 : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %5 = linalg.tanh ins(%a : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %6 = linalg.erf ins(%a : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %7 = linalg.round ins(%a : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %8 = linalg.floor ins(%a : tensor<5x21xf32>) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  return %0, %1, %2, %4, %5, %6, %7, %8, %3 : tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>, tensor<5x21xf32>
}

// Other widths, and conversions between them.
func.func @types(%d: tensor<3x19xf64>, %i: tensor<3x19xi32>, %j: tensor<3x19xi64>, %h: tensor<3x19xf16>, %s: tensor<3x19xi8>, %b: tensor<3x19xbf16>) -> (tensor<3x19xf64>, tensor<3x19xf32>, tensor<3x19xi64>, tensor<3x19xf32>, tensor<3x19xi32>, tensor<3x19xbf16>) {
  %ed = tensor.empty() : tensor<3x19xf64>
  %ef = tensor.empty() : tensor<3x19xf32>
  %ej = tensor.empty() : tensor<3x19xi64>
  %ei = tensor.empty() : tensor<3x19xi32>
  %eb = tensor.empty() : tensor<3x19xbf16>
  %0 = linalg.add ins(%d, %d : tensor<3x19xf64>, tensor<3x19xf64>) outs(%ed : tensor<3x19xf64>) -> tensor<3x19xf64>
  %1 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3x19xi32>) outs(%ef : tensor<3x19xf32>) {
  ^bb0(%x: i32, %o: f32):
    %y = arith.sitofp %x : i32 to f32
    linalg.yield %y : f32
  } -> tensor<3x19xf32>
  %2 = linalg.mul ins(%j, %j : tensor<3x19xi64>, tensor<3x19xi64>) outs(%ej : tensor<3x19xi64>) -> tensor<3x19xi64>
  %3 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<3x19xf16>) outs(%ef : tensor<3x19xf32>) {
  ^bb0(%x: f16, %o: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<3x19xf32>
  %4 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<3x19xi8>) outs(%ei : tensor<3x19xi32>) {
  ^bb0(%x: i8, %o: i32):
    %y = arith.extsi %x : i8 to i32
    linalg.yield %y : i32
  } -> tensor<3x19xi32>
  %5 = linalg.add ins(%b, %b : tensor<3x19xbf16>, tensor<3x19xbf16>) outs(%eb : tensor<3x19xbf16>) -> tensor<3x19xbf16>
  return %0, %1, %2, %3, %4, %5 : tensor<3x19xf64>, tensor<3x19xf32>, tensor<3x19xi64>, tensor<3x19xf32>, tensor<3x19xi32>, tensor<3x19xbf16>
}

// Booleans in memory: written, read again, and as arguments.
func.func @comparisons(%a: tensor<3x19xf32>, %b: tensor<3x19xf32>, %m: tensor<3x19xi1>) -> (tensor<3x19xi1>, tensor<3x19xf32>, tensor<3x19xi1>) {
  %em = tensor.empty() : tensor<3x19xi1>
  %e = tensor.empty() : tensor<3x19xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<3x19xf32>, tensor<3x19xf32>) outs(%em : tensor<3x19xi1>) {
  ^bb0(%x: f32, %y: f32, %o: i1):
    %r = arith.cmpf olt, %x, %y : f32
    linalg.yield %r : i1
  } -> tensor<3x19xi1>
  %1 = linalg.select ins(%m, %a, %b : tensor<3x19xi1>, tensor<3x19xf32>, tensor<3x19xf32>) outs(%e : tensor<3x19xf32>) -> tensor<3x19xf32>
  %2 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%m, %0 : tensor<3x19xi1>, tensor<3x19xi1>) outs(%em : tensor<3x19xi1>) {
  ^bb0(%x: i1, %y: i1, %o: i1):
    %r = arith.andi %x, %y : i1
    linalg.yield %r : i1
  } -> tensor<3x19xi1>
  return %0, %1, %2 : tensor<3x19xi1>, tensor<3x19xf32>, tensor<3x19xi1>
}

func.func @broadcasts(%a: tensor<7x19xf32>, %row: tensor<19xf32>, %col: tensor<7xf32>, %one: tensor<f32>, %c1: tensor<7x1xf32>) -> (tensor<7x19xf32>, tensor<4x7x19xf32>, tensor<7x19x4xf32>) {
  %e = tensor.empty() : tensor<7x19xf32>
  %0 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, 0)>, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%a, %row, %col, %one, %c1 : tensor<7x19xf32>, tensor<19xf32>, tensor<7xf32>, tensor<f32>, tensor<7x1xf32>) outs(%e : tensor<7x19xf32>) {
  ^bb0(%x: f32, %r: f32, %c: f32, %s: f32, %k: f32, %o: f32):
    %1 = arith.addf %x, %r : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.subf %2, %s : f32
    %4 = arith.addf %3, %k : f32
    linalg.yield %4 : f32
  } -> tensor<7x19xf32>
  %e1 = tensor.empty() : tensor<4x7x19xf32>
  %5 = linalg.broadcast ins(%a : tensor<7x19xf32>) outs(%e1 : tensor<4x7x19xf32>) dimensions = [0]
  %e2 = tensor.empty() : tensor<7x19x4xf32>
  %6 = linalg.broadcast ins(%a : tensor<7x19xf32>) outs(%e2 : tensor<7x19x4xf32>) dimensions = [2]
  return %0, %5, %6 : tensor<7x19xf32>, tensor<4x7x19xf32>, tensor<7x19x4xf32>
}

// Squares, tails, narrow matrices, batches, other types.
func.func @transposes(%a: tensor<130x67xf32>, %b: tensor<5x67x3xf32>, %c: tensor<4x5x6x7xf32>, %d: tensor<9x20xf64>, %f: tensor<9x20xi8>) -> (tensor<67x130xf32>, tensor<5x3x67xf32>, tensor<7x4x6x5xf32>, tensor<6x4x5x7xf32>, tensor<20x9xf64>, tensor<20x9xi8>) {
  %e0 = tensor.empty() : tensor<67x130xf32>
  %0 = linalg.transpose ins(%a : tensor<130x67xf32>) outs(%e0 : tensor<67x130xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<5x3x67xf32>
  %1 = linalg.transpose ins(%b : tensor<5x67x3xf32>) outs(%e1 : tensor<5x3x67xf32>) permutation = [0, 2, 1]
  %e2 = tensor.empty() : tensor<7x4x6x5xf32>
  %2 = linalg.transpose ins(%c : tensor<4x5x6x7xf32>) outs(%e2 : tensor<7x4x6x5xf32>) permutation = [3, 0, 2, 1]
  %e3 = tensor.empty() : tensor<6x4x5x7xf32>
  %3 = linalg.transpose ins(%c : tensor<4x5x6x7xf32>) outs(%e3 : tensor<6x4x5x7xf32>) permutation = [2, 0, 1, 3]
  %e4 = tensor.empty() : tensor<20x9xf64>
  %4 = linalg.transpose ins(%d : tensor<9x20xf64>) outs(%e4 : tensor<20x9xf64>) permutation = [1, 0]
  %e5 = tensor.empty() : tensor<20x9xi8>
  %5 = linalg.transpose ins(%f : tensor<9x20xi8>) outs(%e5 : tensor<20x9xi8>) permutation = [1, 0]
  return %0, %1, %2, %3, %4, %5 : tensor<67x130xf32>, tensor<5x3x67xf32>, tensor<7x4x6x5xf32>, tensor<6x4x5x7xf32>, tensor<20x9xf64>, tensor<20x9xi8>
}

// Over the inner, outer, middle and every dimension; extents around four vectors; with an initial value that is not neutral.
func.func @reductions(%a: tensor<7x83xf32>, %b: tensor<5x6x19xf32>, %init: tensor<7xf32>) -> (tensor<7xf32>, tensor<83xf32>, tensor<5x19xf32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<7xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<7xf32>) -> tensor<7xf32>
  %e1 = tensor.empty() : tensor<83xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<83xf32>) -> tensor<83xf32>
  %e2 = tensor.empty() : tensor<5x19xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<5x19xf32>) -> tensor<5x19xf32>
  %e3 = tensor.empty() : tensor<f32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<f32>) -> tensor<f32>
  %l0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<7xf32>) -> tensor<7xf32>
  %0 = linalg.reduce {arith.addf} ins(%a : tensor<7x83xf32>) outs(%z0 : tensor<7xf32>) dimensions = [1]
  %1 = linalg.reduce {arith.addf} ins(%a : tensor<7x83xf32>) outs(%z1 : tensor<83xf32>) dimensions = [0]
  %2 = linalg.reduce {arith.addf} ins(%b : tensor<5x6x19xf32>) outs(%z2 : tensor<5x19xf32>) dimensions = [1]
  %3 = linalg.reduce {arith.addf} ins(%b : tensor<5x6x19xf32>) outs(%z3 : tensor<f32>) dimensions = [0, 1, 2]
  %4 = linalg.reduce {arith.maximumf} ins(%a : tensor<7x83xf32>) outs(%l0 : tensor<7xf32>) dimensions = [1]
  %5 = linalg.reduce {arith.addf} ins(%a : tensor<7x83xf32>) outs(%init : tensor<7xf32>) dimensions = [1]
  return %0, %1, %2, %3, %4, %5 : tensor<7xf32>, tensor<83xf32>, tensor<5x19xf32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>
}

func.func @integer_reductions(%a: tensor<7x83xi32>, %b: tensor<7x83xi64>, %m: tensor<7x83xi1>, %d: tensor<7x83xf64>) -> (tensor<7xi32>, tensor<83xi32>, tensor<7xi64>, tensor<7xi1>, tensor<7xf64>) {
  %zero = arith.constant 0 : i32
  %wide = arith.constant 0 : i64
  %true = arith.constant true
  %half = arith.constant 0.0 : f64
  %e0 = tensor.empty() : tensor<7xi32>
  %z0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<7xi32>) -> tensor<7xi32>
  %e1 = tensor.empty() : tensor<83xi32>
  %z1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<83xi32>) -> tensor<83xi32>
  %e2 = tensor.empty() : tensor<7xi64>
  %z2 = linalg.fill ins(%wide : i64) outs(%e2 : tensor<7xi64>) -> tensor<7xi64>
  %e3 = tensor.empty() : tensor<7xi1>
  %z3 = linalg.fill ins(%true : i1) outs(%e3 : tensor<7xi1>) -> tensor<7xi1>
  %e4 = tensor.empty() : tensor<7xf64>
  %z4 = linalg.fill ins(%half : f64) outs(%e4 : tensor<7xf64>) -> tensor<7xf64>
  %0 = linalg.reduce {arith.addi} ins(%a : tensor<7x83xi32>) outs(%z0 : tensor<7xi32>) dimensions = [1]
  %1 = linalg.reduce {arith.maxsi} ins(%a : tensor<7x83xi32>) outs(%z1 : tensor<83xi32>) dimensions = [0]
  %2 = linalg.reduce {arith.addi} ins(%b : tensor<7x83xi64>) outs(%z2 : tensor<7xi64>) dimensions = [1]
  %3 = linalg.reduce {arith.andi} ins(%m : tensor<7x83xi1>) outs(%z3 : tensor<7xi1>) dimensions = [1]
  %4 = linalg.reduce {arith.addf} ins(%d : tensor<7x83xf64>) outs(%z4 : tensor<7xf64>) dimensions = [1]
  return %0, %1, %2, %3, %4 : tensor<7xi32>, tensor<83xi32>, tensor<7xi64>, tensor<7xi1>, tensor<7xf64>
}

func.func @softmax(%a: tensor<7x83xf32>, %b: tensor<3x5x19xf32>) -> (tensor<7x83xf32>, tensor<3x5x19xf32>) {
  %e0 = tensor.empty() : tensor<7x83xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<7x83xf32>) outs(%e0 : tensor<7x83xf32>) -> tensor<7x83xf32>
  %e1 = tensor.empty() : tensor<3x5x19xf32>
  %1 = linalg.softmax dimension(1) ins(%b : tensor<3x5x19xf32>) outs(%e1 : tensor<3x5x19xf32>) -> tensor<3x5x19xf32>
  return %0, %1 : tensor<7x83xf32>, tensor<3x5x19xf32>
}

// As torch-mlir writes it: the variance is summed in f64.
func.func @layer_norm(%x: tensor<7x83xf32>, %gamma: tensor<83xf32>, %beta: tensor<83xf32>) -> tensor<7x83xf32> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 83.0 : f64
  %eps = arith.constant 1.0e-5 : f64
  %ed = tensor.empty() : tensor<7xf64>
  %zd = linalg.fill ins(%zero : f64) outs(%ed : tensor<7xf64>) -> tensor<7xf64>
  %sum = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x83xf32>) outs(%zd : tensor<7xf64>) {
  ^bb0(%v: f32, %acc: f64):
    %w = arith.extf %v : f32 to f64
    %s = arith.addf %acc, %w : f64
    linalg.yield %s : f64
  } -> tensor<7xf64>
  %mean = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%sum : tensor<7xf64>) outs(%ed : tensor<7xf64>) {
  ^bb0(%v: f64, %o: f64):
    %m = arith.divf %v, %count : f64
    linalg.yield %m : f64
  } -> tensor<7xf64>
  %squares = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : tensor<7x83xf32>, tensor<7xf64>) outs(%zd : tensor<7xf64>) {
  ^bb0(%v: f32, %m: f64, %acc: f64):
    %w = arith.extf %v : f32 to f64
    %c = arith.subf %w, %m : f64
    %q = arith.mulf %c, %c : f64
    %s = arith.addf %q, %acc : f64
    linalg.yield %s : f64
  } -> tensor<7xf64>
  %e = tensor.empty() : tensor<7x83xf32>
  %r = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%x, %mean, %squares, %gamma, %beta : tensor<7x83xf32>, tensor<7xf64>, tensor<7xf64>, tensor<83xf32>, tensor<83xf32>) outs(%e : tensor<7x83xf32>) {
  ^bb0(%v: f32, %m: f64, %q: f64, %g: f32, %b: f32, %o: f32):
    %variance = arith.divf %q, %count : f64
    %shifted = arith.addf %variance, %eps : f64
    %scale64 = math.rsqrt %shifted : f64
    %scale = arith.truncf %scale64 : f64 to f32
    %m32 = arith.truncf %m : f64 to f32
    %c = arith.subf %v, %m32 : f32
    %n = arith.mulf %c, %scale : f32
    %ng = arith.mulf %n, %g : f32
    %nb = arith.addf %ng, %b : f32
    linalg.yield %nb : f32
  } -> tensor<7x83xf32>
  return %r : tensor<7x83xf32>
}

// The largest value and its index in one loop; the value is a second result.
func.func @argmax(%x: tensor<7x83xf32>) -> (tensor<7xi64>, tensor<7xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %ef = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%low : f32) outs(%ef : tensor<7xf32>) -> tensor<7xf32>
  %ei = tensor.empty() : tensor<7xi64>
  %i = linalg.fill ins(%first : i64) outs(%ei : tensor<7xi64>) -> tensor<7xi64>
  %r:2 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x83xf32>) outs(%f, %i : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%v: f32, %best: f32, %at: i64):
    %index = linalg.index 1 : index
    %here = arith.index_cast %index : index to i64
    %max = arith.maximumf %v, %best : f32
    %new = arith.cmpf ogt, %v, %best : f32
    %where = arith.select %new, %here, %at : i64
    linalg.yield %max, %where : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  return %r#1, %r#0 : tensor<7xi64>, tensor<7xf32>
}

func.func @pooling(%x: tensor<2x5x9x11xf32>, %y: tensor<1x9x11x20xf32>) -> (tensor<2x5x4x5xf32>, tensor<2x5x7x9xf32>, tensor<1x4x5x20xf32>, tensor<2x5x1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e0 = tensor.empty() : tensor<2x5x4x5xf32>
  %l0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<2x5x4x5xf32>) -> tensor<2x5x4x5xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x5x9x11xf32>, tensor<3x3xf32>) outs(%l0 : tensor<2x5x4x5xf32>) -> tensor<2x5x4x5xf32>
  %e1 = tensor.empty() : tensor<2x5x7x9xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x5x7x9xf32>) -> tensor<2x5x7x9xf32>
  %1 = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x5x9x11xf32>, tensor<3x3xf32>) outs(%z1 : tensor<2x5x7x9xf32>) -> tensor<2x5x7x9xf32>
  %e2 = tensor.empty() : tensor<1x4x5x20xf32>
  %l2 = linalg.fill ins(%low : f32) outs(%e2 : tensor<1x4x5x20xf32>) -> tensor<1x4x5x20xf32>
  %2 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%y, %w : tensor<1x9x11x20xf32>, tensor<3x3xf32>) outs(%l2 : tensor<1x4x5x20xf32>) -> tensor<1x4x5x20xf32>
  %all = tensor.empty() : tensor<9x11xf32>
  %e3 = tensor.empty() : tensor<2x5x1x1xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %3 = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %all : tensor<2x5x9x11xf32>, tensor<9x11xf32>) outs(%z3 : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  return %0, %1, %2, %3 : tensor<2x5x4x5xf32>, tensor<2x5x7x9xf32>, tensor<1x4x5x20xf32>, tensor<2x5x1x1xf32>
}

// Indices as values: of every dimension, including a reduced one and one of extent 1.
func.func @indices(%x: tensor<7x1x19xi64>) -> (tensor<7x1x19xi64>, tensor<7x19xi32>, tensor<7xindex>) {
  %e0 = tensor.empty() : tensor<7x1x19xi64>
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<7x1x19xi64>) outs(%e0 : tensor<7x1x19xi64>) {
  ^bb0(%v: i64, %o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %ij = arith.addi %i, %j : index
    %s = arith.muli %ij, %k : index
    %c = arith.index_cast %s : index to i64
    %r = arith.addi %c, %v : i64
    linalg.yield %r : i64
  } -> tensor<7x1x19xi64>
  %e1 = tensor.empty() : tensor<7x19xi32>
  %1 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e1 : tensor<7x19xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %s = arith.subi %i, %k : index
    %c = arith.index_cast %s : index to i32
    linalg.yield %c : i32
  } -> tensor<7x19xi32>
  %zero = arith.constant 0 : index
  %e2 = tensor.empty() : tensor<7xindex>
  %z2 = linalg.fill ins(%zero : index) outs(%e2 : tensor<7xindex>) -> tensor<7xindex>
  %2 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<7x19xi32>) outs(%z2 : tensor<7xindex>) {
  ^bb0(%v: i32, %acc: index):
    %k = linalg.index 1 : index
    %w = arith.index_cast %v : i32 to index
    %p = arith.muli %w, %k : index
    %s = arith.addi %acc, %p : index
    linalg.yield %s : index
  } -> tensor<7xindex>
  return %0, %1, %2 : tensor<7x1x19xi64>, tensor<7x19xi32>, tensor<7xindex>
}

// A causal mask: i1 between two generics, broadcast over the heads.
func.func @masked(%x: tensor<3x19x19xf32>) -> tensor<3x19x19xf32> {
  %low = arith.constant -1.0e+30 : f32
  %em = tensor.empty() : tensor<19x19xi1>
  %m = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%em : tensor<19x19xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.cmpi uge, %i, %j : index
    linalg.yield %r : i1
  } -> tensor<19x19xi1>
  %e = tensor.empty() : tensor<3x19x19xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m, %x : tensor<19x19xi1>, tensor<3x19x19xf32>) outs(%e : tensor<3x19x19xf32>) {
  ^bb0(%b: i1, %v: f32, %o: f32):
    %r = arith.select %b, %v, %low : f32
    linalg.yield %r : f32
  } -> tensor<3x19x19xf32>
  return %0 : tensor<3x19x19xf32>
}

// An embedding: rows of a table by index.
func.func @gather(%ids: tensor<5xi64>, %table: tensor<4x37xf32>) -> tensor<5x37xf32> {
  %e = tensor.empty() : tensor<5x37xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<5xi64>) outs(%e : tensor<5x37xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<4x37xf32>
    linalg.yield %v : f32
  } -> tensor<5x37xf32>
  return %0 : tensor<5x37xf32>
}

// One dimension with a tail, long enough to be split among threads.
func.func @long_row(%x: tensor<20003xf32>) -> tensor<20003xf32> {
  %e = tensor.empty() : tensor<20003xf32>
  %0 = linalg.add ins(%x, %x : tensor<20003xf32>, tensor<20003xf32>) outs(%e : tensor<20003xf32>) -> tensor<20003xf32>
  return %0 : tensor<20003xf32>
}

// Not a plain combiner: the accumulator is scaled before the element is added.
func.func @scan(%x: tensor<7x83xf32>) -> tensor<7xf32> {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x83xf32>) outs(%z : tensor<7xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %d = arith.mulf %acc, %half : f32
    %s = arith.addf %d, %v : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
