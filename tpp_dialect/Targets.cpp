// Targets: verification, and the machine that a target describes.
#include "tpp/machines.h"
#include "tpp_dialect/TppDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

using EmitError = function_ref<InFlightDiagnostic()>;

ArrayRef<StringRef> TargetAttr::getIsas() {
  static const SmallVector<StringRef> isas = [] {
    SmallVector<StringRef> names;
#define TPP_MACHINE(id, base, name, cpu, ...)                                                                                    \
  if (StringRef(#base) == "none")                                                                                                \
    names.push_back(name);
#include "tpp/machines.def"
    return names;
  }();
  return isas;
}

namespace {
// A field of a machine that `figures` can set. The other fields are parameters of the target.
struct Figure {
  StringRef name;
  double least, most;
  int64_t tpp_machine::*whole;
  double tpp_machine::*real;

  constexpr Figure(StringRef name, double least, double most, int64_t tpp_machine::*field)
      : name(name), least(least), most(most), whole(field), real(nullptr) {}
  constexpr Figure(StringRef name, double least, double most, double tpp_machine::*field)
      : name(name), least(least), most(most), whole(nullptr), real(field) {}

  bool isParameter() const {
    return llvm::is_contained({"vector_bytes", "registers", "cores", "l1_bytes", "l2_bytes", "l3_bytes"}, name);
  }
  double get(const tpp_machine &machine) const { return whole ? static_cast<double>(machine.*whole) : machine.*real; }
  void set(tpp_machine &machine, double value) const {
    if (whole)
      machine.*whole = static_cast<int64_t>(value);
    else
      machine.*real = value;
  }
  Attribute getAttr(Builder &builder, double value) const {
    return whole ? Attribute(builder.getI64IntegerAttr(static_cast<int64_t>(value))) : builder.getF64FloatAttr(value);
  }
};
constexpr Figure allFigures[] = {
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary) {#name, least, most, &tpp_machine::name},
#include "tpp/machine_fields.def"
};

const Figure *findFigure(StringRef name) {
  auto found = llvm::find_if(allFigures, [&](const Figure &figure) { return figure.name == name && !figure.isParameter(); });
  return found == std::end(allFigures) ? nullptr : found;
}

// The value of an entry of `figures`; none if it is no f64 or i64, or no i64 for a field that counts.
std::optional<double> getValue(const Figure &figure, Attribute value) {
  if (auto whole = dyn_cast<IntegerAttr>(value); whole && whole.getType().isSignlessInteger(64))
    return static_cast<double>(whole.getInt());
  auto real = dyn_cast<FloatAttr>(value);
  return real && figure.real ? std::optional(real.getValueAsDouble()) : std::nullopt;
}

LogicalResult verifyFigures(EmitError emitError, DictionaryAttr given) {
  for (NamedAttribute entry : given ? given.getValue() : ArrayRef<NamedAttribute>()) {
    StringRef name = entry.getName();
    const Figure *figure = findFigure(name);
    if (!figure)
      return emitError() << "figures holds '" << name << "', which is no figure of a machine";
    std::optional<double> value = getValue(*figure, entry.getValue());
    if (!value)
      return emitError() << "the figure " << name << " must be a " << (figure->whole ? "whole " : "") << "number, got "
                         << entry.getValue();
    if (!(*value >= figure->least && *value <= figure->most))
      return emitError() << "the figure " << name << " must be between " << figure->least << " and " << figure->most << ", got "
                         << *value;
  }
  return success();
}

// The entry of tpp/machines.def for a processor or, if there is none with its instruction set, for the instruction set.
tpp_machine findEntry(StringRef isa, StringRef cpu) {
  tpp_machine machine;
  if (cpu.empty() || !tpp_machine_find(cpu.str().c_str(), &machine) || isa != machine.isa)
    tpp_machine_find(isa.str().c_str(), &machine);
  return machine;
}
} // namespace

TargetAttr TargetAttr::get(MLIRContext *context, const tpp_machine &machine, StringRef cpu, DictionaryAttr vnni) {
  Builder builder(context);
  tpp_machine entry = findEntry(machine.isa, cpu);
  SmallVector<NamedAttribute> different;
  for (const Figure &figure : allFigures)
    if (double value = figure.get(machine); !figure.isParameter() && value != figure.get(entry))
      different.push_back(builder.getNamedAttr(figure.name, figure.getAttr(builder, value)));
  SmallVector<int64_t> caches = {machine.l1_bytes, machine.l2_bytes};
  if (machine.l3_bytes > 0)
    caches.push_back(machine.l3_bytes);
  return get(context, builder.getStringAttr(machine.isa), cpu.empty() ? StringAttr() : builder.getStringAttr(cpu),
             machine.vector_bytes * 8, machine.registers, builder.getDenseI64ArrayAttr(caches), vnni, machine.cores,
             different.empty() ? DictionaryAttr() : builder.getDictionaryAttr(different));
}

tpp_machine TargetAttr::getMachine() const {
  tpp_machine machine = findEntry(getIsa(), getCpu() ? getCpu().getValue() : StringRef());
  machine.vector_bytes = getVectorBits() / 8, machine.registers = getRegisters(), machine.cores = getCores();
  machine.l1_bytes = getCacheBytes(1), machine.l2_bytes = getCacheBytes(2);
  machine.l3_bytes = getCaches().size() > 2 ? getCacheBytes(3) : 0;
  if (machine.l3_bytes == 0)
    machine.l3_gbs = machine.memory_gbs, machine.l3_ns = machine.memory_ns;
  for (NamedAttribute entry : getFigures() ? getFigures().getValue() : ArrayRef<NamedAttribute>()) {
    const Figure *figure = findFigure(entry.getName());
    figure->set(machine, *getValue(*figure, entry.getValue()));
  }
  return machine;
}

LogicalResult TargetAttr::verify(EmitError emitError, StringAttr isa, StringAttr cpu, int64_t vectorBits, int64_t registers,
                                 DenseI64ArrayAttr caches, DictionaryAttr vnni, int64_t cores, DictionaryAttr figures) {
  if (!llvm::is_contained(getIsas(), isa.getValue()))
    return emitError() << "isa must be one of " << llvm::join(getIsas(), ", ") << ", got '" << isa.getValue() << "'";
  if (cpu && cpu.getValue().empty())
    return emitError() << "cpu must be the name of a processor, got an empty one";
  if (vectorBits < 64 || !llvm::isPowerOf2_64(vectorBits))
    return emitError() << "vector_bits must be a power of two of at least 64, got " << vectorBits;
  if (registers < 1)
    return emitError() << "registers must be at least 1, got " << registers;
  if (caches.empty() || llvm::any_of(caches.asArrayRef(), [](int64_t bytes) { return bytes < 1; }))
    return emitError() << "caches must hold a positive number of bytes for each level, got " << caches;
  if (cores < 1)
    return emitError() << "cores must be at least 1, got " << cores;
  for (NamedAttribute entry : vnni ? vnni.getValue() : ArrayRef<NamedAttribute>()) {
    if (!symbolizeElementType(entry.getName()))
      return emitError() << "vnni names '" << entry.getName().getValue() << "', which is no element type";
    auto factor = dyn_cast<IntegerAttr>(entry.getValue());
    if (!factor || factor.getInt() < 1)
      return emitError() << "the vnni factor of " << entry.getName().getValue() << " must be a positive integer, got "
                         << entry.getValue();
  }
  const std::pair<StringRef, int64_t> parameters[] = {{"vector_bytes", vectorBits / 8},
                                                      {"registers", registers},
                                                      {"cores", cores},
                                                      {"l1_bytes", caches[0]},
                                                      {"l2_bytes", caches.size() > 1 ? caches[1] : caches[0]},
                                                      {"l3_bytes", caches.size() > 2 ? caches[2] : 0}};
  for (auto [name, value] : parameters) {
    const Figure &figure = *llvm::find_if(allFigures, [&, name = name](const Figure &each) { return each.name == name; });
    if (static_cast<double>(value) < figure.least || static_cast<double>(value) > figure.most)
      return emitError() << name << " must be between " << static_cast<int64_t>(figure.least) << " and "
                         << static_cast<int64_t>(figure.most) << ", got " << value;
  }
  return verifyFigures(emitError, figures);
}

int64_t TargetAttr::getVnniFactor(ElementType type) const {
  auto factor = getVnni() ? getVnni().getAs<IntegerAttr>(stringifyElementType(type)) : IntegerAttr();
  return factor ? factor.getInt() : 1;
}

int64_t TargetAttr::getCacheBytes(unsigned level) const {
  ArrayRef<int64_t> caches = getCaches().asArrayRef();
  return caches[std::clamp<size_t>(level, 1, caches.size()) - 1];
}
