// A packing that does not exist.
// RUN: tpp-opt %s --tpp-assign-layouts=packing=tight -verify-diagnostics

// expected-error @below {{unknown packing 'tight': default or none}}
func.func @main() {
  return
}
