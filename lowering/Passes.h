// Declarations of all lowering passes: options, create functions and registration, generated from Passes.td.
#ifndef TPP_LOWERING_PASSES_H
#define TPP_LOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tpp {
#define GEN_PASS_DECL
#include "lowering/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

#endif
