//===- Passes.td - the passes of bufferize ------------------------------------------------------------------------------------===//
//
// The passes around one-shot bufferization, which convert tensors to buffers with planned addresses. One record per pass. Pass VerbObject has
// the flag tpp-verb-object and is implemented in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_BUFFERIZE_PASSES
#define TPP_LOWERING_BUFFERIZE_PASSES

include "mlir/Pass/PassBase.td"

def CheckOps : Pass<"tpp-check-ops", "ModuleOp"> {
  let summary = "Report operations on tensors that have no form on buffers";
  let description = [{
    Fails with the name and the place of each operation that neither this compiler nor one-shot bufferization lowers, which would itself not say
    which operation it is.

    ```mlir
    %1 = tensor.gather %0[%i] gather_dims([0]) : (tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<3x1x6xf32>
    // error: 'tensor.gather' op is not supported: nothing lowers it to loops or kernels
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"]; // without it, tensors do not count as such
}

def ProtectArguments : Pass<"tpp-protect-arguments", "func::FuncOp"> {
  let summary = "Mark tensor arguments as read-only for bufferization";
  let description = [{
    A caller's inputs and the weights are const. Sets `bufferization.writable = false` on every tensor argument, so that one-shot
    bufferization copies an argument where the function overwrites it.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def PlaceCopied : Pass<"tpp-place-copied", "func::FuncOp"> {
  let summary = "Let a buffer that is copied into a part of another one be that part";
  let description = [{
    Removes a memref.copy from an allocation of the function to a static part of a buffer, if nothing else accesses the part while the allocation is in use.
    The allocation becomes a view of the part. Parts of one buffer that do not overlap may be in use at the same time, which bufferization does not see:
    an image that is a part of a concatenation is computed there, although a pool reads it while other parts are written.

    ```mlir
    %image = memref.alloc() : memref<8x16xf32>
    linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32>)
    %both = memref.alloc() : memref<8x32xf32>
    %part = memref.subview %both[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
    memref.copy %image, %part : memref<8x16xf32> to memref<8x16xf32, strided<[32, 1]>>
    // becomes
    %both = memref.alloc() : memref<8x32xf32>
    %image = memref.subview %both[0, 0] [8, 16] [1, 1] : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
    linalg.exp ins(%x : memref<8x16xf32>) outs(%image : memref<8x16xf32, strided<[32, 1]>>)
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PlaceJoins : Pass<"tpp-place-joins", "func::FuncOp"> {
  let summary = "Build a concatenation directly in the larger value that it is inserted into";
  let description = [{
    Applies to a chain of tensor.insert_slice that starts from an empty tensor and whose result is inserted into a larger tensor. The pass
    replaces the empty tensor by the slice of the larger tensor that the result goes into. Upstream's elimination of empty tensors would do the
    same, but too late for the first part.

    ```mlir
    %e = tensor.empty() : tensor<8x16xf32>
    %0 = tensor.insert_slice %a into %e[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<8x16xf32>
    %1 = tensor.insert_slice %b into %0[1, 0] [7, 16] [1, 1] : tensor<7x16xf32> into tensor<8x16xf32>
    %2 = tensor.insert_slice %1 into %zeros[1, 0] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<10x16xf32>
    // becomes
    %e = tensor.extract_slice %zeros[1, 0] [8, 16] [1, 1] : tensor<10x16xf32> to tensor<8x16xf32>
    ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CreateGlobals : Pass<"tpp-create-globals", "ModuleOp"> {
  let summary = "Create a memref.global for each constant tensor, in program order";
  let description = [{
    One-shot bufferization would create and number the globals itself, but it visits the functions in an order that changes from run to run.
    It uses existing globals, so that with this pass the compiled code is the same in each run. The constants stay; bufferization replaces
    them.

    ```mlir
    func.func @f() -> tensor<2xf32> {
      %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    // becomes
    memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
    func.func @f() -> tensor<2xf32> {
      %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CountMoves : Pass<"tpp-count-moves", "func::FuncOp"> {
  let summary = "Count operations that only move data";
  let description = [{
    Appends operations to the list in the function attribute `tpp.moves`: on tensors linalg.pack, linalg.unpack, transposes, broadcasts and
    copies, on buffers memref.copy. Loops around an operation multiply its `times` and `bytes`. tpp-layout-report prints this list.

    ```mlir
    func.func @f(%a: tensor<8x4xf32>) -> tensor<4x8xf32> attributes {tpp.moves = [{
      what = "transpose", from = "8x4xf32", to = "4x8xf32", layout = "outer_dims_perm = [1, 0]", times = 1 : i64, bytes = 256 : i64,
      location = "model.mlir:3:8", reason = "edge", note = "argument 0 comes in another order"} ]}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def MoveResults : Pass<"tpp-move-results", "ModuleOp"> {
  let summary = "Replace memref results by trailing arguments that are written in place";
  let description = [{
    A result that is an allocation, or a reshape of one, is computed directly in the caller's buffer. Any other result is copied there. The new
    arguments have the attribute `tpp.result`.

    ```mlir
    func.func @f(%a: memref<4x8xf32>) -> memref<32xf32> {
      %0 = memref.alloc() : memref<4x8xf32>
      linalg.exp ins(%a : memref<4x8xf32>) outs(%0 : memref<4x8xf32>)
      %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
      return %1 : memref<32xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%a: memref<4x8xf32>, %r: memref<32xf32> {tpp.result}) {
      %0 = memref.expand_shape %r [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
      linalg.exp ins(%a : memref<4x8xf32>) outs(%0 : memref<4x8xf32>)
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::func::FuncDialect"];
}

def PlanWorkspace : Pass<"tpp-plan-workspace", "ModuleOp"> {
  let summary = "Give every allocation an offset in one workspace argument";
  let description = [{
    Buffers that are never live at the same time share memory (best fit, 64-byte aligned). Small buffers become stack buffers outside of all
    sequential loops. A buffer allocated inside a parallel loop gets one instance per iteration. The function receives a trailing
    argument with the attribute `tpp.workspace`; `tpp.workspace_bytes` is its size.

    ```mlir
    %0 = memref.alloc() : memref<256x1024xf32>
    ```
    becomes
    ```mlir
    %c0 = arith.constant 0 : index
    %0 = memref.view %workspace[%c0][] : memref<1048576xi8> to memref<256x1024xf32>
    ```
  }];
  let options = [
    Option<"maxStackBuffer", "max-stack-buffer", "int64_t", "4096", "largest buffer that may be placed on the stack, in bytes">,
    Option<"maxStack", "max-stack", "int64_t", "32768", "most bytes of stack that one function or parallel loop uses">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

#endif
