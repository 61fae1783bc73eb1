// Function boundaries: kinds of arguments and results, empty tensors, pads, concatenations, slices, calls.
// RUN: tpp-run %s --entry=pads --check=reference
// RUN: tpp-run %s --entry=concatenations --check=reference
// RUN: tpp-run %s --entry=slices --check=reference
// RUN: tpp-run %s --entry=reshapes --check=reference
// RUN: tpp-run %s --entry=empty_tensors --check=reference
// RUN: tpp-run %s --entry=empty_sum --check=reference
// RUN: tpp-run %s --entry=rank_0 --check=reference
// RUN: tpp-run %s --entry=arguments_as_results --check=reference
// RUN: tpp-run %s --entry=constants_as_results --check=reference
// RUN: tpp-run %s --entry=unused_arguments --check=reference
// RUN: tpp-run %s --entry=no_arguments --check=reference
// RUN: tpp-run %s --entry=overwritten_argument --check=reference
// RUN: tpp-run %s --entry=shared_destination --check=reference
// RUN: tpp-run %s --entry=memrefs --check=reference
// RUN: tpp-run %s --entry=memref_in_place --check=reference
// RUN: tpp-run %s --entry=calls --check=reference
// RUN: tpp-run %s --entry=loops --check=reference
// RUN: tpp-run %s --entry=packed --check=reference
// RUN: tpp-run %s --entry=tosa --check=reference

#id2 = affine_map<(d0, d1) -> (d0, d1)>

func.func @pads(%x: tensor<3x5x7xf32>, %v: tensor<f32>) -> (tensor<3x8x9xf32>, tensor<4x5x7xf32>, tensor<3x5x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %value = tensor.extract %v[] : tensor<f32>
  %0 = tensor.pad %x low[0, 1, 2] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<3x5x7xf32> to tensor<3x8x9xf32>
  %1 = tensor.pad %x low[1, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %value : f32
  } : tensor<3x5x7xf32> to tensor<4x5x7xf32>
  %2 = tensor.pad %x low[0, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<3x5x7xf32> to tensor<3x5x7xf32>
  return %0, %1, %2 : tensor<3x8x9xf32>, tensor<4x5x7xf32>, tensor<3x5x7xf32>
}

func.func @concatenations(%a: tensor<3x5xf32>, %b: tensor<3x18xf32>, %c: tensor<2x5xf32>) -> (tensor<3x28xf32>, tensor<5x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b, %a : (tensor<3x5xf32>, tensor<3x18xf32>, tensor<3x5xf32>) -> tensor<3x28xf32>
  %1 = tensor.concat dim(0) %a, %c : (tensor<3x5xf32>, tensor<2x5xf32>) -> tensor<5x5xf32>
  return %0, %1 : tensor<3x28xf32>, tensor<5x5xf32>
}

// Slices: extracted, inserted, strided, of lower rank; and a slice of a value that is changed afterwards.
func.func @slices(%x: tensor<9x20xf32>, %y: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<9x20xf32>, tensor<4x7xf32>, tensor<20xf32>, tensor<9x20xf32>) {
  %0 = tensor.extract_slice %x[2, 5] [3, 4] [1, 1] : tensor<9x20xf32> to tensor<3x4xf32>
  %1 = tensor.insert_slice %y into %x[1, 16] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<9x20xf32>
  %2 = tensor.extract_slice %x[1, 1] [4, 7] [2, 2] : tensor<9x20xf32> to tensor<4x7xf32>
  %3 = tensor.extract_slice %x[8, 0] [1, 20] [1, 1] : tensor<9x20xf32> to tensor<20xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %t = linalg.exp ins(%0 : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %4 = tensor.insert_slice %t into %1[2, 5] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<9x20xf32>
  return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<9x20xf32>, tensor<4x7xf32>, tensor<20xf32>, tensor<9x20xf32>
}

func.func @reshapes(%x: tensor<6x20xf32>) -> (tensor<120xf32>, tensor<2x3x4x5xf32>, tensor<20x6xf32>, tensor<6x1x20xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<6x20xf32> into tensor<120xf32>
  %1 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 3, 4, 5] : tensor<6x20xf32> into tensor<2x3x4x5xf32>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [20, 6] : tensor<120xf32> into tensor<20x6xf32>
  %3 = tensor.expand_shape %x [[0, 1], [2]] output_shape [6, 1, 20] : tensor<6x20xf32> into tensor<6x1x20xf32>
  return %0, %1, %2, %3 : tensor<120xf32>, tensor<2x3x4x5xf32>, tensor<20x6xf32>, tensor<6x1x20xf32>
}

func.func @empty_tensors(%x: tensor<0x5xf32>, %y: tensor<5x7xf32>, %z: tensor<3x0xf32>) -> (tensor<0x5xf32>, tensor<0x7xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x5xf32>
  %0 = linalg.exp ins(%x : tensor<0x5xf32>) outs(%e : tensor<0x5xf32>) -> tensor<0x5xf32>
  %e1 = tensor.empty() : tensor<0x7xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<0x7xf32>) -> tensor<0x7xf32>
  %1 = linalg.matmul ins(%x, %y : tensor<0x5xf32>, tensor<5x7xf32>) outs(%z1 : tensor<0x7xf32>) -> tensor<0x7xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3xf32>) -> tensor<3xf32>
  %2 = linalg.reduce {arith.addf} ins(%z : tensor<3x0xf32>) outs(%z2 : tensor<3xf32>) dimensions = [1]
  return %0, %1, %2 : tensor<0x5xf32>, tensor<0x7xf32>, tensor<3xf32>
}

// A sum over nothing is the accumulator; bias and activation still apply.
func.func @empty_sum(%x: tensor<4x0xf32>, %y: tensor<0x7xf32>, %bias: tensor<7xf32>, %c: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<4x0xf32>, tensor<0x7xf32>) outs(%z : tensor<4x7xf32>) -> tensor<4x7xf32>
  %1 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d1)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<4x7xf32>, tensor<7xf32>) outs(%e : tensor<4x7xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x7xf32>
  %2 = linalg.matmul ins(%x, %y : tensor<4x0xf32>, tensor<0x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %1, %2 : tensor<4x7xf32>, tensor<4x7xf32>
}

func.func @rank_0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<19xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.add ins(%x, %y : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %1 = linalg.dot ins(%v, %v : tensor<19xf32>, tensor<19xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// One argument returned twice, and a reshape of it.
func.func @arguments_as_results(%x: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>, tensor<28xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x7xf32> into tensor<28xf32>
  return %x, %x, %0 : tensor<4x7xf32>, tensor<4x7xf32>, tensor<28xf32>
}

// Constants as results: small, repeated, large, computed from constants; next to a result that depends on the argument.
func.func @constants_as_results(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<5x5xf32>, tensor<300xf32>, tensor<300xi64>, tensor<3xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = arith.constant dense<7.0> : tensor<5x5xf32>
  %l = arith.constant dense_resource<l> : tensor<300xf32>
  %e = tensor.empty() : tensor<300xi64>
  %i = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<300xi64>) {
  ^bb0(%o: i64):
    %k = linalg.index 0 : index
    %v = arith.index_cast %k : index to i64
    linalg.yield %v : i64
  } -> tensor<300xi64>
  %e3 = tensor.empty() : tensor<3xf32>
  %0 = linalg.add ins(%x, %c : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  return %c, %s, %l, %i, %0 : tensor<3xf32>, tensor<5x5xf32>, tensor<300xf32>, tensor<300xi64>, tensor<3xf32>
}

func.func @unused_arguments(%x: tensor<4x7xf32>, %y: tensor<4x7xf32>, %z: tensor<9xi8>) -> tensor<4x7xf32> {
  %e = tensor.empty() : tensor<4x7xf32>
  %0 = linalg.exp ins(%y : tensor<4x7xf32>) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

func.func @no_arguments() -> tensor<4x7xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x7xf32>
  %0 = linalg.fill ins(%one : f32) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// The caller's tensors do not change, even if they are destinations.
func.func @overwritten_argument(%x: tensor<4x7xf32>, %y: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>) {
  %0 = linalg.exp ins(%x : tensor<4x7xf32>) outs(%y : tensor<4x7xf32>) -> tensor<4x7xf32>
  %1 = linalg.add ins(%x, %y : tensor<4x7xf32>, tensor<4x7xf32>) outs(%x : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0, %1 : tensor<4x7xf32>, tensor<4x7xf32>
}

// One fill is the accumulator of three values that are live at the same time.
func.func @shared_destination(%a: tensor<13x32xf32>, %b: tensor<32x48xf32>) -> (tensor<13x48xf32>, tensor<13x48xf32>, tensor<13x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<13x48xf32>) -> tensor<13x48xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<13x32xf32>, tensor<32x48xf32>) outs(%z : tensor<13x48xf32>) -> tensor<13x48xf32>
  %1 = linalg.tanh ins(%0 : tensor<13x48xf32>) outs(%z : tensor<13x48xf32>) -> tensor<13x48xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<13x32xf32>, tensor<32x48xf32>) outs(%1 : tensor<13x48xf32>) -> tensor<13x48xf32>
  return %0, %1, %2 : tensor<13x48xf32>, tensor<13x48xf32>, tensor<13x48xf32>
}

func.func @memrefs(%a: memref<13x32xf32>, %b: memref<32x48xf32>, %c: memref<13x48xf32>, %t: memref<48x13xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<13x48xf32>)
  linalg.matmul ins(%a, %b : memref<13x32xf32>, memref<32x48xf32>) outs(%c : memref<13x48xf32>)
  linalg.transpose ins(%c : memref<13x48xf32>) outs(%t : memref<48x13xf32>) permutation = [1, 0]
  return
}

// Every operation reads what the previous one wrote into the same buffer.
func.func @memref_in_place(%x: memref<9x20xf32>, %y: memref<9xf32>) {
  linalg.exp ins(%x : memref<9x20xf32>) outs(%x : memref<9x20xf32>)
  linalg.reduce {arith.addf} ins(%x : memref<9x20xf32>) outs(%y : memref<9xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%y : memref<9xf32>) outs(%x : memref<9x20xf32>) {
  ^bb0(%s: f32, %v: f32):
    %q = arith.divf %v, %s : f32
    linalg.yield %q : f32
  }
  return
}

func.func private @layer(%x: tensor<5x16xf32>, %w: tensor<16x16xf32>) -> tensor<5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<5x16xf32>, tensor<16x16xf32>) outs(%z : tensor<5x16xf32>) -> tensor<5x16xf32>
  return %0 : tensor<5x16xf32>
}

func.func @calls(%x: tensor<5x16xf32>, %w: tensor<16x16xf32>) -> tensor<5x16xf32> {
  %0 = call @layer(%x, %w) : (tensor<5x16xf32>, tensor<16x16xf32>) -> tensor<5x16xf32>
  %1 = call @layer(%0, %w) : (tensor<5x16xf32>, tensor<16x16xf32>) -> tensor<5x16xf32>
  return %1 : tensor<5x16xf32>
}

// A recurrence: a matmul's result is carried from iteration to iteration; each iteration reads one slice of the input.
func.func @loops(%x: tensor<6x5x16xf32>, %w: tensor<16x16xf32>, %h: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %h) -> tensor<5x16xf32> {
    %xi = tensor.extract_slice %x[%i, 0, 0] [1, 5, 16] [1, 1, 1] : tensor<6x5x16xf32> to tensor<5x16xf32>
    %0 = linalg.matmul ins(%s, %w : tensor<5x16xf32>, tensor<16x16xf32>) outs(%xi : tensor<5x16xf32>) -> tensor<5x16xf32>
    %e = tensor.empty() : tensor<5x16xf32>
    %1 = linalg.tanh ins(%0 : tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
    scf.yield %1 : tensor<5x16xf32>
  }
  return %r : tensor<5x16xf32>
}

// Packs and unpacks in the source program, with padding.
func.func @packed(%x: tensor<13x40xf32>) -> (tensor<1x3x16x16xf32>, tensor<13x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x16x16xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e : tensor<13x40xf32> -> tensor<1x3x16x16xf32>
  %e1 = tensor.empty() : tensor<13x40xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e1 : tensor<1x3x16x16xf32> -> tensor<13x40xf32>
  return %0, %1 : tensor<1x3x16x16xf32>, tensor<13x40xf32>
}

func.func @tosa(%x: tensor<1x5x16xf32>, %w: tensor<1x16x24xf32>, %b: tensor<1x1x24xf32>) -> tensor<1x5x24xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x5x16xf32>, tensor<1x16x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x24xf32>
  %1 = tosa.add %0, %b : (tensor<1x5x24xf32>, tensor<1x1x24xf32>) -> tensor<1x5x24xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x5x24xf32>) -> tensor<1x5x24xf32>
  return %2 : tensor<1x5x24xf32>
}

{-#
  dialect_resources: {
    builtin: {
      l: "0x0400000000008CC200008BC200008AC2000089C2000088C2000087C2000086C2000085C2000084C2000083C2000082C2000081C2000080C200007EC200007CC200007AC2000078C2000076C2000074C2000072C2000070C200006EC200006CC200006AC2000068C2000066C2000064C2000062C2000060C200005EC200005CC200005AC2000058C2000056C2000054C2000052C2000050C200004EC200004CC200004AC2000048C2000046C2000044C2000042C2000040C200003EC200003CC200003AC2000038C2000036C2000034C2000032C2000030C200002EC200002CC200002AC2000028C2000026C2000024C2000022C2000020C200001EC200001CC200001AC2000018C2000016C2000014C2000012C2000010C200000EC200000CC200000AC2000008C2000006C2000004C2000002C2000000C20000FCC10000F8C10000F4C10000F0C10000ECC10000E8C10000E4C10000E0C10000DCC10000D8C10000D4C10000D0C10000CCC10000C8C10000C4C10000C0C10000BCC10000B8C10000B4C10000B0C10000ACC10000A8C10000A4C10000A0C100009CC1000098C1000094C1000090C100008CC1000088C1000084C1000080C1000078C1000070C1000068C1000060C1000058C1000050C1000048C1000040C1000038C1000030C1000028C1000020C1000018C1000010C1000008C1000000C10000F0C00000E0C00000D0C00000C0C00000B0C00000A0C0000090C0000080C0000060C0000040C0000020C0000000C00000C0BF000080BF000000BF000000000000003F0000803F0000C03F0000004000002040000040400000604000008040000090400000A0400000B0400000C0400000D0400000E0400000F0400000004100000841000010410000184100002041000028410000304100003841000040410000484100005041000058410000604100006841000070410000784100008041000084410000884100008C4100009041000094410000984100009C410000A0410000A4410000A8410000AC410000B0410000B4410000B8410000BC410000C0410000C4410000C8410000CC410000D0410000D4410000D8410000DC410000E0410000E4410000E8410000EC410000F0410000F4410000F8410000FC41000000420000024200000442000006420000084200000A4200000C4200000E42000010420000124200001442000016420000184200001A4200001C4200001E42000020420000224200002442000026420000284200002A4200002C4200002E42000030420000324200003442000036420000384200003A4200003C4200003E42000040420000424200004442000046420000484200004A4200004C4200004E42000050420000524200005442000056420000584200005A4200005C4200005E42000060420000624200006442000066420000684200006A4200006C4200006E42000070420000724200007442000076420000784200007A4200007C4200007E420000804200008142000082420000834200008442000085420000864200008742000088420000894200008A4200008B4200008C4200008D4200008E4200008F420000904200009142000092420000934200009442000095420000964200009742000098420000994200009A4200009B4200009C4200009D4200009E4200009F42"
    }
  }
#-}
