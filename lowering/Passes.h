// Declarations of all lowering passes: options and create functions, generated from Passes.td. Pipelines.cpp registers them.
#ifndef TPP_LOWERING_PASSES_H
#define TPP_LOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tpp {
#define GEN_PASS_DECL
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

#endif
