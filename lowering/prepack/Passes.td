//===- Passes.td - the passes of prepack --------------------------------------------------------------------------------------===//
//
// The passes that move weight computations into @NAME_prepack, which runs once, and place the weights in one segment. One record per pass,
// in pipeline order. Pass VerbObject has the flag tpp-verb-object and is implemented in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_PREPACK_PASSES
#define TPP_LOWERING_PREPACK_PASSES

include "mlir/Pass/PassBase.td"

def OutlinePrepack : Pass<"tpp-outline-prepack", "ModuleOp"> {
  let summary = "Move computations that depend only on constants and tpp.prepack arguments into @NAME_prepack";
  let description = [{
    Applies to every value over 1 KiB that is a constant, or is computed from constants and not larger than they are. The value becomes a
    result of one function `@NAME_prepack(...) -> (tensor...)`. @NAME receives it as a trailing argument with the attribute
    `tpp.weight = N : i64`. Arguments with the attribute `tpp.prepack` count as constants: they become the arguments of @NAME_prepack, in their
    order, and are removed from @NAME. Each remaining argument then gets the attribute `tpp.argument = N : i64`, its position in the program.

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
    `@NAME_prepack` becomes a list of constants and calls. Each computed weight has one call, to a function that receives the constants and
    arguments on which the weight depends. Weights computed in the same way share a function. A weight that is a constant or an argument, or a
    reshape of one, is returned without a call. A constant over 1 KiB that is left in @NAME also becomes a weight, except a splat, which becomes
    a linalg.fill. A constant that is used together with an argument of @NAME_prepack becomes a weight that only @NAME_prepack reads.

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
  let summary = "Replace weight arguments by views of one weights segment";
  let description = [{
    The weights segment is one argument with the attribute `tpp.weights`. Each argument with the attribute `tpp.weight = N` becomes a view of
    it. Offsets are 64-byte aligned and increase with N. The function attribute `tpp.weights_bytes` is the size of the segment.

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
