// Reductions of few outputs, on one thread and in parts on three, give the results of plain loops.
// RUN: tpp-run %s --entry=mean --threads=1 --check=reference
// RUN: tpp-run %s --entry=mean --threads=3 --check=reference
// RUN: tpp-run %s --entry=products --threads=3 --check=reference
// RUN: tpp-run %s --entry=maximum --threads=1 --check=reference
// RUN: tpp-run %s --entry=maximum --threads=3 --check=reference
// RUN: tpp-run %s --entry=all_outputs --threads=3 --check=reference

func.func @mean(%x: tensor<1x57x57x24xf32>) -> tensor<1x24xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 3249.0 : f32
  %e = tensor.empty() : tensor<1x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24xf32>) -> tensor<1x24xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1x57x57x24xf32>) outs(%z : tensor<1x24xf32>) dimensions = [1, 2]
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x24xf32>) outs(%e : tensor<1x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %a, %n : f32
    linalg.yield %d : f32
  } -> tensor<1x24xf32>
  return %m : tensor<1x24xf32>
}

func.func @products(%x: tensor<405x300xf32>, %y: tensor<405x300xf32>, %start: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x, %y : tensor<405x300xf32>, tensor<405x300xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// The neutral element of maxnumf is NaN, which the op promises not to meet.
func.func @maximum(%x: tensor<66x64x16xf32>, %start: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%x : tensor<66x64x16xf32>) outs(%start : tensor<16xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.maxnumf %e, %o fastmath<nnan> : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// Both loops are marked as reductions, though one is over the outputs.
func.func @all_outputs(%x: tensor<240x256xf32>, %start: tensor<240xf32>) -> tensor<240xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<240x256xf32>) outs(%start : tensor<240xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<240xf32>
  return %r : tensor<240xf32>
}
