//===- Passes.td - the passes of report ---------------------------------------------------------------------------------------===//
//
// One record per pass, in the order of the pipeline; flag = tpp-verb-object = VerbObject.cpp.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_REPORT_PASSES
#define TPP_LOWERING_REPORT_PASSES

include "mlir/Pass/PassBase.td"

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
