// Booleans in memory become vector code in all positions: no entry has scalar loops, and all results equal those of plain loops.
// RUN: tpp-run %s --entry=edges --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=reductions --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=outer_reductions --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=moved --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=constants --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=safe_softmax --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=safe_softmax --threads=2 --check=reference | FileCheck %s

// CHECK-NOT: {{^(scalar|remark)}}
// CHECK: {{^check .*reference}}

#id = affine_map<(d0, d1) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

// Arguments and results; one that is only passed through, and scalars.
func.func @edges(%m: tensor<7x83xi1>, %a: tensor<7x83xf32>, %p: tensor<i1>) -> (tensor<7x83xf32>, tensor<7x83xi1>, tensor<7x83xi1>, tensor<i1>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<7x83xf32>
  %e1 = tensor.empty() : tensor<7x83xi1>
  %0 = linalg.generic {indexing_maps = [#id, #id, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %a, %p : tensor<7x83xi1>, tensor<7x83xf32>, tensor<i1>) outs(%e0 : tensor<7x83xf32>) {
  ^bb0(%x: i1, %v: f32, %s: i1, %o: f32):
    %both = arith.xori %x, %s : i1
    %r = arith.select %both, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<7x83xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %a : tensor<7x83xi1>, tensor<7x83xf32>) outs(%e1 : tensor<7x83xi1>) {
  ^bb0(%x: i1, %v: f32, %o: i1):
    %q = arith.cmpf ogt, %v, %zero : f32
    %r = arith.ori %x, %q : i1
    linalg.yield %r : i1
  } -> tensor<7x83xi1>
  return %0, %1, %m, %p : tensor<7x83xf32>, tensor<7x83xi1>, tensor<7x83xi1>, tensor<i1>
}

// Every way to combine booleans; as a signed value, true is -1. One element decides the result of each row, so that both results
// occur.
func.func @reductions(%m: tensor<70x83xi1>, %init: tensor<70xi1>) -> (tensor<70x83xi1>, tensor<70x83xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>) {
  %true = arith.constant true
  %false = arith.constant false
  %em = tensor.empty() : tensor<70x83xi1>
  %any, %all = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<70x83xi1>) outs(%em, %em : tensor<70x83xi1>, tensor<70x83xi1>) {
  ^bb0(%x: i1, %o: i1, %u: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %here = arith.cmpi eq, %i, %j : index
    %elsewhere = arith.cmpi ne, %i, %j : index
    %p = arith.andi %x, %here : i1
    %q = arith.ori %x, %elsewhere : i1
    linalg.yield %p, %q : i1, i1
  } -> (tensor<70x83xi1>, tensor<70x83xi1>)
  %e = tensor.empty() : tensor<70xi1>
  %ones = linalg.fill ins(%true : i1) outs(%e : tensor<70xi1>) -> tensor<70xi1>
  %zeros = linalg.fill ins(%false : i1) outs(%e : tensor<70xi1>) -> tensor<70xi1>
  %0 = linalg.reduce {arith.andi} ins(%all : tensor<70x83xi1>) outs(%ones : tensor<70xi1>) dimensions = [1]
  %1 = linalg.reduce {arith.ori} ins(%any : tensor<70x83xi1>) outs(%zeros : tensor<70xi1>) dimensions = [1]
  %2 = linalg.reduce {arith.maxui} ins(%any : tensor<70x83xi1>) outs(%zeros : tensor<70xi1>) dimensions = [1]
  %3 = linalg.reduce {arith.minui} ins(%all : tensor<70x83xi1>) outs(%ones : tensor<70xi1>) dimensions = [1]
  %4 = linalg.reduce {arith.maxsi} ins(%all : tensor<70x83xi1>) outs(%ones : tensor<70xi1>) dimensions = [1]
  %5 = linalg.reduce {arith.minsi} ins(%any : tensor<70x83xi1>) outs(%zeros : tensor<70xi1>) dimensions = [1]
  %6 = linalg.reduce {arith.addi} ins(%m : tensor<70x83xi1>) outs(%zeros : tensor<70xi1>) dimensions = [1]
  %7 = linalg.reduce {arith.muli} ins(%all : tensor<70x83xi1>) outs(%ones : tensor<70xi1>) dimensions = [1]
  %8 = linalg.reduce {arith.ori} ins(%any : tensor<70x83xi1>) outs(%init : tensor<70xi1>) dimensions = [1]
  return %any, %all, %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<70x83xi1>, tensor<70x83xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>, tensor<70xi1>
}

func.func @outer_reductions(%m: tensor<5x83xi1>, %n: tensor<5x6x19xi1>) -> (tensor<83xi1>, tensor<83xi1>, tensor<5x19xi1>, tensor<i1>) {
  %true = arith.constant true
  %false = arith.constant false
  %e0 = tensor.empty() : tensor<83xi1>
  %e1 = tensor.empty() : tensor<5x19xi1>
  %e2 = tensor.empty() : tensor<i1>
  %z0 = linalg.fill ins(%true : i1) outs(%e0 : tensor<83xi1>) -> tensor<83xi1>
  %z1 = linalg.fill ins(%false : i1) outs(%e0 : tensor<83xi1>) -> tensor<83xi1>
  %z2 = linalg.fill ins(%false : i1) outs(%e1 : tensor<5x19xi1>) -> tensor<5x19xi1>
  %z3 = linalg.fill ins(%false : i1) outs(%e2 : tensor<i1>) -> tensor<i1>
  %0 = linalg.reduce {arith.andi} ins(%m : tensor<5x83xi1>) outs(%z0 : tensor<83xi1>) dimensions = [0]
  %1 = linalg.reduce {arith.ori} ins(%m : tensor<5x83xi1>) outs(%z1 : tensor<83xi1>) dimensions = [0]
  %2 = linalg.reduce {arith.maxui} ins(%n : tensor<5x6x19xi1>) outs(%z2 : tensor<5x19xi1>) dimensions = [1]
  %3 = linalg.reduce {arith.addi} ins(%n : tensor<5x6x19xi1>) outs(%z3 : tensor<i1>) dimensions = [0, 1, 2]
  return %0, %1, %2, %3 : tensor<83xi1>, tensor<83xi1>, tensor<5x19xi1>, tensor<i1>
}

// Ops that only move elements: a transpose (gathered), a slice, a reshape, a broadcast, a pad, a concatenation.
func.func @moved(%m: tensor<12x35xi1>) -> (tensor<35x12xi1>, tensor<9x20xi1>, tensor<12x5x7xi1>, tensor<4x12x35xi1>, tensor<14x38xi1>, tensor<24x35xi1>) {
  %true = arith.constant true
  %e0 = tensor.empty() : tensor<35x12xi1>
  %0 = linalg.transpose ins(%m : tensor<12x35xi1>) outs(%e0 : tensor<35x12xi1>) permutation = [1, 0]
  %1 = tensor.extract_slice %m[2, 5] [9, 20] [1, 1] : tensor<12x35xi1> to tensor<9x20xi1>
  %2 = tensor.expand_shape %m [[0], [1, 2]] output_shape [12, 5, 7] : tensor<12x35xi1> into tensor<12x5x7xi1>
  %e3 = tensor.empty() : tensor<4x12x35xi1>
  %3 = linalg.broadcast ins(%m : tensor<12x35xi1>) outs(%e3 : tensor<4x12x35xi1>) dimensions = [0]
  %4 = tensor.pad %m low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %true : i1
  } : tensor<12x35xi1> to tensor<14x38xi1>
  %5 = tensor.concat dim(0) %m, %m : (tensor<12x35xi1>, tensor<12x35xi1>) -> tensor<24x35xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<35x12xi1>, tensor<9x20xi1>, tensor<12x5x7xi1>, tensor<4x12x35xi1>, tensor<14x38xi1>, tensor<24x35xi1>
}

// A constant mask, read in vectors.
func.func @constants(%a: tensor<8x21xf32>) -> tensor<8x21xf32> {
  %mask = arith.constant dense<[true, false, true, true, false, false, true, false, true, true, true, false, false, false, true, true, false, true, false, true, true]> : tensor<21xi1>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x21xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %a : tensor<21xi1>, tensor<8x21xf32>) outs(%e : tensor<8x21xf32>) {
  ^bb0(%x: i1, %v: f32, %o: f32):
    %r = arith.select %x, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x21xf32>
  return %0 : tensor<8x21xf32>
}

// The end of PyTorch's _safe_softmax: zero for rows that are -infinity throughout. Those are the rows after row 30; the others
// have a causal mask.
func.func @safe_softmax(%x: tensor<1x3x37x37xf32>, %y: tensor<1x3x37x37xf32>) -> tensor<1x3x37x37xf32> {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 30 : index
  %low = arith.constant 0xFF800000 : f32
  %low64 = arith.constant 0xFFF0000000000000 : f64
  %e = tensor.empty() : tensor<1x3x37x37xf32>
  %masked = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x37x37xf32>) outs(%e : tensor<1x3x37x37xf32>) {
  ^bb0(%v: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %q = arith.cmpi ugt, %j, %i : index
    %t = arith.cmpi ugt, %i, %last : index
    %p = arith.ori %q, %t : i1
    %r = arith.select %p, %low, %v : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %em = tensor.empty() : tensor<1x3x37x37xi1>
  %m = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked : tensor<1x3x37x37xf32>) outs(%em : tensor<1x3x37x37xi1>) {
  ^bb0(%v: f32, %o: i1):
    %w = arith.extf %v : f32 to f64
    %r = arith.cmpf oeq, %w, %low64 : f64
    linalg.yield %r : i1
  } -> tensor<1x3x37x37xi1>
  %er = tensor.empty() : tensor<1x3x37x1xi1>
  %ones = linalg.fill ins(%true : i1) outs(%er : tensor<1x3x37x1xi1>) -> tensor<1x3x37x1xi1>
  %all = linalg.generic {indexing_maps = [#id4, #row4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%m : tensor<1x3x37x37xi1>) outs(%ones : tensor<1x3x37x1xi1>) {
  ^bb0(%p: i1, %o: i1):
    %r = arith.andi %p, %o : i1
    linalg.yield %r : i1
  } -> tensor<1x3x37x1xi1>
  %0 = linalg.generic {indexing_maps = [#row4, #id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%all, %y : tensor<1x3x37x1xi1>, tensor<1x3x37x37xf32>) outs(%e : tensor<1x3x37x37xf32>) {
  ^bb0(%p: i1, %v: f32, %o: f32):
    %r = arith.select %p, %zero, %v : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  return %0 : tensor<1x3x37x37xf32>
}
