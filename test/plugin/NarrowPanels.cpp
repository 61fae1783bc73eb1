// An out-of-tree packing strategy in its own dialect: `#narrow.panels<32>` packs constant B operands in panels of 32 columns and
// leaves all others unpacked (docs/packing-strategies.md).
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "tpp_dialect/ContractionInfo.h"

using namespace mlir;

namespace {

struct PanelsStorage : AttributeStorage {
  using KeyTy = int64_t;
  explicit PanelsStorage(int64_t columns) : columns(columns) {}
  bool operator==(int64_t other) const { return columns == other; }
  static PanelsStorage *construct(AttributeStorageAllocator &allocator, int64_t columns) {
    return new (allocator.allocate<PanelsStorage>()) PanelsStorage(columns);
  }
  int64_t columns;
};

class PanelsAttr : public Attribute::AttrBase<PanelsAttr, Attribute, PanelsStorage, tpp::PackingStrategyAttrInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PanelsAttr)
  using Base::Base;
  static constexpr StringLiteral name = "narrow.panels";
  int64_t getColumns() const { return getImpl()->columns; }

  FailureOr<tpp::Packing> choosePacking(const tpp::ContractionInfo &contraction,
                                        function_ref<InFlightDiagnostic()> emitError) const {
    if (!contraction.c().elementType.isF32()) {
      emitError() << "narrow panels are for f32";
      return failure();
    }
    tpp::Packing packing;
    packing.panel = contraction.b().isConstant ? getColumns() : 0;
    packing.by = "narrow panels";
    return packing;
  }
};

class NarrowDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NarrowDialect)
  static constexpr StringLiteral getDialectNamespace() { return "narrow"; }
  explicit NarrowDialect(MLIRContext *context) : Dialect(getDialectNamespace(), context, TypeID::get<NarrowDialect>()) {
    addAttributes<PanelsAttr>();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    int64_t columns;
    if (parser.parseKeyword("panels") || parser.parseLess() || parser.parseInteger(columns) || parser.parseGreater())
      return {};
    return PanelsAttr::get(getContext(), columns);
  }
  void printAttribute(Attribute attribute, DialectAsmPrinter &printer) const override {
    printer << "panels<" << cast<PanelsAttr>(attribute).getColumns() << ">";
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "NarrowPanels", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registry->insert<NarrowDialect>(); }};
}
