//===- Passes.td - the passes of setup ----------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_SETUP_PASSES
#define TPP_LOWERING_SETUP_PASSES

include "mlir/Pass/PassBase.td"

def SelectEntry : Pass<"tpp-select-entry", "ModuleOp"> {
  let summary = "Make every function but the one compiled private";
  let description = [{
    What the entry does not call is then dropped, what it calls is inlined. An empty `entry` leaves the module as it is. Packed models
    (tpp-evaluate-prepack) are refused: they are behind the stages that this pass begins.
  }];
  let options = [Option<"entry", "entry", "std::string", "\"\"", "the function that is compiled">];
}

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

#endif
