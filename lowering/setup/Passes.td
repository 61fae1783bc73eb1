//===- Passes.td - the passes of setup ----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline. Pass VerbObject has the flag tpp-verb-object and is defined in VerbObject.cpp; SetTarget
// and SetPacking have the short flags tpp-target and tpp-packing.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_SETUP_PASSES
#define TPP_LOWERING_SETUP_PASSES

include "mlir/Pass/PassBase.td"

def SelectEntry : Pass<"tpp-select-entry", "ModuleOp"> {
  let summary = "Make every function except the entry private";
  let description = [{
    Later passes inline the functions that the entry calls and drop the others. An empty `entry` leaves the visibility of all functions
    unchanged. Memref arguments of functions with a body get the attribute `tpp.mutable`.

    The pass rejects a packed entry (or, if `entry` is empty, any packed function): after tpp-evaluate-prepack the stages on tensors must not
    run again.

    ```mlir
    func.func @main(%x: memref<4xf32>) { call @other() ... }
    func.func @other() { ... }
    // with entry=main becomes
    func.func @main(%x: memref<4xf32> {tpp.mutable}) { call @other() ... }
    func.func private @other() { ... }
    ```
  }];
  let options = [Option<"entry", "entry", "std::string", "\"\"", "the function to compile">];
}

def SetTarget : Pass<"tpp-target", "ModuleOp"> {
  let summary = "Set the target machine of a module";
  let description = [{
    Sets the module's attribute `tpp.target` from `target`: host, a name, the text of a #tpp.target attribute, or the name of a file that
    contains one. `host` removes the attribute. Functions and ops with a `tpp.target` of their own keep it. `--tpp-target=TARGET` is short for
    `--tpp-target=target=TARGET`.

    ```mlir
    module attributes {tpp.target = #tpp.target<isa = "avx2", vector_bits = 256, registers = 16, caches = [32768, 524288, 16777216], cores = 1>}
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"host\"", "the machine to compile for">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def SetPacking : Pass<"tpp-packing", "ModuleOp"> {
  let summary = "Set the packing strategy of a module";
  let description = [{
    Sets the module's attribute `tpp.packing` from `packing`: default, none, the text of an attribute, or the name of a .json file of tuning
    records. `default` removes the attribute. Functions and ops with a `tpp.packing` of their own keep it. `--tpp-packing=PACKING` is short for
    `--tpp-packing=packing=PACKING`. See docs/packing-strategies.md.

    ```mlir
    module attributes {tpp.packing = #tpp.packing_fixed<panel = 32>}
    ```
  }];
  let options = [Option<"packing", "packing", "std::string", "\"default\"", "the packing strategy">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def LocalizeStrategies : Pass<"tpp-localize-strategies", "ModuleOp"> {
  let summary = "Copy a private function's target and packing strategy to its contractions";
  let description = [{
    Moves `tpp.target` and `tpp.packing` from each private function to its contractions, so that inlining does not lose them. A contraction's
    own attributes take precedence. A function that contains TOSA ops keeps its attributes and gets a warning: the conversion of TOSA to
    linalg, after inlining, drops attributes of ops.

    ```mlir
    func.func private @layer(...) attributes {tpp.packing = #tpp.packing_fixed<panel = 32>} { ... linalg.matmul ins(...) ... }
    // becomes
    func.func private @layer(...) { ... linalg.matmul {tpp.packing = #tpp.packing_fixed<panel = 32>} ins(...) ... }
    ```
  }];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

def KeepSlices : Pass<"tpp-keep-slices", "ModuleOp"> {
  let summary = "Rewrite slices and pads that upstream miscompiles or does not lower";
  let description = [{
    Upstream's canonicalizer assumes that a slice of reduced rank drops the first dimensions of size 1. If the slice drops others and an
    operand (offset, size or stride) becomes a constant, it silently slices along another dimension. The pass rewrites such slices that have
    operands: they keep all dimensions, and a reshape drops them. It runs before the first canonicalizer, which is part of the inliner.

    ```mlir
    %1 = tensor.extract_slice %0[0, %i, %j] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2xf32>
    // becomes
    %1 = tensor.extract_slice %0[0, %i, %j] [1, 2, 1] [1, 1, 1] : tensor<4x8x4xf32> to tensor<1x2x1xf32>
    %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<1x2x1xf32> into tensor<1x2xf32>
    ```

    Upstream also folds a pad into the insertion of its result into a fill, and ignores strides of the insertion. Pads of the rank and element type of such
    an insertion are decomposed:

    ```mlir
    %1 = tensor.pad %0 low[1] high[0] {...} : tensor<3xf32> to tensor<4xf32>
    %2 = tensor.insert_slice %1 into %fill[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
    // becomes
    %1 = tensor.insert_slice %0 into %other_fill[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    %2 = tensor.insert_slice %1 into %fill[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
    ```

    A negative amount of padding removes elements. Upstream decomposes such a pad into an insertion at a negative offset:

    ```mlir
    %1 = tensor.pad %0 low[-1] high[2] {...} : tensor<3xf32> to tensor<4xf32>
    // becomes
    %1 = tensor.extract_slice %0[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
    %2 = tensor.pad %1 low[0] high[2] {...} : tensor<2xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def BoxScalars : Pass<"tpp-box-scalars", "ModuleOp"> {
  let summary = "Turn scalar arguments and results of public functions into tensors of one element";
  let description = [{
    A compiled model takes a pointer for each argument and result. Floats, integers and `index` become tensors of rank 0, which the later stages
    pass like any other tensor. A public function that is called within the module must not have scalars.

    ```mlir
    func.func @main(%s: f32, %x: tensor<4xf32>) -> index {
      ...
      return %i : index
    }
    // becomes
    func.func @main(%t: tensor<f32>, %x: tensor<4xf32>) -> tensor<index> {
      %s = tensor.extract %t[] : tensor<f32>
      ...
      %r = tensor.from_elements %i : tensor<index>
      return %r : tensor<index>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif
