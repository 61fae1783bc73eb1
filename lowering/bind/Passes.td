//===- Passes.td - the passes that bind tpp ops to kernels --------------------------------------------------------------------===//
//
// One record per pass. The pass tpp-verb-object is defined in VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_BIND_PASSES
#define TPP_LOWERING_BIND_PASSES

include "mlir/Pass/PassBase.td"

def GeneralizeContractions : Pass<"tpp-generalize-contractions", "func::FuncOp"> {
  let summary = "Turn contractions that no kernel computes into linalg.generic";
  let description = [{
    A tpp.contract whose element types have no kernel on the target (only the reference) becomes linalg.generic ops, which become vector code. So
    does one whose operands have other layouts than the kernels of its types need, if it is on buffers or `laid-out` is given. It
    accumulates in the type that tpp.contract defines; a second op applies the post-ops and rounds once. A reduction
    loop that is not the whole index of any dimension gets its extent from an operand that is not read. A contraction stays, with a remark, only if
    a post-op reads an operand along a reduction.

    ```mlir
    %0 = tpp.contract ins(%a, %b : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%c : tensor<8x32xbf16>) {beta = 0, ...}
    ```
    becomes
    ```mlir
    %zeros = linalg.fill ins(%zero : f32) outs(... : tensor<8x32xf32>)
    %sums = linalg.generic ... ins(%a, %b) outs(%zeros) { ... arith.extf ... arith.mulf ... arith.addf ... } -> tensor<8x32xf32>
    %0 = linalg.generic ... ins(%sums) outs(%c) { ... arith.truncf ... } -> tensor<8x32xbf16>
    ```
  }];
  let options = [Option<"laidOut", "laid-out", "bool", /*default=*/"false",
                        "the layouts of operands on tensors are final: tpp-assign-layouts has run">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def BindKernels : Pass<"tpp-bind-kernels", "func::FuncOp"> {
  let summary = "Turn tpp ops on buffers into kernel handles and invocations";
  let description = [{
    Each operation on tiles (tpp.brgemm, tpp.unary and so on) becomes a tpp.dispatch and a tpp.invoke. The kernel descriptor is computed from
    the operands' static strides; offsets may be dynamic. An op without a static form is lowered to scalar loops, with a remark that gives
    the reason.

    ```mlir
    tpp.unary relu ins(%x : memref<13x32xf32, strided<[64, 1], offset: ?>>) outs(%y : memref<13x32xf32>)
    ```
    becomes
    ```mlir
    %k = tpp.dispatch #tpp.unary_desc<kind = relu, m = 13, n = 32, in = <type = f32, ld = 64>, out = <type = f32, ld = 32>>
    tpp.invoke %k ins(%x : memref<13x32xf32, strided<[64, 1], offset: ?>>) outs(%y : memref<13x32xf32>)
    ```
  }];
  let options = [Option<"provider", "provider", "std::string", "\"auto\"", "auto, xsmm, native or reference">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerTppToLoops : Pass<"tpp-lower-tpp-to-loops", "func::FuncOp"> {
  let summary = "Lower tpp ops on buffers to scalar loops";
  let description = [{
    The executable specification of the dialect. It covers every form, broadcast, batch, post-op and kind, and tpp.contract. The result
    uses only scf.for, memref, arith and math.

    ```mlir
    tpp.unary relu ins(%x : memref<13x32xf32>) outs(%y : memref<13x32xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c13 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %0 = memref.load %x[%i, %j] : memref<13x32xf32>
        %1 = arith.maximumf %0, %zero : f32
        memref.store %1, %y[%i, %j] : memref<13x32xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif
