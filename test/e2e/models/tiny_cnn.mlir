#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<1x3x20x20xf32>) -> tensor<1x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_4_7_torch.float32> : tensor<4x7xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_7_torch.float32> : tensor<7xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_7_5_1_1_torch.float32> : tensor<7x5x1x1xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_5_torch.float32_7> : tensor<5xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_5_torch.float32_6> : tensor<5xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_5_torch.float32_5> : tensor<5xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_5_torch.float32_4> : tensor<5xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_5_5_3_3_torch.float32> : tensor<5x5x3x3xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_5_torch.float32_3> : tensor<5xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_5_torch.float32_2> : tensor<5xf32>
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant dense_resource<torch_tensor_5_torch.float32_1> : tensor<5xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_5_torch.float32> : tensor<5xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_5_3_3_3_torch.float32> : tensor<5x3x3x3xf32>
    %cst_16 = arith.constant 9.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x3x20x20xf32> to tensor<1x3x22x22xf32>
    %0 = tensor.empty() : tensor<1x5x10x10xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x10x10xf32>) -> tensor<1x5x10x10xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_15 : tensor<1x3x22x22xf32>, tensor<5x3x3x3xf32>) outs(%1 : tensor<1x5x10x10xf32>) -> tensor<1x5x10x10xf32>
    %3 = tensor.empty() : tensor<5xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_13 : tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_12 : f64 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<5xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.rsqrt %in : f32
      linalg.yield %38 : f32
    } -> tensor<5xf32>
    %expanded = tensor.expand_shape %cst_14 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %expanded_17 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x5x10x10xf32>, tensor<5x1x1xf32>) outs(%0 : tensor<1x5x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.subf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x10x10xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_17 : tensor<1x5x10x10xf32>, tensor<5x1x1xf32>) outs(%0 : tensor<1x5x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.mulf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x10x10xf32>
    %expanded_18 = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_18 : tensor<1x5x10x10xf32>, tensor<5x1x1xf32>) outs(%0 : tensor<1x5x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.mulf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x10x10xf32>
    %expanded_19 = tensor.expand_shape %cst_10 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_19 : tensor<1x5x10x10xf32>, tensor<5x1x1xf32>) outs(%0 : tensor<1x5x10x10xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.addf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x10x10xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x5x10x10xf32>) outs(%0 : tensor<1x5x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.cmpf ugt, %in, %cst : f32
      %39 = arith.select %38, %in, %cst : f32
      linalg.yield %39 : f32
    } -> tensor<1x5x10x10xf32>
    %padded_20 = tensor.pad %10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x5x10x10xf32> to tensor<1x5x12x12xf32>
    %11 = tensor.empty() : tensor<1x5x5x5xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
    %13 = tensor.empty() : tensor<3x3xf32>
    %14 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_20, %13 : tensor<1x5x12x12xf32>, tensor<3x3xf32>) outs(%12 : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
    %padded_21 = tensor.pad %14 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x5x5x5xf32> to tensor<1x5x7x7xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%11 : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
    %16 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_21, %cst_9 : tensor<1x5x7x7xf32>, tensor<5x5x3x3xf32>) outs(%15 : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_7 : tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_12 : f64 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<5xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%17 : tensor<5xf32>) outs(%3 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.rsqrt %in : f32
      linalg.yield %38 : f32
    } -> tensor<5xf32>
    %expanded_22 = tensor.expand_shape %cst_8 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %expanded_23 = tensor.expand_shape %18 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_22 : tensor<1x5x5x5xf32>, tensor<5x1x1xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.subf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x5x5xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_23 : tensor<1x5x5x5xf32>, tensor<5x1x1xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.mulf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x5x5xf32>
    %expanded_24 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_24 : tensor<1x5x5x5xf32>, tensor<5x1x1xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.mulf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x5x5xf32>
    %expanded_25 = tensor.expand_shape %cst_5 [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_25 : tensor<1x5x5x5xf32>, tensor<5x1x1xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.addf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x5x5xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %14 : tensor<1x5x5x5xf32>, tensor<1x5x5x5xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.addf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x5x5x5xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x5x5x5xf32>) outs(%11 : tensor<1x5x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.cmpf ugt, %in, %cst : f32
      %39 = arith.select %38, %in, %cst : f32
      linalg.yield %39 : f32
    } -> tensor<1x5x5x5xf32>
    %25 = tensor.empty() : tensor<1x7x3x3xf32>
    %broadcasted = linalg.broadcast ins(%cst_3 : tensor<7xf32>) outs(%25 : tensor<1x7x3x3xf32>) dimensions = [0, 2, 3] 
    %26 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%24, %cst_4 : tensor<1x5x5x5xf32>, tensor<7x5x1x1xf32>) outs(%broadcasted : tensor<1x7x3x3xf32>) -> tensor<1x7x3x3xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x7x3x3xf32>) outs(%25 : tensor<1x7x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.cmpf ugt, %in, %cst : f32
      %39 = arith.select %38, %in, %cst : f32
      linalg.yield %39 : f32
    } -> tensor<1x7x3x3xf32>
    %28 = tensor.empty() : tensor<1x7x1x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x7x1x1xf32>) -> tensor<1x7x1x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%27 : tensor<1x7x3x3xf32>) outs(%29 : tensor<1x7x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x7x1x1xf32>) outs(%28 : tensor<1x7x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.divf %in, %cst_16 : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1x1xf32>
    %collapsed = tensor.collapse_shape %31 [[0], [1, 2, 3]] : tensor<1x7x1x1xf32> into tensor<1x7xf32>
    %32 = tensor.empty() : tensor<7x4xf32>
    %transposed = linalg.transpose ins(%cst_2 : tensor<4x7xf32>) outs(%32 : tensor<7x4xf32>) permutation = [1, 0] 
    %33 = tensor.empty() : tensor<1x4xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %35 = linalg.matmul ins(%collapsed, %transposed : tensor<1x7xf32>, tensor<7x4xf32>) outs(%34 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<4xf32>) outs(%33 : tensor<1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%35, %36 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%33 : tensor<1x4xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %38 = arith.addf %in, %in_26 : f32
      linalg.yield %38 : f32
    } -> tensor<1x4xf32>
    return %37 : tensor<1x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32: "0x040000003F6C89BE1DDF0F3EF140A43E8A14CB3C",
      torch_tensor_4_7_torch.float32: "0x04000000B2BB36BE25DAB13E4C461E3E7CE892BE6B36B93ECDF3923E2A120DBEE692593ECEE85BBEB89D72BDF250A43E22DF7F3CFCDB88BE2C5C01BE2E1ED2BD335795BD7F28143D93F8B23EB3C6A53CA5F86EBEA5B29E3C2094393E38FC3F3E06DDB0BEA2838ABDCBCF8FBE7C2425BE45720B3E",
      torch_tensor_7_torch.float32: "0x040000007EB7993EC8C8A23E077B50BDF18084BE8AF9B03E0A6D923E022A083D",
      torch_tensor_7_5_1_1_torch.float32: "0x04000000E8EB9ABE0DE4E1BEDDE0B7BE82C4B43EF8C3773E8FD3D63E786FB73ECE7BCCBE30429CBE10FE93BDE4B394BE90FF9E3E0B1BADBED06E5FBE8E35DDBEA5FF81BE4F53BC3E6779BB3E63E8A33EECCBB03E9B99CB3EC386EABD5D7F493ED4FFCB3E547F173E35E6E43E1E856D3E45578E3E1B4720BE46BC5B3EFC7B523D32BBDABD151381BE127B80BECC30B0BE",
      torch_tensor_5_torch.float32_7: "0x04000000F829EBBBA7BEC33C5F77403D111748BE6ADB64BD",
      torch_tensor_5_torch.float32_6: "0x040000009D874C3F809D6D3FE8E32F3FC2F9733F37863A3F",
      torch_tensor_5_torch.float32_5: "0x040000000FC7233F5CD3973FA0DEA63F520EA93FCFDCAA3F",
      torch_tensor_5_torch.float32_4: "0x040000003B4F36BD491AA83DC2B6EEBD23D0F83D163615BE",
      torch_tensor_5_5_3_3_torch.float32: "0x04000000DA137BBC29C2873BA0B352BC7825F73CD31EC23D9A98103E95E1C13D4CED103E1CA330BCB72009BE18BC90BDFEE0CF3DBE527DBA46BF97BD0CF4E9BD57DB0EBE41D600BED5B3F7BC5A6DA73D790EA53D303813BE7670BE3DFFE5EEBD111601BD6F9477BD5838EBBCA2C5EFBCC0FA08BE88CD03BE6417BFBCC4AEFC3A6BB08ABDCA02663D976409BE64D424BC0F3E063E9C0E79BDAAD7093E28215D3D7AC209BE3F29C13D32EB8CBC7B4988BDE521F43DAFB5F6BD330A833CE3ADFFBC5C04DA3DC6712A3D7EB2923D27A3573D33D512BD5E6900BD1B97FBBD806CA53D5866F23D71E4D03DB759D7BD28DCD93B0037D7BDC60FA8BD12E6B1BD03AB503D56EEB5BDD52455BB2F7ECD3B51CDC43DDFC7E6BD3797D1BD5346B1BD2AB0D53DDE7C5BBDF4C1003EC6CB5C3D74A29A3C017391BA3068F1BCEA37993C206D0BBD384A89BAC5D09B3C36CEEEBD2404A0BD9986F63D70C3F7BDD1602FBC9701173EDC915C3D744D8A3B7D4904BEE03C973D3075D9BD87532DBD64DD4CBDD0D7B4BC4EB9D53ADBCFFB3DBC73983CFEB9083E26C1BA3D7703C1BD65ED883D57D0D7BD956481BD0D97333D259D493D010BE53D788F44BD123C7A39AD2C9D3D25A013BE73B9DC3D2675FCBD08A6063B7C9FCFBCC8CAA0BDF767A13CDC74FC3D317D32BDE640B5BD6DD261BD374C17BE41CF893D9B9F92BDCFBCCBBDECE1AFBD6888AF3D7DADA13DA052EA3D277A5D3D12EA4BBD3CA12ABD6363343D25F7FA3D2504263D447390BD7C838FBD275310BE00EB033DEA53ABBD1C1908BEAFDA053E8A43C6BDB3EC8ABC84EE2E3DD59E9B3BE86DCDBD63C7F6BDF858F33D71DBC63C5648FD3D4BB24CBDB1DA333DF2A00BBD293BD9BB9BF0B9BD07814E3DAE0C413D0D8849BB045309BDD631BCBD8A20D33D6445E3BDD4237A3DA0504DBDE34B93BD8861DB3CCE969EBD28AF0C3D8FD1EF3C30AEE2BD9A53CB3C0609823D53B1713DD2B899BC8547FABD6940BCBC8710543DD9CA5EBD44C5673D2251CB3D68699FBDDAB0C03A0E7B7C3DBE6D3F3C11044C3C0C7C983C5A02F0BD4CF13F3CD768D33DD58D093E6770B33DB2A4A33C13948E3D6C8594BD2CFFFCBD1A4403BEB748183EC0CCC13D3C08D3BD1BE46E3D108DE63D1297183EB679053ED987EC3D15FC0BBD904856BD18AAFA3D2A15AB3DC9B8B7BDE73B093EDC81933DBE6DA63D7C5ABFBD052E2F3D4A0D56BDE58BEE3DEBBDDBBC68B66D3D06E9D83CFFE4813D497F4FBDBFDA943DDD3DD5BDF4E7093D",
      torch_tensor_5_torch.float32_3: "0x04000000E7F0463E6DA2A8BD60A4233E9DCE1B3C0EE2423D",
      torch_tensor_5_torch.float32_2: "0x040000006638533FC83F073F38C6753FDABA553FF477213F",
      torch_tensor_5_torch.float32_1: "0x04000000166E283FFA50903F4004963F871F883F363FB13F",
      torch_tensor_5_torch.float32: "0x04000000AA6247BD485377BDA29864BD7FB5883DF3B8A1BC",
      torch_tensor_5_3_3_3_torch.float32: "0x040000008BDABCBAC56ED33D543222BEDB0711BECCCD97BDC461533D56E479BBFC401C3ED7E88BBC6E96503D293A6EBD9CF21ABDFC443CBEE48302BE0379A2BDB69AE93B09D19B3DDD7DEC3DE29905BEE2A1ABBD58288F3DC5A4233E2D3A22BD0E78133E221DFEBC43D2A63CF270323EA2D036BEEC1FF8BD619047BD88A299BD87442A3EDB78FFBD416FB5BD28AE09BE299138BEFD12E6BD6966293E1CDFAF3D1C07BF3D9AD3253C6511CABD395D053D8F0038BE34650EBE9A30CBBD2EADF83D6317E73D54CCAEBDFC8AE3BB3613FC3DA8E9433E206D9C3D15FBD43CCB21043EBA11E8BDF4E3123DE2C918BEF29508BEE89ACBBD3456B23DB1819E3DF077E9BDC6246E3DE15ED83DF6FCC6BCD7C7F03BADA5363D8C83F43D72393D3EAEDD17BE887090BD6AE69A3D0448233EA57D2B3E94E22D3ED9E01C3D215E2BBEE807913C2093F6BDC0A837BE1F182F3EE0D7153EEC9444BE0C8B133DFCCA04BD34B801BD566BB4BD7091973DFF72E9BDCD7C903D9451C73D76130D3E5D5F933DC90B43BE0CADFFBD86CCC43DB5FC243DF5BA19BEC5F3E2BD7664393EDEC9043E9FDAABBDA06546BD3ABA3BBE7BB262BB8C6714BEAA0218BE15BC2DBC1BB6EC3C4F69A1BD5EDFE93D27D9EFBD7ED0323E210D073E512F26BE7F3044BDB8460E3C4105E63C6CF53A3DBAAB9A3D11DF3C3CA84FC0BD6D80BA3DC2093DBEAC9BE9BD335445BD62FDBFBDEFE189BD9E8521BE9CAD27BDBD7F283D366200BEB1D021BC6A120D3E"
    }
  }
#-}
