#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<2x3x12x16xf32>) -> tensor<2x13x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant dense_resource<torch_tensor_5_torch.float32> : tensor<5xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_5_6_torch.float32> : tensor<5x6xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_6_torch.float32_2> : tensor<6xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_6_torch.float32_1> : tensor<6xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense_resource<torch_tensor_1_13_6_torch.float32> : tensor<1x13x6xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_1_1_6_torch.float32> : tensor<1x1x6xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_6_3_4_4_torch.float32> : tensor<6x3x4x4xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_6_torch.float32> : tensor<6xf32>
    %cst_10 = arith.constant 6.000000e+00 : f64
    %cst_11 = arith.constant 6.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x6x3x4xf32>
    %broadcasted = linalg.broadcast ins(%cst_9 : tensor<6xf32>) outs(%0 : tensor<2x6x3x4xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %cst_8 : tensor<2x3x12x16xf32>, tensor<6x3x4x4xf32>) outs(%broadcasted : tensor<2x6x3x4xf32>) -> tensor<2x6x3x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<2x6x3x4xf32> into tensor<2x6x12xf32>
    %2 = tensor.empty() : tensor<2x12x6xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x6x12xf32>) outs(%2 : tensor<2x12x6xf32>) permutation = [0, 2, 1] 
    %3 = tensor.empty() : tensor<2x1x6xf32>
    %collapsed_12 = tensor.collapse_shape %cst_7 [[0, 1], [2]] : tensor<1x1x6xf32> into tensor<1x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_12 : tensor<1x6xf32>) outs(%3 : tensor<2x1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x6xf32>
    %concat = tensor.concat dim(1) %4, %transposed : (tensor<2x1x6xf32>, tensor<2x12x6xf32>) -> tensor<2x13x6xf32>
    %5 = tensor.empty() : tensor<2x13x6xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %cst_6 : tensor<2x13x6xf32>, tensor<1x13x6xf32>) outs(%5 : tensor<2x13x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.addf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x6xf32>
    %7 = tensor.empty() : tensor<2x13x6xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x13x6xf32>) outs(%7 : tensor<2x13x6xf64>) {
    ^bb0(%in: f32, %out: f64):
      %34 = arith.extf %in : f32 to f64
      linalg.yield %34 : f64
    } -> tensor<2x13x6xf64>
    %9 = tensor.empty() : tensor<2x13x1xf64>
    %10 = linalg.fill ins(%cst_0 : f64) outs(%9 : tensor<2x13x1xf64>) -> tensor<2x13x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x13x6xf64>) outs(%10 : tensor<2x13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %34 = arith.addf %in, %out : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x1xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x13x1xf64>) outs(%9 : tensor<2x13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %34 = arith.divf %in, %cst_10 : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %12 : tensor<2x13x6xf64>, tensor<2x13x1xf64>) outs(%7 : tensor<2x13x6xf64>) {
    ^bb0(%in: f64, %in_15: f64, %out: f64):
      %34 = arith.subf %in, %in_15 : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x6xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x13x6xf64>, tensor<2x13x6xf64>) outs(%7 : tensor<2x13x6xf64>) {
    ^bb0(%in: f64, %in_15: f64, %out: f64):
      %34 = arith.mulf %in, %in_15 : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x6xf64>
    %15 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x13x6xf64>) outs(%10 : tensor<2x13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %34 = arith.addf %in, %out : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x1xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x13x1xf64>) outs(%9 : tensor<2x13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %34 = arith.divf %in, %cst_10 : f64
      linalg.yield %34 : f64
    } -> tensor<2x13x1xf64>
    %17 = tensor.empty() : tensor<2x13x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x13x1xf64>) outs(%17 : tensor<2x13x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %34 = arith.truncf %in : f64 to f32
      linalg.yield %34 : f32
    } -> tensor<2x13x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x13x1xf32>) -> tensor<2x13x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x13x6xf32>) outs(%19 : tensor<2x13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x13x1xf32>) outs(%17 : tensor<2x13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.divf %in, %cst_11 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x13x1xf32>) outs(%17 : tensor<2x13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.truncf %cst_5 : f64 to f32
      %35 = arith.addf %in, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<2x13x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x13x1xf32>) outs(%17 : tensor<2x13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.rsqrt %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %21 : tensor<2x13x6xf32>, tensor<2x13x1xf32>) outs(%5 : tensor<2x13x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.subf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x6xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %23 : tensor<2x13x6xf32>, tensor<2x13x1xf32>) outs(%5 : tensor<2x13x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.mulf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x6xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %cst_4 : tensor<2x13x6xf32>, tensor<6xf32>) outs(%5 : tensor<2x13x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.mulf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x6xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %cst_3 : tensor<2x13x6xf32>, tensor<6xf32>) outs(%5 : tensor<2x13x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.addf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<2x13x6xf32>
    %collapsed_13 = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<2x13x6xf32> into tensor<26x6xf32>
    %28 = tensor.empty() : tensor<6x5xf32>
    %transposed_14 = linalg.transpose ins(%cst_2 : tensor<5x6xf32>) outs(%28 : tensor<6x5xf32>) permutation = [1, 0] 
    %29 = tensor.empty() : tensor<26x5xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<26x5xf32>) -> tensor<26x5xf32>
    %31 = linalg.matmul ins(%collapsed_13, %transposed_14 : tensor<26x6xf32>, tensor<6x5xf32>) outs(%30 : tensor<26x5xf32>) -> tensor<26x5xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<5xf32>) outs(%29 : tensor<26x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<26x5xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%31, %32 : tensor<26x5xf32>, tensor<26x5xf32>) outs(%29 : tensor<26x5xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.addf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<26x5xf32>
    %expanded = tensor.expand_shape %33 [[0, 1], [2]] output_shape [2, 13, 5] : tensor<26x5xf32> into tensor<2x13x5xf32>
    return %expanded : tensor<2x13x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_5_torch.float32: "0x04000000036F94BE27661B3E0D6AB13E0B5ADB3CB44F8BBE",
      torch_tensor_5_6_torch.float32: "0x0400000001AB853EBA99F83CD95F45BE2D1AC03EC4F42A3ECFAD9EBE6E0DC83E08BA9E3EC15F18BEB1016B3E80876DBE160783BD577BB13EBC2F8A3C30D393BE8EB90BBE09F4E2BD6B4EA1BD7607203D8F4FC13E0A0FB33C2A0F81BECB69AB3CA572483E265E4F3EC708BFBEC99C95BD9B559BBED35F32BE8B9E163E",
      torch_tensor_6_torch.float32_2: "0x04000000000000000000000000000000000000000000000000000000",
      torch_tensor_6_torch.float32_1: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_1_13_6_torch.float32: "0x04000000AB33FABEF275493F8758DC3D2E2689BF06E5EEBD192C82BF5AFFB8BFB1C94EBF0E619DBF5A5DAFBFC792C53F100408BD3256D6BE93DD82BE06C6C6BE991AABBED312D13EC22C903FF6AFF73FD3FB803F1998803F4EF6DDBEA690953F1037453F719F793E3DC6073F4C126EBC02160FC0E0A6BB3F190A9CBF31C990BF795D74BA2AD2FEBD0737973E40EBC33E8ABA0CBF20797EBFA947AC3FDA0D10BF5D2F55BFD15D16C03C6804C0D2CF683F9FD231BF7ECFFA3F3B4A8DBF79C3B63EF30913C0A8038B3F338A9F3F79ACEB3D7845CF3F3D69ED3E807EA63F87E6A43ED902D0BD21F3453FFE5A78BFCB3E63BF5AFAA2BEF636ABBEDE97E83E8EA1963E521D4C3FCFD1A13F6D7C6F3F80A30B3F28C9C4BFF5F79F3E8D743D3FD6A0B93F6F3F834006228F3F748EC8BF09F032BFFC0A133FDB789E3F70FA23BF",
      torch_tensor_1_1_6_torch.float32: "0x040000008F39B03FCDB2803F4A6D7BBE0F6395BE6048C63F910453BF",
      torch_tensor_6_3_4_4_torch.float32: "0x04000000E8A38DBA13939E3D7E4BF3BDC98BD9BDB1B463BD53891E3D406B3BBB7A61EA3D42DD51BCD2701C3D9EAB32BDEA6BE8BCBD330DBED6C5C3BD84B573BD0834AF3B8DB9693D665EB13DD266C8BD69B980BD83BC563D2777F53D4357F3BC1534DD3DDA95BEBC653B7A3CB5D4053E791C09BEF017BABD48AC15BDCC7366BDCA66FF3DA49ABFBD701388BD3C85CEBDDF6C0ABE3E8EACBD9D19FE3D55E7833D54458F3D67BDF83B0B8D97BDD50BC83C6B000ABECE97D5BD736498BDE281BA3D8A51AD3D3F1983BD3DA8AABB680EBD3D3DEF123EAFA36A3D50BC9F3CB032C63D4B0DAEBDEE55DC3CD22EE5BDEAE0CCBD2EB498BDA6C0853D8AC26D3DF419AFBD949B323D2847A23DB83D95BCE195B43B41FC083DA962B73D15EB0D3E84CCE3BDCBA858BD9E59683D06ECF43D3B9E003EEF69023E4451EB3C998600BEDB8B593C58EEB8BD8FBE09BE1752033ECFC3E03DB16F13BE9250DD3C7A30C7BC4D94C2BC805087BD285A633D3F16AFBD33BB583D2F7D953D319DD33D0B0F5D3DD64812BEC8C1BFBD6499933D107BF73C6E98E6BDD336AABD580B0B3ECD2EC73DF7E380BD38CC14BDACCB0CBEDC052ABB529BDEBDFF03E4BD104D02BC9488B13CF61D72BD8667AF3DDDE2B3BD5E1C063EB193CA3DFA46F9BD5F2413BD146AD53BF083AC3C11380C3D9701683D4CA70D3CBE3B90BD52E08B3D51C70DBEC134AFBD26FF13BD09FE8FBDE6D24EBD6C48F2BD6984FBBC9CBFFC3C5193C0BD08B9F2BB9F9BD33DD21A73BC9272833BD1024CBC664CEF3CCEF4BB3D2B010C3E82B9BB3D2D530C3E36072BBCFFC504BE89238CBD2147C93D764775BAB6ED92BD3986E2BD0C520ABEDC7DF9BD3ED6EFBC531CA23DB8D09F3D6D8B0EBE5D64B83DF94FE7BD6EF9F9BCD7B76FBD39C0E3BC8228E8BC3CA104BE313CFFBDFF05B9BCB0A8F43A014986BD03B55E3DB70705BE7B981FBCCBFA013E022671BD2277053E941B563D9E6205BE0707BB3DA87188BC98F583BD5361EC3D2AE0EEBDF0C17D3C738FF7BC1518D33D3808253DFB098E3D39CA503D952B0EBD00ABF8BCE999F3BDC22BA03DDCB3EA3D5742CA3D1E83D0BD28F1D23B8161D0BD97B9A2BDEB3FACBDBC0A4A3D6727B0BD2B604EBBB7F7C63B7F8DBE3DD673DFBD70EFCABD3EA5ABBD14E7CE3DA38454BD8C56F93DE8C8553D6BB9953CA3D48CBAC6BDE9BC645A943CB8FF06BD2EEE84BA22DE963CF238E7BD5CEF9ABD92B2EE3D5AE5EFBD28CF29BC0D36123ED590553D2FE9853B1E1600BE746F923D758DD2BD8CD227BD085C46BDBA19AFBCEDEFCE3ADCD0F33D719C933C8862043E01D3B43D72E2BABD4D94843DF9F5D0BD79917ABD26E32D3D3636433D19C5DD3D9D513EBDE5497239FE2E983D16F00EBE2AB7D53DE770F4BD775F023BB407C9BCB0AF9BBDE2479C3C9F70F43D3ED22CBD7A7FAFBDB4A65ABD4E7E12BEFE6E853DB2F78DBD9C44C5BD294CAABD7CF5A93D338B9C3DCCE1E23DBF71563D6F7045BD2C3625BD00A92E3D07FFF23D96BE203D04DD8BBDDAF48ABDEDBD0BBE4275FF3C2EE3A5BDC2C603BE939A013ED6F7BFBD5F8386BC7C60293DC8AD963BF5E7C6BD4EF1EEBDC79EEB3DEB8AC03C623DF53D4C3246BDA4242E3D",
      torch_tensor_6_torch.float32: "0x04000000E53107BD4655D2BB1609B4BD57F2473D5EEB3A3DCA2143BB"
    }
  }
#-}
