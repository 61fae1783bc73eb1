// Invalid targets and strategies.
// RUN: not tpp-opt %s --tpp-packing=tight 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: not tpp-opt %s '--tpp-packing=#tpp.layout' 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not tpp-opt %s '--tpp-packing=#nobody.strategy' 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not tpp-opt %s '--tpp-packing=#tpp.packing_fixed<panel = -1>' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tpp-opt %s --tpp-target=vax 2>&1 | FileCheck %s --check-prefix=VAX
// RUN: not tpp-opt %s '--tpp-target=#tpp.packing_cost_model' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tpp-opt %s --tpp-target=%s 2>&1 | FileCheck %s --check-prefix=FILE

// TIGHT: set-strategies-invalid.mlir:{{.*}}: error: unknown packing 'tight': expected default, none, an attribute (#tpp.packing_fixed<panel = 64>) or a .json file of tuning records
// LAYOUT: error: '#tpp.layout' is no packing strategy
// NOBODY: error: '#nobody.strategy' is no packing strategy: {{.*}}nobody
// NEGATIVE: error: '#tpp.packing_fixed<panel = -1>' is no packing strategy: panel must not be negative, got -1
// VAX: set-strategies-invalid.mlir:{{.*}}: error: unknown target 'vax': it is none of host, avx512, avx2, sse4, neon, portable, {{.*}}, nor a file that can be read (No such file or directory)
// OTHER: error: the target holds no #tpp.target attribute
// FILE: error: {{.*}}set-strategies-invalid.mlir:1: expected 'field = value', got '// Invalid targets and strategies.'
func.func @f() {
  return
}
