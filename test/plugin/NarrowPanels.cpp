// An out-of-tree packing strategy in its own dialect: `#narrow.panels<32>` packs constant B operands in panels of 32 columns and
// leaves all others unpacked. `#narrow.panels<32, 8>` also stores A and C in tiles of 8 rows and 32 columns (docs/packing-strategies.md).
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "tpp_dialect/ContractionInfo.h"

using namespace mlir;

namespace {

struct PanelsStorage : AttributeStorage {
  using KeyTy = tpp::TileSizes;
  explicit PanelsStorage(const KeyTy &tile) : tile(tile) {}
  bool operator==(const KeyTy &other) const { return tile == other; }
  static llvm::hash_code hashKey(const KeyTy &tile) { return llvm::hash_combine(tile.rows, tile.columns); }
  static PanelsStorage *construct(AttributeStorageAllocator &allocator, const KeyTy &tile) {
    return new (allocator.allocate<PanelsStorage>()) PanelsStorage(tile);
  }
  tpp::TileSizes tile; // 0 rows: A and C have no tiles
};

class PanelsAttr : public Attribute::AttrBase<PanelsAttr, Attribute, PanelsStorage, tpp::PackingStrategyAttrInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PanelsAttr)
  using Base::Base;
  static constexpr StringLiteral name = "narrow.panels";
  tpp::TileSizes getTile() const { return getImpl()->tile; }

  FailureOr<tpp::Packing> choosePacking(const tpp::ContractionInfo &contraction,
                                        function_ref<InFlightDiagnostic()> emitError) const {
    if (!contraction.c().elementType.isF32()) {
      emitError() << "narrow panels are for f32";
      return failure();
    }
    tpp::Packing packing;
    packing.panel = contraction.b().isConstant ? getTile().columns : 0;
    if (getTile().rows != 0)
      packing.a = packing.c = getTile();
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
    tpp::TileSizes tile;
    if (parser.parseKeyword("panels") || parser.parseLess() || parser.parseInteger(tile.columns) ||
        (succeeded(parser.parseOptionalComma()) && parser.parseInteger(tile.rows)) || parser.parseGreater())
      return {};
    return PanelsAttr::get(getContext(), tile);
  }
  void printAttribute(Attribute attribute, DialectAsmPrinter &printer) const override {
    tpp::TileSizes tile = cast<PanelsAttr>(attribute).getTile();
    printer << "panels<" << tile.columns;
    if (tile.rows != 0)
      printer << ", " << tile.rows;
    printer << ">";
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "NarrowPanels", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registry->insert<NarrowDialect>(); }};
}
