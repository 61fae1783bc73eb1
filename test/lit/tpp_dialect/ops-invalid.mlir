// One test for each message of the ops' verifiers.
// RUN: tpp-opt %s -split-input-file -verify-diagnostics

//===- tiles ----------===//

func.func @rank(%a: memref<64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'a' must have rank 2 (plain) or 3 (panels), got 'memref<64xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @rank_with_batch(%a: memref<13x64xf32>, %b: memref<4x64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'a' must have rank 3 (plain) or 4 (panels), got 'memref<13x64xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] batch = stride ins(%a, %b : memref<13x64xf32>, memref<4x64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @dynamic(%a: memref<?x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'a' may have no dynamic dimension but its batch, got 'memref<?x64xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<?x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @vnni_group(%a: memref<13x64xbf16>, %b: memref<32x32x4xbf16>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' must group 2 rows in its last dimension, got 'memref<32x32x4xbf16>'}}
  tpp.brgemm sizes = [13, 32, 64] b_vnni = 2 ins(%a, %b : memref<13x64xbf16>, memref<32x32x4xbf16>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @rows(%a: memref<12x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'a' has 12 rows, needs 13}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<12x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @rows_of_vnni(%a: memref<13x7xbf16>, %b: memref<3x32x2xbf16>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' has 3 rows, needs 4}}
  tpp.brgemm sizes = [13, 32, 7] b_vnni = 2 ins(%a, %b : memref<13x7xbf16>, memref<3x32x2xbf16>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @columns(%a: memref<13x63xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'a' has 63 columns, needs 64}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x63xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @empty_panels(%a: memref<13x64xf32>, %b: memref<2x64x0xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' has empty panels: 'memref<2x64x0xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<2x64x0xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @panels(%a: memref<13x64xf32>, %b: memref<2x64x15xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' has 2 panels of 15 columns, 32 columns need 3}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<2x64x15xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @larger_only_with_offsets(%a: memref<13x64xf32>, %b: memref<64x33xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' has 33 columns, needs 32}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x33xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @smaller_with_offsets(%a: memref<99x64xf32>, %b: memref<64x31xf32>, %t: memref<3xi64>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'b' has 31 columns, needs 32}}
  tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%a, %b : memref<99x64xf32>, memref<64x31xf32>) offsets(%t, %t : memref<3xi64>, memref<3xi64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @scalar(%s: memref<2xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'in' must be a single element (broadcast scalar), got 'memref<2xf32>'}}
  tpp.unary relu broadcast scalar ins(%s : memref<2xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @row(%s: memref<13xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'in' must be a vector of 32 elements (broadcast row), got 'memref<13xf32>'}}
  tpp.unary relu broadcast row ins(%s : memref<13xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @col(%s: memref<32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'lhs' must be a vector of 13 elements (broadcast col), got 'memref<32xf32>'}}
  tpp.binary add lhs col ins(%s, %c : memref<32xf32>, memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @mixed(%x: tensor<13x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{mixes tensors and memrefs}}
  tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @result_on_memrefs(%c: memref<13x32xf32>) {
  // expected-error @below {{has no result on memrefs}}
  %0 = "tpp.unary"(%c, %c) <{kind = #tpp<unary_kind relu>}> : (memref<13x32xf32>, memref<13x32xf32>) -> tensor<13x32xf32>
  return
}

// -----

func.func @no_result_on_tensors(%x: tensor<13x32xf32>) {
  // expected-error @below {{needs a result on tensors}}
  tpp.unary relu ins(%x : tensor<13x32xf32>) outs(%x : tensor<13x32xf32>)
  return
}

// -----

func.func @element_type(%x: memref<13x32xi64>) {
  // expected-error @below {{operand 'out' has element type 'i64', which no kernel has}}
  tpp.unary relu ins(%x : memref<13x32xi64>) outs(%x : memref<13x32xi64>)
  return
}

// -----

// Kinds that only move data take any element type of 1, 2, 4 or 8 bytes, but no other.
func.func @element_size(%x: memref<13x32xi24>) {
  // expected-error @below {{operand 'out' has element type 'i24', which no kernel has}}
  tpp.unary identity ins(%x : memref<13x32xi24>) outs(%x : memref<13x32xi24>)
  return
}

// -----

//===- brgemm ----------===//

func.func @sizes(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{sizes must be [m, n, k], none of them negative, got [13, 32]}}
  tpp.brgemm sizes = [13, 32] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @negative_size(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{sizes must be [m, n, k], none of them negative, got [13, 32, -1]}}
  tpp.brgemm sizes = [13, 32, -1] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @beta(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{beta must be 0 or 1, got 2}}
  tpp.brgemm sizes = [13, 32, 64] beta = 2 ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @address(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{batch = address exists only in kernels; use offset}}
  tpp.brgemm sizes = [13, 32, 64] batch = address ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @b_vnni(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{b_vnni must not be negative, got -2}}
  tpp.brgemm sizes = [13, 32, 64] b_vnni = -2 ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @batches(%a: memref<4x13x64xf32>, %b: memref<3x64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operands 'a' and 'b' have batches of 4 and 3}}
  tpp.brgemm sizes = [13, 32, 64] batch = stride ins(%a, %b : memref<4x13x64xf32>, memref<3x64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @types(%a: memref<13x64xbf16>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{cannot multiply 'bf16' x 'f32' -> 'f32'; possible are f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, f16 x f16 -> f32 or f16, i8 x i8 -> i32}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xbf16>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @a_unsigned(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{a_unsigned needs operands of i8, got 'f32'}}
  tpp.brgemm sizes = [13, 32, 64] a_unsigned ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @b_unsigned(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{b_unsigned needs operands of i8, got 'f32'}}
  tpp.brgemm sizes = [13, 32, 64] b_unsigned ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @offsets_missing(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{batch = offset needs offset tables}}
  tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @offsets_unwanted(%t: memref<3xi64>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{offset tables need batch = offset}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) offsets(%t, %t : memref<3xi64>, memref<3xi64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @offsets_type(%t: memref<3xi32>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{an offset table must be a vector of i64, got 'memref<3xi32>'}}
  tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) offsets(%t, %t : memref<3xi32>, memref<3xi32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @offsets_lengths(%t: memref<3xi64>, %u: memref<4xi64>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{the offset tables have 3 and 4 entries}}
  tpp.brgemm sizes = [13, 32, 64] batch = offset ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) offsets(%t, %u : memref<3xi64>, memref<4xi64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_op_count(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{at most 16 post-ops are possible, got 17}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_operand_count(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{has 1 binary post-ops and 0 operands for them}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<binary add row>] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_op_form(%p: memref<32xf32>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{carries a form, which belongs in a descriptor}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<binary add row, <type = f32, ld = 32>>] post(%p : memref<32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_op_kind(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{'transpose' cannot be a post-op}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<unary transpose>] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_op_of_integers(%a: memref<13x64xi8>, %b: memref<64x32xi8>, %c: memref<13x32xi32>) {
  // expected-error @below {{post-op 'tanh' needs floating-point accumulators}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xi8>, memref<64x32xi8>) post_ops = [#tpp.post_op<unary tanh>] outs(%c : memref<13x32xi32>)
  return
}

// -----

func.func @division_of_integers(%p: memref<32xi32>, %a: memref<13x64xi8>, %b: memref<64x32xi8>, %c: memref<13x32xi32>) {
  // expected-error @below {{post-op 'div' needs floating-point accumulators}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xi8>, memref<64x32xi8>) post_ops = [#tpp.post_op<binary div row>] post(%p : memref<32xi32>) outs(%c : memref<13x32xi32>)
  return
}

// -----

func.func @post_operand_of_integers(%p: memref<32xf32>, %a: memref<13x64xi8>, %b: memref<64x32xi8>, %c: memref<13x32xi32>) {
  // expected-error @below {{a post-op's operand must be of i32, got 'memref<32xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xi8>, memref<64x32xi8>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<32xf32>) outs(%c : memref<13x32xi32>)
  return
}

// -----

func.func @post_operand_of_floats(%p: memref<32xf64>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{a post-op's operand must be of f32, bf16 or f16, got 'memref<32xf64>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<32xf64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @post_operand_shape(%p: memref<31xf32>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'post' must be a vector of 32 elements (broadcast row), got 'memref<31xf32>'}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) post_ops = [#tpp.post_op<binary add row>] post(%p : memref<31xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

//===- unary, binary, reduce ----------===//

func.func @leaky_relu_without_alpha(%c: memref<13x32xf32>) {
  // expected-error@+1 {{'tpp.unary' op leaky_relu needs alpha}}
  tpp.unary leaky_relu ins(%c : memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @alpha_of_relu(%c: memref<13x32xf32>) {
  // expected-error@+1 {{'tpp.unary' op alpha belongs to leaky_relu only}}
  tpp.unary relu alpha = 0.5 ins(%c : memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @infinite_alpha(%c: memref<13x32xf32>) {
  // expected-error@+1 {{'tpp.unary' op alpha must be a finite f32, got 0x7F800000 : f32}}
  tpp.unary leaky_relu alpha = 0x7F800000 ins(%c : memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @vnni_pack_of_f32(%x: memref<4x32xf32>, %c: memref<2x32x2xf32>) {
  // expected-error@+1 {{'tpp.unary' op vnni_pack moves elements of 1 or 2 bytes, got 'f32'}}
  tpp.unary vnni_pack ins(%x : memref<4x32xf32>) outs(%c : memref<2x32x2xf32>)
  return
}

// -----

func.func @vnni_pack_types(%x: memref<4x32xf16>, %c: memref<2x32x2xbf16>) {
  // expected-error@+1 {{'tpp.unary' op vnni_pack needs one element type, got 'f16' and 'bf16' (convert changes it)}}
  tpp.unary vnni_pack ins(%x : memref<4x32xf16>) outs(%c : memref<2x32x2xbf16>)
  return
}

// -----

func.func @vnni_pack_broadcast(%x: memref<32xbf16>, %c: memref<2x32x2xbf16>) {
  // expected-error@+1 {{'tpp.unary' op vnni_pack cannot broadcast its input}}
  tpp.unary vnni_pack broadcast row ins(%x : memref<32xbf16>) outs(%c : memref<2x32x2xbf16>)
  return
}

// -----

func.func @vnni_pack_groups(%x: memref<5x32xbf16>, %c: memref<2x32x2xbf16>) {
  // expected-error@+1 {{operand 'out'}}
  tpp.unary vnni_pack ins(%x : memref<5x32xbf16>) outs(%c : memref<2x32x2xbf16>)
  return
}

// -----

func.func @zero_input(%c: memref<13x32xf32>) {
  // expected-error @below {{zero has no input}}
  tpp.unary zero ins(%c : memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @zero_broadcast(%c: memref<13x32xf32>) {
  // expected-error @below {{zero has no input to broadcast}}
  tpp.unary zero broadcast row outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @no_input(%c: memref<13x32xf32>) {
  // expected-error @below {{needs an input}}
  tpp.unary relu outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @one_type(%x: memref<13x32xbf16>, %c: memref<13x32xf32>) {
  // expected-error @below {{identity needs one element type, got 'bf16' and 'f32' (convert changes it)}}
  tpp.unary identity ins(%x : memref<13x32xbf16>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @unary_type(%x: memref<13x32xi32>) {
  // expected-error @below {{exp of 'i32' -> 'i32' is not defined}}
  tpp.unary exp ins(%x : memref<13x32xi32>) outs(%x : memref<13x32xi32>)
  return
}

// -----

func.func @transpose_broadcast(%x: memref<13xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{transpose cannot broadcast its input}}
  tpp.unary transpose broadcast row ins(%x : memref<13xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @transpose_shape(%c: memref<13x32xf32>) {
  // expected-error @below {{operand 'in' has 13 rows, needs 32}}
  tpp.unary transpose ins(%c : memref<13x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @binary_type(%x: memref<13x32xi32>) {
  // expected-error @below {{div of 'i32' and 'i32' -> 'i32' is not defined}}
  tpp.binary div ins(%x, %x : memref<13x32xi32>, memref<13x32xi32>) outs(%x : memref<13x32xi32>)
  return
}

// -----

func.func @reduce_beta(%o: memref<13xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{beta must be 0 or 1, got -1}}
  tpp.reduce sum over_cols beta = -1 ins(%c : memref<13x32xf32>) outs(%o : memref<13xf32>)
  return
}

// -----

func.func @reduce_type(%o: memref<13xi32>, %c: memref<13x32xf32>) {
  // expected-error @below {{sum of 'f32' -> 'i32' is not defined}}
  tpp.reduce sum over_cols ins(%c : memref<13x32xf32>) outs(%o : memref<13xi32>)
  return
}

// -----

func.func @reduce_shape(%o: memref<13xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{operand 'out' must be a vector of 32 elements (broadcast row), got 'memref<13xf32>'}}
  tpp.reduce sum over_rows ins(%c : memref<13x32xf32>) outs(%o : memref<13xf32>)
  return
}

// -----

//===- kernels ----------===//

func.func @slots(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %n: index, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>
  // expected-error @below {{has 0 post operands and 1 slots}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) slots = [0] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @one_table(%t: memref<4xi64>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %n: index, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>
  // expected-error @below {{needs two offset tables or none, got 1}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) offsets(%t : memref<4xi64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @no_batch(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>
  // expected-error @below {{a brgemm kernel needs 'batch'}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @inputs(%c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>
  // expected-error @below {{has 0 inputs, its kernel takes 1}}
  tpp.invoke %k  outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @tables_missing(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %n: index, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, batch_kind = offset>
  // expected-error @below {{its kernel needs offset tables}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @tables_unwanted(%t: memref<4xi64>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %n: index, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>
  // expected-error @below {{its kernel takes no offset tables}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) offsets(%t, %t : memref<4xi64>, memref<4xi64>) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @slots_of_kernel(%p: memref<32xf32>, %a: memref<13x64xf32>, %b: memref<64x32xf32>, %n: index, %c: memref<13x32xf32>) {
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<binary add row, <type = f32, ld = 32>>]>
  // expected-error @below {{fills post-op slots [0], its kernel needs [1]}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) post(%p : memref<32xf32>) slots = [0] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @convert_of_floats(%a: memref<13x64xf32>, %b: memref<16x32x4xf32>, %c: memref<13x32xf32>) {
  // expected-error @below {{post-op 'convert' applies to i32 sums, once}}
  tpp.brgemm sizes = [13, 32, 64] b_vnni = 4 ins(%a, %b : memref<13x64xf32>, memref<16x32x4xf32>) post_ops = [#tpp.post_op<unary convert>] outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @convert_beta(%a: memref<13x64xi8>, %b: memref<16x32x4xi8>, %c: memref<13x32xi8>) {
  // expected-error @below {{sums that are converted cannot start with operand 'c': beta must be 0}}
  tpp.brgemm sizes = [13, 32, 64] beta = 1 b_vnni = 4 ins(%a, %b : memref<13x64xi8>, memref<16x32x4xi8>) post_ops = [#tpp.post_op<unary convert>] outs(%c : memref<13x32xi8>)
  return
}

// -----

func.func @convert_twice(%a: memref<13x64xi8>, %b: memref<16x32x4xi8>, %c: memref<13x32xi8>) {
  // expected-error @below {{post-op 'convert' applies to i32 sums, once}}
  tpp.brgemm sizes = [13, 32, 64] b_vnni = 4 ins(%a, %b : memref<13x64xi8>, memref<16x32x4xi8>) post_ops = [#tpp.post_op<unary convert>, #tpp.post_op<unary convert>] outs(%c : memref<13x32xi8>)
  return
}

// -----

func.func @c_unsigned(%a: memref<13x64xi8>, %b: memref<16x32x4xi8>, %c: memref<13x32xi32>) {
  // expected-error @below {{c_unsigned needs operand 'c' of i8, got 'i32'}}
  tpp.brgemm sizes = [13, 32, 64] b_vnni = 4 c_unsigned ins(%a, %b : memref<13x64xi8>, memref<16x32x4xi8>) outs(%c : memref<13x32xi32>)
  return
}

// -----

func.func @used_once(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>, %i: index) {
  // expected-error @below {{b_use must be one of 2 to 2147483647 invocations, got 1}}
  tpp.brgemm sizes = [13, 32, 64] ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) outs(%c : memref<13x32xf32>) b_use(%i of 1)
  return
}

// -----

func.func @which_use(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  %n = arith.constant 1 : index
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, b_uses = 2>
  // expected-error @below {{its kernel needs 'b_use'}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @no_use(%a: memref<13x64xf32>, %b: memref<64x32xf32>, %c: memref<13x32xf32>) {
  %n = arith.constant 1 : index
  %k = tpp.dispatch #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>
  // expected-error @below {{its kernel takes no 'b_use'}}
  tpp.invoke %k ins(%a, %b : memref<13x64xf32>, memref<64x32xf32>) batch(%n) b_use(%n) outs(%c : memref<13x32xf32>)
  return
}

// -----

func.func @gather_rank(%x: tensor<4x4xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  // expected-error @below {{source 'tensor<4x4xf32>' and result 'tensor<8xf32>' differ in their element types or numbers of dimensions}}
  %0 = tpp.gather %x at(%i : tensor<8xi64>) along [0] : tensor<4x4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @gather_lists(%x: tensor<4x4xf32>, %i: tensor<8xi64>) -> tensor<8x4xf32> {
  // expected-error @below {{1 lists of indices do not fit 2 dimensions}}
  %0 = tpp.gather %x at(%i : tensor<8xi64>) along [0, 1] : tensor<4x4xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @gather_twice(%x: tensor<4x4xf32>, %i: tensor<8xi64>) -> tensor<8x4xf32> {
  // expected-error @below {{dimension 0 is listed twice}}
  %0 = tpp.gather %x at(%i, %i : tensor<8xi64>, tensor<8xi64>) along [0, 0] : tensor<4x4xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @gather_dimension(%x: tensor<4x4xf32>, %i: tensor<8xi64>) -> tensor<8x4xf32> {
  // expected-error @below {{dimension 2 does not exist}}
  %0 = tpp.gather %x at(%i : tensor<8xi64>) along [2] : tensor<4x4xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @gather_shape(%x: tensor<4x4xf32>, %i: tensor<8xi64>) -> tensor<8x8xf32> {
  // expected-error @below {{result 'tensor<8x8xf32>' does not have the shape that the indices give, 'tensor<8x4xf32>'}}
  %0 = tpp.gather %x at(%i : tensor<8xi64>) along [0] : tensor<4x4xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
