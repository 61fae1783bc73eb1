// Target and strategy of a module, given in every form; a function's own attributes stay.
// RUN: split-file %s %t
// RUN: tpp-opt %t/m.mlir --tpp-target=sapphire-rapids --tpp-packing=records.json | FileCheck %t/m.mlir --check-prefix=NAMES
// RUN: tpp-opt %t/m.mlir --tpp-target=%t/machine.txt '--tpp-packing=#tpp.packing_fixed<panel = 32, mc = 8>' | FileCheck %t/m.mlir --check-prefix=ATTRIBUTES
// RUN: tpp-opt %t/m.mlir '--tpp-target=target=#tpp.target<isa = "avx2", vector_bits = 256, registers = 16, caches = [32768], cores = 1>' --tpp-packing=packing=none | FileCheck %t/m.mlir --check-prefix=NONE
// RUN: tpp-opt %t/m.mlir --tpp-target=%t/figures.txt | FileCheck %t/m.mlir --check-prefix=FIGURES
// RUN: tpp-opt %t/m.mlir --tpp-target --tpp-packing | FileCheck %t/m.mlir --check-prefix=DEFAULT
// RUN: tpp-opt %t/m.mlir --tpp-default-tensors="target=zen3 packing={#tpp.packing_fixed<panel = 16>}" | FileCheck %t/m.mlir --check-prefix=PIPELINE

//--- machine.txt
#tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536, 1048576], cores = 4>

//--- figures.txt
name = zen5 # whose other figures hold
l1_ways = 8
l2_bytes = 2097152
memory_gbs = 30

//--- m.mlir
// NAMES: module attributes {tpp.packing = #tpp.packing_tuned<"records.json">, tpp.target = #tpp.target<isa = "avx512", cpu = "sapphirerapids", vector_bits = 512, registers = 32, caches = [49152, 2097152, 110100480], vnni = {bf16 = 2 : i64, f16 = 2 : i64, i8 = 4 : i64, u8 = 4 : i64}, cores = 56>}
// ATTRIBUTES: module attributes {tpp.packing = #tpp.packing_fixed<panel = 32, mc = 8>, tpp.target = #tpp.target<isa = "neon", vector_bits = 128, registers = 32, caches = [65536, 1048576], cores = 4>}
// FIGURES: module attributes {{.*}}tpp.target = #tpp.target<isa = "avx512", cpu = "znver5", vector_bits = 512, registers = 32, caches = [49152, 2097152, 33554432], vnni = {{.*}}, cores = 8, figures = {l1_ways = 8 : i64, memory_gbs = 3.000000e+01 : f64}>}
// NONE: module attributes {tpp.packing = #tpp.packing_fixed<panel = 0>, tpp.target = #tpp.target<isa = "avx2",
// DEFAULT: module {
// PIPELINE: module attributes {tpp.packing = #tpp.packing_fixed<panel = 16>, tpp.target = #tpp.target<isa = "avx2", cpu = "znver3",
module attributes {tpp.packing = #tpp.packing_cost_model} {
  // NAMES: func.func @f() attributes {tpp.packing = #tpp.packing_fixed<panel = 64>}
  func.func @f() attributes {tpp.packing = #tpp.packing_fixed<panel = 64>} {
    return
  }
}
