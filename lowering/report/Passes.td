//===- Passes.td - the passes that report moves and draw layouts --------------------------------------------------------------===//
//
// One record per pass. The source of a pass is named after its flag.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_REPORT_PASSES
#define TPP_LOWERING_REPORT_PASSES

include "mlir/Pass/PassBase.td"

def LayoutReport : Pass<"tpp-layout-report", "ModuleOp"> {
  let summary = "List every relayout and copy of a call, with its reason";
  let description = [{
    Writes the moves that tpp-count-moves has counted in each function (docs/layout-report.md). A @NAME_prepack without arguments is
    omitted. The report is JSON if the name of `file` ends in .json, else text. `-` is stdout; without a file the text goes to stderr. The
    module is not changed. `--tpp-layout-report=FILE` is short for `--tpp-layout-report=file=FILE`.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "output file: JSON if its name ends in .json, else text; -: stdout">];
}

def LayoutGraph : Pass<"tpp-layout-graph", "ModuleOp"> {
  let summary = "Draw a function on tensors, with its layouts and relayouts, as SVG";
  let description = [{
    Draws one node for each contraction, each move, and each group of other ops with a single result used outside the group. Edges show
    the shapes of the values. Each layout has a colour; moves are red, with their bytes (docs/layout-report.md). The module is not changed.
    `--tpp-layout-graph=FILE.svg` is short for `--tpp-layout-graph=file=FILE.svg`; `-` is stdout.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "output file; -: stdout">];
  let dependentDialects = ["::mlir::tpp::TppDialect"];
}

#endif
