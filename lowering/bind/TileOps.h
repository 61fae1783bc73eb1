// What the bind stage knows of each operation of operations.def: its kernel descriptor, its invocation and its scalar loops. Those of an
// operation are defined in operations/<Name>.cpp.
#ifndef TPP_LOWERING_BIND_TILEOPS_H
#define TPP_LOWERING_BIND_TILEOPS_H

#include "lowering/bind/FormReader.h"
#include "lowering/bind/LoopBuilder.h"

namespace mlir::tpp {

// All functions get a verified op on memrefs.
//
// describeKernel: the kernel descriptor, computed from the operands' static strides; null if an operand has no form (`forms` keeps the reason).
//
// createInvoke: the invocation of the op's kernel.
//
// lowerToLoops: scalar loops that compute the op. They are its executable specification, so they are written for clarity: one loop per dimension,
// every element addressed through the operand's form. Accumulators are f32 (f64 for f64, i32 for integers); results are rounded once.
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  Attribute describeKernel(Name##Op op, Provider provider, FormReader &forms);                                                   \
  void createInvoke(OpBuilder &builder, Name##Op op, Value kernel);                                                              \
  void lowerToLoops(Name##Op op, LoopBuilder &loops);
#include "tpp/operations.def"

/// The invocation of a kernel that takes only the op's inputs and its output.
void createPlainInvoke(OpBuilder &builder, DestinationStyleOpInterface op, Value kernel);

} // namespace mlir::tpp

#endif
