//===- Passes.td - all lowering passes ----------------------------------------------------------------------------------------===//
//
// The records of stages bufferize and emit are in bufferize/BufferizePasses.td and emit/EmitPasses.td. One record per pass; flag =
// tpp-verb-object = VerbObject.cpp. Records stand in the order of the stages.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_PASSES
#define TPP_LOWERING_PASSES

include "mlir/Pass/PassBase.td"
include "bufferize/BufferizePasses.td"
include "emit/EmitPasses.td"

//===- target and strategies ---------------------------------------------------------------------------------------------------===//

def SetTarget : Pass<"tpp-target", "ModuleOp"> {
  let summary = "Set the machine that a module is compiled for";
  let description = [{
    Makes `target` (host, a name, the text of a #tpp.target attribute, or a file that holds one) the module's attribute `tpp.target`;
    functions and ops that have their own keep it. `--tpp-target=TARGET` is short for `--tpp-target=target=TARGET`. `host` removes the
    module's attribute.

    ```mlir
    module attributes {tpp.target = #tpp.target<isa = "avx2", vector_bits = 256, registers = 16, caches = [32768, 524288, 16777216], cores = 1>}
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"host\"", "what to compile for">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def SetPacking : Pass<"tpp-packing", "ModuleOp"> {
  let summary = "Set the packing strategy of a module";
  let description = [{
    Makes `packing` (default, none, the text of an attribute, or a file of tuned records that ends in .json) the module's attribute
    `tpp.packing`; functions and ops that have their own keep it. `--tpp-packing=PACKING` is short for `--tpp-packing=packing=PACKING`.
    `default` removes the module's attribute (docs/packing-strategies.md).

    ```mlir
    module attributes {tpp.packing = #tpp.packing_fixed<panel = 32>}
    ```
  }];
  let options = [Option<"packing", "packing", "std::string", "\"default\"", "the strategy">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def LocalizeStrategies : Pass<"tpp-localize-strategies", "ModuleOp"> {
  let summary = "Write a function's target and packing strategy on its contractions";
  let description = [{
    So that they stay what they are when the function is inlined. Attributes that a contraction has itself win.

    ```mlir
    func.func private @layer(...) attributes {tpp.packing = #tpp.packing_fixed<panel = 32>} { ... linalg.matmul ins(...) ... }
    // becomes
    func.func private @layer(...) { ... linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32>} ins(...) ... }
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

//===- normalize --------------------------------------------------------------------------------------------------------------===//

def SelectEntry : Pass<"tpp-select-entry", "ModuleOp"> {
  let summary = "Make every function but the one compiled private";
  let description = [{
    What the entry does not call is then dropped, what it calls is inlined. An empty `entry` leaves the module as it is. Packed models
    (tpp-evaluate-prepack) are refused: they are behind the stages that this pass begins.
  }];
  let options = [Option<"entry", "entry", "std::string", "\"\"", "the function that is compiled">];
}

def NormalizeLinalg : Pass<"tpp-normalize-linalg", "func::FuncOp"> {
  let summary = "Bring linalg and tensor ops that are not contractions into few forms";
  let description = [{
    Named elementwise ops become linalg.generic, softmax is decomposed, tensor.pad becomes a fill and an insert_slice, tensor.concat slices,
    unused results of a generic are dropped, constants that repeat one value become fills, and each user gets its own init.

    ```mlir
    %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic {...} ins(%a, %b) outs(%e) { ^bb0(%x, %y, %o): %s = arith.addf %x, %y  linalg.yield %s }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def NormalizeContractions : Pass<"tpp-normalize-contractions", "func::FuncOp"> {
  let summary = "Turn every contraction and convolution on tensors into tpp.contract";
  let description = [{
    Named matmuls, linalg.contract, convolutions and generics whose body is a multiply-add become one op whose maps are linear, with
    `beta = 0` where the accumulator starts from zero. Matrix-vector products, whose contiguous dimension is reduced, stay linalg
    and are vectorized inline.

    ```mlir
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %0 = tpp.contract ins(%a, %b) outs(%e) {beta = 0, indexing_maps = [(m, n, k) -> (m, k), ...]}
    ```
  }];
  let options = [Option<"postOps", "post-ops", "bool", "true", "an accumulator that starts from a broadcast is a post-op">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

//===- layout -----------------------------------------------------------------------------------------------------------------===//

def PropagateLayouts : Pass<"tpp-propagate-layouts", "func::FuncOp"> {
  let summary = "Choose the layout of every value of a function at once";
  let description = [{
    Ops that implement PackableOpInterface tie the dimensions of their operands and results; contractions say which of them would best
    lie innermost. What costs least by the tables of kernels.def, bytes moved at the program's edges counted, is chosen for all values at
    once, and all ops change at once. A convolution on NCHW becomes one on NHWC:

    ```mlir
    %0 = tpp.contract ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x64x54x54xf32>) {...}
    // becomes
    %0 = tpp.contract ins(%x, %w : tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<1x54x54x64xf32>) {...}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
}

def FoldScales : Pass<"tpp-fold-scales", "func::FuncOp"> {
  let summary = "Fold scales by constants into the constant operand of a contraction";
  let description = [{
    The post-ops that add, subtract, multiply and divide by constants along the columns of a constant operand (batch normalization after a
    convolution) become one multiplication of that operand, which is made once, and one bias:

    ```mlir
    tpp.contract ins(%x, %w) post(%mean, %rstd, %gamma, %beta) {post_ops = [sub, mul, mul, add, relu]}
    // becomes, with %scaled = %w * (%rstd * %gamma) and %shift = (0 - %mean) * %rstd * %gamma + %beta
    tpp.contract ins(%x, %scaled) post(%shift) {post_ops = [add, relu]}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def AssignLayouts : Pass<"tpp-assign-layouts", "func::FuncOp"> {
  let summary = "Give each contraction operands whose layout brgemm can read";
  let description = [{
    The operand that holds the output's contiguous dimension (B) is put in panels along it, [N/64][K][64] for panels of 64 columns, where
    the strategy that governs the contraction says so (attribute `tpp.packing`, docs/packing-strategies.md); of constants a linalg.pack is
    inserted, which tpp-outline-prepack moves out of the function. What was chosen is left on the contraction:

    ```mlir
    tpp.contract ins(%x, %panels : ...) ... {..., tpp.chosen_packing = #tpp.packing<panel = 64, by = "cost model">}
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

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

//===- tile -------------------------------------------------------------------------------------------------------------------===//

def FusePostOps : Pass<"tpp-fuse-post-ops", "func::FuncOp"> {
  let summary = "Fuse elementwise consumers into tpp.contract as post-ops";
  let description = [{
    A linalg.generic that is the only user of a contraction and whose body is a chain of unary and binary kinds (bias, activation,
    residual, scale; activations also in the decomposed forms that exporters write) becomes the contraction's post-ops.
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"tpp-fuse-elementwise", "func::FuncOp"> {
  let summary = "Fuse chains of elementwise linalg.generic ops";
  let description = [{
    Upstream's elementwise fusion, reshapes between ops included, for producers with one user. Ops that read what their output held before are
    left alone (upstream would lose that value).
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def PushIntoJoins : Pass<"tpp-push-into-joins", "func::FuncOp"> {
  let summary = "Let the only reader of a concatenation compute in parts, where parts would be copied";
  let description = [{
    An elementwise op, or a sum or pool along other dimensions, that alone reads a chain of tensor.insert_slice is done for each part, and the
    results are put together. Only where a part cannot be computed in its place: an argument, a constant, part of several values.

    ```mlir
    %0 = tensor.insert_slice %token into %e[0, 0] [1, 768] [1, 1] : tensor<1x768xf32> into tensor<197x768xf32>
    %1 = tensor.insert_slice %patches into %0[1, 0] [196, 768] [1, 1] : tensor<196x768xf32> into tensor<197x768xf32>
    %2 = linalg.generic {...} ins(%1, %positions : tensor<197x768xf32>, tensor<197x768xf32>) outs(%f) ...
    // becomes
    %0 = linalg.generic {...} ins(%token, %first : tensor<1x768xf32>, tensor<1x768xf32>) ...
    %1 = tensor.insert_slice %0 into %f[0, 0] [1, 768] [1, 1] ...
    %2 = linalg.generic {...} ins(%patches, %others : tensor<196x768xf32>, tensor<196x768xf32>) ...
    %3 = tensor.insert_slice %2 into %1[1, 0] [196, 768] [1, 1] ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def ReadThroughRelays : Pass<"tpp-read-through-relays", "func::FuncOp"> {
  let summary = "Let linalg.generic read the source of what was only moved";
  let description = [{
    A transposition or broadcast whose result an op reads, through reshapes and slices, is composed into the op's map, where the loads stay
    contiguous:

    ```mlir
    %t = linalg.transpose ins(%x : tensor<197x12x64xf32>) outs(%e : tensor<12x197x64xf32>) permutation = [1, 0, 2]
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (h, s, d), ...], ...} ins(%t) ...
    // becomes
    %0 = linalg.generic {indexing_maps = [(h, s, d) -> (s, h, d), ...], ...} ins(%x) ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SkipPaddedTaps : Pass<"tpp-skip-padded-taps", "func::FuncOp"> {
  let summary = "Let contractions read a value without its border of zeros, where the border would be a copy";
  let description = [{
    A pad whose source cannot be computed into the middle of it (an argument) is not made when all that reads it are contractions: each becomes
    several, one for each combination of filter taps that lie in the source, with the taps chosen by offsets in the maps. Products of padding
    with infinite or NaN weights, which would be NaN, are left out with the rest. Stays as it is where an output reads nothing but padding, or
    where the estimate says that the copy costs less.

    ```mlir
    %p = tensor.insert_slice %x into %zeros[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
    %0 = tpp.contract ins(%p, %w : ...) outs(%e : tensor<8x16xf32>) {extents = array<i64: 8, 16, 4, 3>, ...}   // reads %p[c, o + t]
    // becomes
    %s0 = tensor.extract_slice %e[0, 0] [1, 16] [1, 1] ...
    %0 = tpp.contract ins(%x, %w) outs(%s0) {extents = array<i64: 1, 16, 4, 2>, ...}                          // reads %x[c, o + t], %w[t + 1]
    %r0 = tensor.insert_slice %0 into %e[0, 0] [1, 16] [1, 1] ...
    %1 = tpp.contract ins(%x, %w) ... {extents = array<i64: 6, 16, 4, 3>, ...}                                 // reads %x[c, o + t]
    %2 = tpp.contract ins(%x, %w) ... {extents = array<i64: 1, 16, 4, 2>, ...}                                 // reads %x[c, o + t + 6]
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::tensor::TensorDialect"];
}

def LowerRelayouts : Pass<"tpp-lower-relayouts", "func::FuncOp"> {
  let summary = "Lower linalg.pack and linalg.unpack to reshapes, transposes and fills";
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def TileContractions : Pass<"tpp-tile-contractions", "ModuleOp"> {
  let summary = "Lower tpp.contract on buffers to parallel loops over tpp.brgemm tiles";
  let description = [{
    Dimensions that are one run in every operand are merged; n is the one along which C is contiguous, m the longest other one of A, k the
    longest reduction. One further reduction is brgemm's batch by stride, several are a constant table of offsets. The rest are dimensions of
    one scf.forall over blocks of rows and columns, with tiles of their own size at the ends. The order of these tasks is the packing's, or
    what the caches of the target ask for: by rows, by columns, in groups of either, or along a Hilbert curve. The last two are one loop:

    ```mlir
    tpp.contract ins(%a, %b : memref<100x16xf32>, memref<16x72xf32>) outs(%c : memref<100x72xf32>) {...
      tpp.chosen_packing = #tpp.packing<panel = 0, rows = 35, columns = 16, order = curve>}
    ```
    becomes
    ```mlir
    %table = memref.get_global @tpp_tasks_0 : memref<15xi32>
    scf.forall (%task) in (15) {
      %entry = memref.load %table[%task]
      ... %row = %entry / 5, %column = %entry % 5
      tpp.brgemm ... // or, in the last row or column, one of a smaller size
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "1", "threads that share parallel loops">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "0", "second-level cache of a core; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def TileRelayouts : Pass<"tpp-tile-relayouts", "func::FuncOp"> {
  let summary = "Lower transpositions and copies on buffers to parallel loops over tpp.unary tiles";
  let description = [{
    An op that only moves elements (linalg on buffers, memref.copy), of a type of 1, 2, 4 or 8 bytes, becomes an scf.forall over tiles: `transpose`
    where source and target are contiguous along different dimensions, `identity` where rows of at least a cache line keep their
    order. Tiles of what is larger than the second-level cache are `streaming`. Broadcasts, shorter rows and narrower squares are left to
    tpp-vectorize-linalg.

    ```mlir
    linalg.transpose ins(%a : memref<128x64xi8>) outs(%b : memref<64x128xi8>) permutation = [1, 0]
    ```
    becomes
    ```mlir
    scf.forall (%i) in (2) {
      %x = memref.reinterpret_cast %a ... to memref<64x64xi8, strided<[64, 1], offset: ?>>
      %y = memref.reinterpret_cast %b ... to memref<64x64xi8, strided<[128, 1], offset: ?>>
      tpp.unary transpose ins(%x) outs(%y)
    }
    ```
  }];
  let options = [Option<"l2Bytes", "l2-bytes", "int64_t", "0", "second-level cache of a core; 0: the target's">];
  let dependentDialects = ["::mlir::tpp::TppDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def VectorizeLinalg : Pass<"tpp-vectorize-linalg", "func::FuncOp"> {
  let summary = "Lower linalg on buffers to parallel loops over vector code";
  let description = [{
    Each linalg op on buffers of static shape becomes a loop nest (scf.forall over outer parallel dimensions) whose innermost
    dimension is computed in vectors of `vector-bits`, with a masked tail. Buffers of i1 are accessed as bytes. What cannot be vectorized
    becomes scalar loops and a remark, counted in the function attribute `tpp.scalar_loops`. A maximum or minimum along that dimension
    may be the zero of either sign where it finds both.

    ```mlir
    linalg.generic {...} ins(%m : memref<32xi1>) outs(%n : memref<32xi1>) { ^bb0(%x: i1, %o: i1): %r = arith.xori %x, %true  linalg.yield %r }
    ```
    becomes
    ```mlir
    %mb = builtin.unrealized_conversion_cast %m : memref<32xi1> to memref<32xi8>
    %nb = builtin.unrealized_conversion_cast %n : memref<32xi1> to memref<32xi8>
    scf.for %i = %c0 to %c32 step %c16 {
      %0 = vector.load %mb[%i] : memref<32xi8>, vector<16xi8>
      %1 = arith.cmpi ne, %0, %zeros : vector<16xi8>
      %2 = arith.xori %1, %trues : vector<16xi1>
      %3 = arith.extui %2 : vector<16xi1> to vector<16xi8>
      vector.store %3, %nb[%i] : memref<32xi8>, vector<16xi8>
    }
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "bits of a vector register">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FuseRowLoops : Pass<"tpp-fuse-row-loops", "func::FuncOp"> {
  let summary = "Fuse neighbouring parallel loops over the same rows";
  let description = [{
    Loops with the same number of rows become one where the second reads or writes what the first has touched and no row meets another row:
    a softmax or a normalization then finds its rows in the first-level cache. Loops that do anything but load and store are left alone.
    Buffers that only one such loop touches, each row its own part, become a row on the stack, and the workspace shrinks to what is left.
    Reductions of a row that do not depend on one another become one loop, and one of what was stored on the stack is taken where it is stored.
    What several loops over a row read is asked for a row ahead, of long rows in several places at once.

    ```mlir
    scf.forall (%i) in (512) { ... memref.store %max, %m[%i] }
    scf.forall (%i) in (512) { %max = memref.load %m[%i] ... }
    ```
    becomes
    ```mlir
    scf.forall (%i) in (512) { ... memref.store %max, %m[%i]  %again = memref.load %m[%i] ... }
    ```
  }];
}

def StreamResults : Pass<"tpp-stream-results", "func::FuncOp"> {
  let summary = "Write results larger than the caches past them";
  let description = [{
    Vector loops that store whole lines of a `tpp.result` of more than half of the last cache, which nothing else in the function touches,
    get a second version with non-temporal stores, taken where the result starts at a line. Where such a loop is the last of several over a row,
    it becomes part of the next row's loops (OverlapRows.h).

    ```mlir
    scf.for %j = ... { vector.store %v, %y[%j] : memref<16777216xf32>, vector<16xf32> }
    ```
    becomes
    ```mlir
    scf.if %starts_at_line {
      scf.for %j = ... { vector.store %v, %y[%j] {alignment = 64 : i64, nontemporal = true} : memref<16777216xf32>, vector<16xf32> }
    } else {
      scf.for %j = ... { vector.store %v, %y[%j] : memref<16777216xf32>, vector<16xf32> }
    }
    llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()  // at the end of a parallel loop's body, if there is one
    ```
  }];
  let options = [Option<"leastBytes", "least-bytes", "int64_t", "0", "stream results of more bytes (0: than half of the target's last cache)">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::tpp::TppDialect"];
}

//===- bind -------------------------------------------------------------------------------------------------------------------===//

def BindKernels : Pass<"tpp-bind-kernels", "func::FuncOp"> {
  let summary = "Turn tpp ops on buffers into kernel handles and invocations";
  let description = [{
    Each tpp.brgemm, tpp.unary, tpp.binary and tpp.reduce becomes a tpp.dispatch, whose descriptor is read off the operands' static
    strides (offsets may be dynamic), and a tpp.invoke. What has no static form is lowered to scalar loops with a remark that says why.

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
    The executable specification of the dialect: every form, broadcast, batch, post-op and kind, tpp.contract included, with nothing
    but scf.for, memref, arith and math.

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

//===- report -----------------------------------------------------------------------------------------------------------------===//

def LayoutReport : Pass<"tpp-layout-report", "ModuleOp"> {
  let summary = "List every relayout and copy of a call, and why it is there";
  let description = [{
    Writes what tpp-count-moves has counted in each function, but in no @NAME_prepack without arguments (docs/layout-report.md): as JSON to a `file` that ends in .json,
    as text to any other and to stdout (`-`); without a file as text to stderr. The module stays as it is. `--tpp-layout-report=FILE` is
    short for `--tpp-layout-report=file=FILE`.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "where to: text, or JSON where it ends in .json; -: stdout">];
}

def LayoutGraph : Pass<"tpp-layout-graph", "ModuleOp"> {
  let summary = "Draw a function on tensors, with its layouts and relayouts, as SVG";
  let description = [{
    A node for each contraction, each move, and each group of other ops that one value leaves; edges with the shapes of the values, a colour for
    each layout, moves in red with their bytes (docs/layout-report.md). The module stays as it is. `--tpp-layout-graph=FILE.svg` is short
    for `--tpp-layout-graph=file=FILE.svg`; `-` is stdout.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "where to; -: stdout">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

#endif
