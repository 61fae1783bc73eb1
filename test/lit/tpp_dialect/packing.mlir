// Packings and the strategies that choose them. Omitted fields have their default values and are not printed.
// RUN: tpp-opt %s | FileCheck %s
// RUN: tpp-opt %s --emit-bytecode | tpp-opt | FileCheck %s

// CHECK: module attributes {tpp.packing = #tpp.packing_cost_model, tpp.target = #tpp.target<isa = "avx2", cpu = "znver3", vector_bits = 256,
module attributes {tpp.packing = #tpp.packing_cost_model,
                   tpp.target = #tpp.target<isa = "avx2", cpu = "znver3", vector_bits = 256, registers = 16, caches = [32768, 524288], cores = 8>} {
  // CHECK: func.func private @tuned() attributes {tpp.packing = #tpp.packing_tuned<"records.json">}
  func.func private @tuned() attributes {tpp.packing = #tpp.packing_tuned<"records.json">}
  // CHECK: func.func private @fixed() attributes {tpp.packing = #tpp.packing_fixed<panel = 64>}
  func.func private @fixed() attributes {tpp.packing = #tpp.packing_fixed<panel = 64, kc = 0, mc = 0, nc = 0, order = auto>}
  // CHECK: func.func private @regimes() attributes {tpp.packing = #tpp.packing_fixed<panel = 64, kc = 128, mc = 256, nc = 32, order = columns, small_batch = <panel = 32, order = rows>, matrix_vector = <panel = 0>>}
  func.func private @regimes() attributes {tpp.packing = #tpp.packing_fixed<panel = 64, kc = 128, mc = 256, nc = 32, order = columns, small_batch = <panel = 32, order = rows>, matrix_vector = <panel = 0>>}
  // CHECK: func.func private @orders() attributes {blocked = #tpp.packing<panel = 64, order = blocked>, curve = #tpp.packing_fixed<panel = 64, order = curve>}
  func.func private @orders() attributes {blocked = #tpp.packing<panel = 64, order = blocked>, curve = #tpp.packing_fixed<panel = 64, order = curve>}
  // CHECK: func.func private @tiles() attributes {c = #tpp.packing<panel = 16, c = [8, 16], by = "mine">, tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 0], c = [32, 32], matrix_vector = <panel = 0, a = [0, 16]>>}
  func.func private @tiles() attributes {c = #tpp.packing<panel = 16, c = [8, 16], by = "mine">, tpp.packing = #tpp.packing_fixed<panel = 32, a = [32, 0], c = [32, 32], matrix_vector = <panel = 0, a = [0, 16]>>}
  // CHECK: func.func private @chosen() attributes {p = #tpp.packing<panel = 64, by = "cost model">}
  func.func private @chosen() attributes {p = #tpp.packing<panel = 64, by = "cost model">}
}
