// Descriptors of kernels as bytes and as texts, through the interface of their attributes.
#include "lowering/emit/KernelDescriptors.h"

#include "tpp_dialect/TppDialect.h"

using namespace mlir;

tpp::EncodedDescriptor tpp::encodeDescriptor(Attribute descriptor) {
  auto desc = cast<KernelDescAttrInterface>(descriptor);
  return {("tpp_dispatch_" + desc.getOperationName()).str(), desc.getBytes()};
}

std::string tpp::printDescriptor(Attribute descriptor) {
  std::string text;
  llvm::raw_string_ostream(text) << descriptor;
  return text;
}

std::string tpp::describeDescriptor(Attribute descriptor) { return cast<KernelDescAttrInterface>(descriptor).getSummary(); }
