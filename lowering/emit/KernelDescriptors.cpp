//===- KernelDescriptors.cpp - #tpp.*_desc to the structures of tpp/types.h --------------------------------------------------===//
//
// The C structures are filled here and stored as bytes. The compiler and the runtime include the same header, so the layout in the emitted
// code is the one that the runtime was compiled with.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/emit/KernelDescriptors.h"

#include "tpp/types.h"
#include "tpp_dialect/TppDialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;

static tpp_matrix encode(tpp::MatrixAttr form) {
  tpp_matrix matrix = {};
  if (!form)
    return matrix;
  matrix.type = static_cast<int32_t>(form.getType());
  matrix.vnni = static_cast<int32_t>(form.getVnni());
  matrix.ld = form.getLd();
  matrix.panel = form.getPanel();
  matrix.panel_stride = form.getPanelStride();
  return matrix;
}

static tpp_brgemm_desc encode(tpp::BrgemmDescAttr attr) {
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = attr.getM();
  desc.n = attr.getN();
  desc.k = attr.getK();
  desc.a = encode(attr.getA());
  desc.b = encode(attr.getB());
  desc.c = encode(attr.getC());
  desc.batch_kind = static_cast<int32_t>(attr.getBatchKind());
  desc.beta = static_cast<int32_t>(attr.getBeta());
  desc.a_batch_stride = attr.getABatchStride();
  desc.b_batch_stride = attr.getBBatchStride();
  desc.provider = static_cast<int32_t>(attr.getProvider());
  desc.streaming = static_cast<int32_t>(attr.getStreaming());
  for (tpp::PostOpAttr step : attr.getPostOpList()) {
    tpp_post_op &postOp = desc.post_ops[desc.post_op_count++];
    postOp.op_class = static_cast<int32_t>(step.getOpClass());
    postOp.kind = static_cast<int32_t>(step.getKind());
    postOp.broadcast = static_cast<int32_t>(step.getBroadcast());
    postOp.form = encode(step.getForm());
  }
  return desc;
}

static tpp_unary_desc encode(tpp::UnaryDescAttr attr) {
  tpp_unary_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = attr.getM();
  desc.n = attr.getN();
  desc.in = encode(attr.getIn());
  desc.out = encode(attr.getOut());
  desc.kind = static_cast<int32_t>(attr.getKind());
  desc.broadcast = static_cast<int32_t>(attr.getBroadcast());
  desc.provider = static_cast<int32_t>(attr.getProvider());
  desc.streaming = static_cast<int32_t>(attr.getStreaming());
  if (FloatAttr alpha = attr.getAlpha())
    desc.alpha = alpha.getValue().convertToFloat();
  return desc;
}

static tpp_binary_desc encode(tpp::BinaryDescAttr attr) {
  tpp_binary_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = attr.getM();
  desc.n = attr.getN();
  desc.in0 = encode(attr.getIn0());
  desc.in1 = encode(attr.getIn1());
  desc.out = encode(attr.getOut());
  desc.kind = static_cast<int32_t>(attr.getKind());
  desc.broadcast0 = static_cast<int32_t>(attr.getBroadcast0());
  desc.broadcast1 = static_cast<int32_t>(attr.getBroadcast1());
  desc.provider = static_cast<int32_t>(attr.getProvider());
  return desc;
}

static tpp_reduce_desc encode(tpp::ReduceDescAttr attr) {
  tpp_reduce_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = attr.getM();
  desc.n = attr.getN();
  desc.in = encode(attr.getIn());
  desc.out = encode(attr.getOut());
  desc.kind = static_cast<int32_t>(attr.getKind());
  desc.axis = static_cast<int32_t>(attr.getAxis());
  desc.beta = static_cast<int32_t>(attr.getBeta());
  desc.provider = static_cast<int32_t>(attr.getProvider());
  return desc;
}

template <typename Descriptor> static std::string toBytes(const Descriptor &descriptor) {
  std::string bytes(sizeof(descriptor), '\0');
  std::memcpy(bytes.data(), &descriptor, sizeof(descriptor));
  return bytes;
}

tpp::EncodedDescriptor tpp::encodeDescriptor(Attribute descriptor) {
  return llvm::TypeSwitch<Attribute, EncodedDescriptor>(descriptor)
      .Case([](BrgemmDescAttr attr) { return EncodedDescriptor{"tpp_dispatch_brgemm", toBytes(encode(attr))}; })
      .Case([](UnaryDescAttr attr) { return EncodedDescriptor{"tpp_dispatch_unary", toBytes(encode(attr))}; })
      .Case([](BinaryDescAttr attr) { return EncodedDescriptor{"tpp_dispatch_binary", toBytes(encode(attr))}; })
      .Case([](ReduceDescAttr attr) { return EncodedDescriptor{"tpp_dispatch_reduce", toBytes(encode(attr))}; });
}

std::string tpp::printDescriptor(Attribute descriptor) {
  std::string text;
  llvm::raw_string_ostream(text) << descriptor;
  return text;
}

std::string tpp::describeDescriptor(Attribute descriptor) {
  return llvm::TypeSwitch<Attribute, std::string>(descriptor)
      .Case([](BrgemmDescAttr attr) { return llvm::formatv("brgemm {0}x{1}x{2}", attr.getM(), attr.getN(), attr.getK()).str(); })
      .Case([](UnaryDescAttr attr) {
        return llvm::formatv("unary {0} {1}x{2}", stringifyEnum(attr.getKind()), attr.getM(), attr.getN()).str();
      })
      .Case([](BinaryDescAttr attr) {
        return llvm::formatv("binary {0} {1}x{2}", stringifyEnum(attr.getKind()), attr.getM(), attr.getN()).str();
      })
      .Case([](ReduceDescAttr attr) {
        return llvm::formatv("reduce {0} {1}x{2}", stringifyEnum(attr.getKind()), attr.getM(), attr.getN()).str();
      });
}
