// RUN: tpp-opt %s --tpp-layout-report --split-input-file -verify-diagnostics
// RUN: not tpp-opt %s --tpp-count-moves --tpp-layout-report=%t/no/such/folder.txt --split-input-file 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not tpp-opt %s --tpp-layout-report="file=x colour=red" 2>&1 | FileCheck %s --check-prefix=OPTION
// FOLDER: error: {{.*}}folder.txt: cannot write: No such file or directory
// OPTION: no such option colour

// expected-error@+1 {{no moves have been counted: run tpp-layout-report after tpp-default, tpp-loops or tpp-count-moves}}
module {
  func.func @uncounted(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}

// -----

// expected-error@+1 {{'func.func' op has an attribute tpp.moves that is not a list of moves}}
func.func @malformed() attributes {tpp.moves = [{what = "pack"}]} {
  return
}
