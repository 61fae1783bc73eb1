// Integer contractions of TOSA run on kernels of 8-bit integers. (e2e.quantized checks their values.)
// RUN: tpp-run %s --entry=matmul --check=reference | FileCheck %s
// RUN: tpp-run %s --entry=conv --weights=1 --check=reference | FileCheck %s

// CHECK-NOT: remark
// CHECK: kernel {{.*}}brgemm_i8i8i32
// CHECK: result #0 equals the reference exactly
func.func @matmul(%x: tensor<1x64x32xi8>, %w: tensor<1x32x24xi8>) -> tensor<1x64x24xi8> {
  %zx = "tosa.const"() {values = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %zw = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %w, %zx, %zw : (tensor<1x64x32xi8>, tensor<1x32x24xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x64x24xi32>
  %m = "tosa.const"() {values = dense<1431655766> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<38> : tensor<1xi8>} : () -> tensor<1xi8>
  %zi = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %zo = "tosa.const"() {values = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %m, %s, %zi, %zo {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false,
                                          output_unsigned = false}
    : (tensor<1x64x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x64x24xi8>
  return %1 : tensor<1x64x24xi8>
}

func.func @conv(%x: tensor<1x14x14x32xi8>, %w: tensor<48x3x3x32xi8>, %b: tensor<48xi32>) -> tensor<1x14x14x48xi8> {
  %zx = "tosa.const"() {values = dense<-7> : tensor<1xi8>} : () -> tensor<1xi8>
  %zw = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
    : (tensor<1x14x14x32xi8>, tensor<48x3x3x32xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x14x14x48xi32>
  %m = "tosa.const"() {values = dense<1431655766> : tensor<48xi32>} : () -> tensor<48xi32>
  %s = "tosa.const"() {values = dense<40> : tensor<48xi8>} : () -> tensor<48xi8>
  %zi = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %zo = "tosa.const"() {values = dense<-128> : tensor<1xi8>} : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %m, %s, %zi, %zo {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false,
                                          output_unsigned = false}
    : (tensor<1x14x14x48xi32>, tensor<48xi32>, tensor<48xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x48xi8>
  return %1 : tensor<1x14x14x48xi8>
}
