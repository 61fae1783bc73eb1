#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x7x8xf32>) -> (tensor<1x7x8xf32>, tensor<1x2x7x7xf32>) {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense_resource<torch_tensor_8_torch.float32_8> : tensor<8xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_8_12_torch.float32> : tensor<8x12xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_12_8_torch.float32> : tensor<12x8xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_8_torch.float32_7> : tensor<8xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_8_torch.float32_6> : tensor<8xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_8_torch.float32_5> : tensor<8xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_8_8_torch.float32_3> : tensor<8x8xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_4> : tensor<8xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_8_8_torch.float32_2> : tensor<8x8xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_8_8_torch.float32_1> : tensor<8x8xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_8_8_torch.float32> : tensor<8x8xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_8_torch.float32_1> : tensor<8xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_20 = arith.constant 1.000000e-05 : f64
    %cst_21 = arith.constant 8.000000e+00 : f64
    %cst_22 = arith.constant 8.000000e+00 : f32
    %cst_23 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x7x8xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x8xf32>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %89 = arith.extf %in : f32 to f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %2 = tensor.empty() : tensor<1x7x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x7x1xf64>) -> tensor<1x7x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x7x8xf64>) outs(%3 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.addf %in, %out : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x7x1xf64>) outs(%2 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.divf %in, %cst_21 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x7x8xf64>, tensor<1x7x1xf64>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %89 = arith.subf %in, %in_48 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x7x8xf64>, tensor<1x7x8xf64>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %89 = arith.mulf %in, %in_48 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x7x8xf64>) outs(%3 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.addf %in, %out : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x7x1xf64>) outs(%2 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.divf %in, %cst_21 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %10 = tensor.empty() : tensor<1x7x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x7x1xf64>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %89 = arith.truncf %in : f64 to f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x7x8xf32>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst_22 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.truncf %cst_20 : f64 to f32
      %90 = arith.addf %in, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x7x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.rsqrt %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %17 = tensor.empty() : tensor<1x7x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x7x8xf32>, tensor<1x7x1xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.subf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x7x8xf32>, tensor<1x7x1xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.mulf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_19 : tensor<1x7x8xf32>, tensor<8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.mulf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_18 : tensor<1x7x8xf32>, tensor<8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<1x7x8xf32> into tensor<7x8xf32>
    %22 = tensor.empty() : tensor<8x8xf32>
    %transposed = linalg.transpose ins(%cst_17 : tensor<8x8xf32>) outs(%22 : tensor<8x8xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<7x8xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<7x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x8xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<7x8xf32>, tensor<7x8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x8xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 7, 2, 4] : tensor<7x8xf32> into tensor<1x7x2x4xf32>
    %28 = tensor.empty() : tensor<1x2x7x4xf32>
    %transposed_24 = linalg.transpose ins(%expanded : tensor<1x7x2x4xf32>) outs(%28 : tensor<1x2x7x4xf32>) permutation = [0, 2, 1, 3] 
    %transposed_25 = linalg.transpose ins(%cst_15 : tensor<8x8xf32>) outs(%22 : tensor<8x8xf32>) permutation = [1, 0] 
    %29 = linalg.matmul ins(%collapsed, %transposed_25 : tensor<7x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x8xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%29, %30 : tensor<7x8xf32>, tensor<7x8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x8xf32>
    %expanded_26 = tensor.expand_shape %31 [[0, 1], [2, 3]] output_shape [1, 7, 2, 4] : tensor<7x8xf32> into tensor<1x7x2x4xf32>
    %transposed_27 = linalg.transpose ins(%cst_13 : tensor<8x8xf32>) outs(%22 : tensor<8x8xf32>) permutation = [1, 0] 
    %32 = linalg.matmul ins(%collapsed, %transposed_27 : tensor<7x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x8xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%32, %33 : tensor<7x8xf32>, tensor<7x8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x8xf32>
    %expanded_28 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [1, 7, 2, 4] : tensor<7x8xf32> into tensor<1x7x2x4xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x7x2x4xf32>) outs(%28 : tensor<1x2x7x4xf32>) permutation = [0, 2, 1, 3] 
    %35 = tensor.empty() : tensor<1x2x4x7xf32>
    %transposed_30 = linalg.transpose ins(%expanded_26 : tensor<1x7x2x4xf32>) outs(%35 : tensor<1x2x4x7xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_31 = tensor.collapse_shape %transposed_24 [[0, 1], [2], [3]] : tensor<1x2x7x4xf32> into tensor<2x7x4xf32>
    %collapsed_32 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x2x4x7xf32> into tensor<2x4x7xf32>
    %36 = tensor.empty() : tensor<2x7x7xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
    %38 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<2x7x4xf32>, tensor<2x4x7xf32>) outs(%37 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
    %expanded_33 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 7, 7] : tensor<2x7x7xf32> into tensor<1x2x7x7xf32>
    %39 = tensor.empty() : tensor<1x2x7x7xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x2x7x7xf32>) outs(%39 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.mulf %in, %cst_3 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x7x7xf32>
    %41 = tensor.empty() : tensor<1x2x7xi64>
    %42 = linalg.fill ins(%c0_i64 : i64) outs(%41 : tensor<1x2x7xi64>) -> tensor<1x2x7xi64>
    %43 = tensor.empty() : tensor<1x2x7xf32>
    %44 = linalg.fill ins(%cst_1 : f32) outs(%43 : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
    %45:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x2x7x7xf32>) outs(%44, %42 : tensor<1x2x7xf32>, tensor<1x2x7xi64>) {
    ^bb0(%in: f32, %out: f32, %out_48: i64):
      %89 = linalg.index 3 : index
      %90 = arith.index_cast %89 : index to i64
      %91 = arith.maximumf %in, %out : f32
      %92 = arith.cmpf ogt, %in, %out : f32
      %93 = arith.select %92, %90, %out_48 : i64
      linalg.yield %91, %93 : f32, i64
    } -> (tensor<1x2x7xf32>, tensor<1x2x7xi64>)
    %expanded_34 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 2, 7, 1] : tensor<1x2x7xf32> into tensor<1x2x7x1xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %expanded_34 : tensor<1x2x7x7xf32>, tensor<1x2x7x1xf32>) outs(%39 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.subf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x7x7xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x2x7x7xf32>) outs(%39 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.exp %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x7x7xf32>
    %48 = tensor.empty() : tensor<1x2x7x1xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<1x2x7x1xf32>) -> tensor<1x2x7x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x2x7x7xf32>) outs(%49 : tensor<1x2x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x7x1xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<1x2x7x7xf32>, tensor<1x2x7x1xf32>) outs(%39 : tensor<1x2x7x7xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.divf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x7x7xf32>
    %collapsed_35 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x2x7x7xf32> into tensor<2x7x7xf32>
    %collapsed_36 = tensor.collapse_shape %transposed_29 [[0, 1], [2], [3]] : tensor<1x2x7x4xf32> into tensor<2x7x4xf32>
    %52 = tensor.empty() : tensor<2x7x4xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
    %54 = linalg.batch_matmul ins(%collapsed_35, %collapsed_36 : tensor<2x7x7xf32>, tensor<2x7x4xf32>) outs(%53 : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
    %expanded_37 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 2, 7, 4] : tensor<2x7x4xf32> into tensor<1x2x7x4xf32>
    %55 = tensor.empty() : tensor<1x7x2x4xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<1x2x7x4xf32>) outs(%55 : tensor<1x7x2x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_39 = tensor.collapse_shape %transposed_38 [[0, 1], [2, 3]] : tensor<1x7x2x4xf32> into tensor<7x8xf32>
    %transposed_40 = linalg.transpose ins(%cst_11 : tensor<8x8xf32>) outs(%22 : tensor<8x8xf32>) permutation = [1, 0] 
    %56 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<7x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x8xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%56, %57 : tensor<7x8xf32>, tensor<7x8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x8xf32>
    %expanded_41 = tensor.expand_shape %58 [[0, 1], [2]] output_shape [1, 7, 8] : tensor<7x8xf32> into tensor<1x7x8xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_41 : tensor<1x7x8xf32>, tensor<1x7x8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x7x8xf32>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %89 = arith.extf %in : f32 to f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<1x7x8xf64>) outs(%3 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.addf %in, %out : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x7x1xf64>) outs(%2 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.divf %in, %cst_21 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %62 : tensor<1x7x8xf64>, tensor<1x7x1xf64>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %89 = arith.subf %in, %in_48 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %63 : tensor<1x7x8xf64>, tensor<1x7x8xf64>) outs(%0 : tensor<1x7x8xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %89 = arith.mulf %in, %in_48 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x8xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<1x7x8xf64>) outs(%3 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.addf %in, %out : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x7x1xf64>) outs(%2 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %89 = arith.divf %in, %cst_21 : f64
      linalg.yield %89 : f64
    } -> tensor<1x7x1xf64>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x7x1xf64>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %89 = arith.truncf %in : f64 to f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<1x7x8xf32>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst_22 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.truncf %cst_20 : f64 to f32
      %90 = arith.addf %in, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x7x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x7x1xf32>) outs(%10 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.rsqrt %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %69 : tensor<1x7x8xf32>, tensor<1x7x1xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.subf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %71 : tensor<1x7x8xf32>, tensor<1x7x1xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.mulf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %cst_9 : tensor<1x7x8xf32>, tensor<8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.mulf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %cst_8 : tensor<1x7x8xf32>, tensor<8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    %collapsed_42 = tensor.collapse_shape %75 [[0, 1], [2]] : tensor<1x7x8xf32> into tensor<7x8xf32>
    %76 = tensor.empty() : tensor<8x12xf32>
    %transposed_43 = linalg.transpose ins(%cst_7 : tensor<12x8xf32>) outs(%76 : tensor<8x12xf32>) permutation = [1, 0] 
    %77 = tensor.empty() : tensor<7x12xf32>
    %78 = linalg.fill ins(%cst_0 : f32) outs(%77 : tensor<7x12xf32>) -> tensor<7x12xf32>
    %79 = linalg.matmul ins(%collapsed_42, %transposed_43 : tensor<7x8xf32>, tensor<8x12xf32>) outs(%78 : tensor<7x12xf32>) -> tensor<7x12xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<12xf32>) outs(%77 : tensor<7x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x12xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%79, %80 : tensor<7x12xf32>, tensor<7x12xf32>) outs(%77 : tensor<7x12xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x12xf32>
    %expanded_44 = tensor.expand_shape %81 [[0, 1], [2]] output_shape [1, 7, 12] : tensor<7x12xf32> into tensor<1x7x12xf32>
    %82 = tensor.empty() : tensor<1x7x12xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<1x7x12xf32>) outs(%82 : tensor<1x7x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.divf %in, %cst_23 : f32
      %90 = math.erf %89 : f32
      %91 = arith.addf %90, %cst_2 : f32
      %92 = arith.mulf %91, %cst_3 : f32
      %93 = arith.mulf %in, %92 : f32
      linalg.yield %93 : f32
    } -> tensor<1x7x12xf32>
    %collapsed_45 = tensor.collapse_shape %83 [[0, 1], [2]] : tensor<1x7x12xf32> into tensor<7x12xf32>
    %84 = tensor.empty() : tensor<12x8xf32>
    %transposed_46 = linalg.transpose ins(%cst_5 : tensor<8x12xf32>) outs(%84 : tensor<12x8xf32>) permutation = [1, 0] 
    %85 = linalg.matmul ins(%collapsed_45, %transposed_46 : tensor<7x12xf32>, tensor<12x8xf32>) outs(%24 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x8xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%85, %86 : tensor<7x8xf32>, tensor<7x8xf32>) outs(%23 : tensor<7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<7x8xf32>
    %expanded_47 = tensor.expand_shape %87 [[0, 1], [2]] output_shape [1, 7, 8] : tensor<7x8xf32> into tensor<1x7x8xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %expanded_47 : tensor<1x7x8xf32>, tensor<1x7x8xf32>) outs(%17 : tensor<1x7x8xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %89 = arith.addf %in, %in_48 : f32
      linalg.yield %89 : f32
    } -> tensor<1x7x8xf32>
    return %88, %51 : tensor<1x7x8xf32>, tensor<1x2x7x7xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_torch.float32_8: "0x040000008C88123EC2184FBEE517783E5B9000BD13B377BE41F01FBE0CC7823E2C2B873E",
      torch_tensor_8_12_torch.float32: "0x040000005427523EDA9206BDBF0F2BBE3379643EFA083D3E7EC9AF3C95900BBE39D6873EB9C4F13DE96760BE5C758D3E3279603E4B7DD7BDBD2C263E65F527BE154D39BD45FF7A3ED86C433C590E51BECA99C5BDED7AA0BD1F1F64BDBD50E23CFDB0883E303A7D3C6F8436BE3A6A723CEEBC0D3E93A1123EE61487BE7C9553BD0EAD5BBE6542FCBD0302D53DB7EA51BE75C4DB3DD2E67A3EE71A9B3C170445BE09D2D3BD2C19813D005861BED9DB123E442F86BEAD148EBEF19C8FBE4ADE6FBDFEC5463E24E48BBEA2B3753E067FECBDB127AD3D9DAF573C8D4685BE0527753E6A2A1F3E0AEA923EA857153E5C1E43BEABB4763E4B317E3C122E0C3EFB056DBEF50BAABD861F91BE4445E6BD58157F3DAF1868BE9D74BC3D90AE1E3E9EB8243D84C845BEE52F65BEA765B6BDEBC1013E81CA913E02FB293E942605BD6B49CF3DB30091BEA6797CBE4DEE093E296F27BEA7360E3E07AD50BE626A12BE377C73BE02421A3ED8F6F0BC257F633ED0F0363EE691233E5616183CC0C9B6BD0B8C80BDB8241D3D",
      torch_tensor_12_torch.float32: "0x04000000D389EF3DF3F5B43EAAC63B3E8C0F613EE06BFDBD53B72D3E0767263D16ECACBDB3154CBE59254BBE794A8BBE2B0C733E",
      torch_tensor_12_8_torch.float32: "0x040000004A94A5BD5CCD80BC5F7F5CBE35E2F43DB7EDE43DA5FCEEBBB8D8A2BDE22B5FBEAF5D7A3E52C186BE9350143E3B79F3BD0DAC2EBEB113823D42103CBEB8D4A63DE7318E3DAB6786BE9B1D713DED331A3E5E4E0F3EB44A36BDBD6594BE2A3D5FBD457AFB3D811904BE4C6C093EAD1A713E000A3DBED280643BDFB3153EA901E33CDDEEF13C0ED3343DD54E8EBEAA9DE33C6BB37A3E771EA33EDFC9543EA00E423DC313293EDB1F30BE350296BE8FA99BBE2F96B43E7BD1653EDB407ABE1CA50D3E2FB3883E1AF3B43E4A489E3ED43E8C3E5E00A6BDE11BFEBD2FA0943E0CE14A3E05DE59BE50BDA23E0EEC2E3E315C453ED2EA62BED6BCCF3D96D5FDBDCE708D3E784A82BD39F20C3EA99C803D33091A3EB90FF6BD0A85303E9DDF7CBE5789A33DD2F374BE1695B2BE5E5E91BECBE88E3E36E0433ECFD5A93EB804913E93A8A1BE031177BE20FF69BD9E1E6BBEFC657B3E1EDA88BEA2A330BE98E1AEBEBD8B4DBE63E2943E1E36943E9994813E1CC58B3EBFF5A03ECF68B9BD3A4C1F3E9046A13E",
      torch_tensor_8_torch.float32_7: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_8_torch.float32_5: "0x040000000A8B383CF59B73BE655292BE8E49903ECCD06B3D972D963E79BDF2BDE947D53D",
      torch_tensor_8_8_torch.float32_3: "0x0400000021988DBE7FC13DBEFB2B923ED8E792BE13F9CFBC4312B33E23C8023EB401243C87DF9CBE9058333EC4EF80BE288ACDBD95F0F2BD147456BDFF717D3B5D4E953E33C9343D4123A23EAC765D3ECAE264BE3660223E78EC7FBEEB7019BEB3F7D43DA915EF3D48CE873E8C17E9BDF25E143AD3623A3EF80FAFBE9CDF823E5FB095BE6EAC9F3BE83576BD0DAD3EBE73673F3D33B0953E76A9D3BDB2F056BE5DE505BEC16AB3BE0D6C233EC1DF2DBE5D9A71BE2C9250BE0528503EE5B93F3EB1EF8A3EDE51033E0AD0F1BD9257CABD04EAD53DDECD943EF8DEC43D034C2BBEAA2F2ABEEF25ABBE7A6F9C3D762B4BBE7864A1BE4ABB9E3EAA1C6BBE8BBE24BD8871CF3D",
      torch_tensor_8_torch.float32_4: "0x0400000079EA023EC25F373D487B2CBB01238FBDD6B1353DD656A5BD4ACE22BB43C6383D",
      torch_tensor_8_8_torch.float32_2: "0x04000000129DA2BE61A22BBE9783763EC23316BB33F333BE9DB78ABE4668A9BE24C898BE97DE92BD4F8B463EA4BB433EB094AEBE4ED5613E3BA68DBED01399BDF9CB12BEE6778BBDD42A8EBD0C70A2BE884C9CBE439B62BD88D2953B0F7724BE3361083E8FEDA2BEC476C3BC22319F3E34AC13BE0576A33E191D033EE55CA3BE970F653EEA1B27BDD59D21BEB1C0903EE64792BEE6641B3D619997BDA844813E4A1FCA3D26F62D3EE2B6FF3D4E1FAEBD044798BDB72C95BE252B443EB3B98F3E42B7773ECD5F7FBED22C813CA2367FBEEB4B47BE40F652BE2773F73D5DBE57BEEDC1FCBB42AF733CE360693E0ED688BE428B78BED03852BE28677D3EE62302BE11B0983E",
      torch_tensor_8_torch.float32_3: "0x040000005DFD203C86DCF9BC2E8A923DCF32663E4A78AB3E30EA653EB9DCAB3E4477D1BC",
      torch_tensor_8_8_torch.float32_1: "0x04000000E7480E3EC4FB953E3C869D3E40B99F3E171A903D49699DBE2838053D4B7E62BEA4B3A8BE96D5A03ECBA3893E6492B4BEEC86873DC6F473BD5C4F6EBDC7B925BE65390B3ED06F56BE61B8043EFD15373E2B96813ECB5E073E4529B3BE76DA6ABE77C5343EE58C973DD5358DBE0B7850BE374BAA3EB8F2733EA3DB1DBE3F3DB6BD4D70ACBE123CD0BB775188BE67A18BBEE4959FBCEA6E593D0B4414BE5DD3563E8F505CBE6440A43EE51A783E88A698BE2536B4BD67B0823C8F49533D86BBAB3DFF120E3E4A7DAD3C2AA630BE0E502B3E81A4ADBE2E9556BE1842B5BD975A30BE714EFDBD0C5E94BEB0059ABDB5C69A3D16DB6BBE02A394BC3595813EE4DE14BD",
      torch_tensor_8_torch.float32_2: "0x04000000C5BF463E43C836BDCF2B5D3CAAC5A73DAE99603E4ED0AD3E6D7F8BBE1CAD04BE",
      torch_tensor_8_8_torch.float32: "0x0400000022792DBB9C36423EB1FC94BE1D3885BED6700BBEAB2AC23D578AE5BB40878F3EDE8300BD9799BF3D5DD3DABD1B548EBDC2EFACBE90C56FBE9F3D15BE4C94563C6B200F3E403B593EDE7075BE86A71DBEA77F033EF750963EE70395BD7A75873E1E6B69BD353C193DA1E8A33E20EDA7BEC5EA63BEAC4FB7BD661F0DBE9E669C3E85AA6ABE86A826BE53EF7CBE2089A9BE2D5653BE979A9B3E5E8C213E5F782F3E4952983C7B9C39BE6E01753D4D04A9BE68CC82BE4CA43ABE876C643E5D45543EF68F20BEF20251BCB38B673E12F5B33ECBAF0F3EA6A2433DF2BD723E522B55BE70ED863D65588CBE8AEC7ABEF2053BBE10D0233EFD98113E5B7456BEB8BFDA3D",
      torch_tensor_8_torch.float32_1: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
