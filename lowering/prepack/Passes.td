//===- Passes.td - the passes of prepack --------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_PREPACK_PASSES
#define TPP_LOWERING_PREPACK_PASSES

include "mlir/Pass/PassBase.td"

def OutlinePrepack : Pass<"tpp-outline-prepack", "ModuleOp"> {
  let summary = "Move what depends on constants, and on arguments given once, into @NAME_prepack";
  let description = [{
    Every value over 1 KiB that is a constant, or computed from constants without growing, becomes a result of one function
    `@NAME_prepack(...) -> (tensor...)`; @NAME receives it as a trailing argument with the attribute `tpp.weight = N : i64`. Arguments with
    the attribute `tpp.prepack` are constants in this sense: they become the arguments of @NAME_prepack, in their order, and @NAME loses them.
    The others then say in the attribute `tpp.argument = N : i64` which arguments of the program they are.

    ```mlir
    func.func @f(%w: tensor<64x128xf32> {tpp.prepack}, %x: tensor<8x64xf32>) -> tensor<8x128xf32> {
      %p = linalg.pack %w ...
      %0 = tpp.contract ins(%x, %p) ...
    ```
    becomes
    ```mlir
    func.func @f_prepack(%w: tensor<64x128xf32>) -> tensor<2x64x64xf32> {
      %p = linalg.pack %w ...
    func.func @f(%x: tensor<8x64xf32> {tpp.argument = 1}, %p: tensor<2x64x64xf32> {tpp.weight = 0}) -> tensor<8x128xf32> {
      %0 = tpp.contract ins(%x, %p) ...
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitPrepack : Pass<"tpp-split-prepack", "ModuleOp"> {
  let summary = "Split @NAME_prepack into one function per distinct weight computation";
  let description = [{
    `@NAME_prepack` becomes a list of constants and calls: one call for each weight that is computed, to a function that receives the
    constants and arguments it depends on. Weights computed in the same way share a function. A weight that is a constant or an argument, or a
    reshape of one, is returned as it is. Constants over 1 KiB that are left in @NAME become weights, too; a splat becomes a linalg.fill.
    A constant that is needed together with an argument of @NAME_prepack becomes a weight that only @NAME_prepack reads.

    ```mlir
    func.func @main_prepack() -> (tensor<8x4xf32>, tensor<8x4xf32>) {
      %a = arith.constant dense_resource<a> : tensor<4x8xf32>
      %b = arith.constant dense_resource<b> : tensor<4x8xf32>
      %0 = linalg.transpose ins(%a) ... 
      %1 = linalg.transpose ins(%b) ...
      return %0, %1
    }
    ```
    becomes
    ```mlir
    func.func @main_prepack() -> (tensor<8x4xf32>, tensor<8x4xf32>) {
      %a = arith.constant dense_resource<a> : tensor<4x8xf32>
      %b = arith.constant dense_resource<b> : tensor<4x8xf32>
      %0 = call @main_prepack_item0(%a)
      %1 = call @main_prepack_item0(%b)
      return %0, %1
    }
    ```
  }];
  let options = [Option<"entry", "entry", "std::string", "\"main\"", "the compiled function">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PlaceWeights : Pass<"tpp-place-weights", "ModuleOp"> {
  let summary = "Turn weight arguments into views of one weights segment";
  let description = [{
    Arguments with the attribute `tpp.weight = N` become views, at 64-byte aligned offsets in the order of N, of one argument with the
    attribute `tpp.weights`; the function attribute `tpp.weights_bytes` is the segment's size.

    ```mlir
    func.func @f(%x: memref<4xf32>, %a: memref<5xf32> {tpp.weight = 0}, %b: memref<3xf32> {tpp.weight = 1})
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<4xf32>, %w: memref<128xi8> {tpp.weights}) attributes {tpp.weights_bytes = 128} {
      %a = memref.view %w[%c0][] : memref<128xi8> to memref<5xf32>
      %b = memref.view %w[%c64][] : memref<128xi8> to memref<3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

#endif
