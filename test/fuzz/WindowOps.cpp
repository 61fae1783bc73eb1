// Convolutions and pooling of random programs (Ops.h): sums of products, or maxima and minima, over image pixels addressed by
// stride and dilation.
#include "Ops.h"

#include <cmath>

namespace tpp::fuzz {

llvm::ArrayRef<WindowForm> windowForms() {
  using Kind = WindowForm::Kind;
  static constexpr WindowForm forms[] = {{"conv_2d_nchw_fchw", Kind::conv, "nchw", "fcrs", "nfhw"},
                                         {"conv_2d_nhwc_hwcf", Kind::conv, "nhwc", "rscf", "nhwf"},
                                         {"conv_2d_nhwc_fhwc", Kind::conv, "nhwc", "frsc", "nhwf"},
                                         {"conv_2d_ngchw_fgchw", Kind::grouped, "ngchw", "fgcrs", "ngfhw"},
                                         {"conv_2d_ngchw_gfchw", Kind::grouped, "ngchw", "gfcrs", "ngfhw"},
                                         {"conv_2d_nhwgc_gfhwc", Kind::grouped, "nhwgc", "gfrsc", "nhwgf"},
                                         {"depthwise_conv_2d_nchw_chw", Kind::depthwise, "nchw", "crs", "nchw"},
                                         {"depthwise_conv_2d_nhwc_hwc", Kind::depthwise, "nhwc", "rsc", "nhwc"},
                                         {"depthwise_conv_2d_nhwc_hwcm", Kind::depthwise, "nhwc", "rscm", "nhwcm"},
                                         {"pooling_nchw_max", Kind::max, "nchw", "rs", "nchw"},
                                         {"pooling_nchw_sum", Kind::sum, "nchw", "rs", "nchw"},
                                         {"pooling_nhwc_max", Kind::max, "nhwc", "rs", "nhwc"},
                                         {"pooling_nhwc_min", Kind::min, "nhwc", "rs", "nhwc"},
                                         {"pooling_nhwc_sum", Kind::sum, "nhwc", "rs", "nhwc"}};
  return forms;
}

namespace {
constexpr llvm::StringRef letters = "nhwgcfmrs"; // the loops, in this order

// The size of each loop; h and w are those of the result, 0 if the window does not fit.
Shape domainOf(const Program &program, const Window &window) {
  Shape domain(letters.size(), 1);
  auto take = [&](llvm::StringRef names, llvm::ArrayRef<int64_t> shape) {
    for (size_t i = 0; i < names.size(); ++i)
      domain[letters.find(names[i])] = shape[i];
  };
  take(window.form->input, program.tensor(window.input).shape);
  if (window.form->isPool())
    take("rs", window.sizes);
  else
    take(window.form->window, program.tensor(window.filter).shape);
  for (int i = 0; i < 2; ++i) {
    int64_t &pixels = domain[letters.find("hw"[i])], reach = window.dilations[i] * (domain[letters.find("rs"[i])] - 1) + 1;
    pixels = pixels < reach ? 0 : (pixels - reach) / window.strides[i] + 1;
  }
  return domain;
}

Access accessOf(llvm::StringRef names, llvm::ArrayRef<int64_t> shape) {
  Access access{std::vector<int64_t>(letters.size(), 0)};
  std::vector<int64_t> strides = rowMajorStrides(shape);
  for (size_t i = 0; i < names.size(); ++i)
    access.strides[letters.find(names[i])] = strides[i];
  return access;
}
// Adds the error of Winograd's algorithm if the compiler may use it for this convolution.
void addWinogradErrors(const Window &window, const Shape &domain, llvm::ArrayRef<Access> accesses, const Tensor &x,
                       const Tensor &filter, Tensor &result) {
  auto of = [&](char name) { return domain[letters.find(name)]; };
  auto isImage = [](Type type) { return type == Type::f32 || type == Type::bf16; };
  bool applies = isImage(x.type) && isImage(filter.type) && isImage(result.type) && of('r') == 3 && of('s') == 3 &&
                 of('g') == 1 && of('m') == 1 && window.form->kind != WindowForm::Kind::depthwise;
  // Taps that are several outputs apart: as many images, each of which takes every such output. What is left is computed directly.
  int64_t phases[2];
  for (int i = 0; i < 2; ++i) {
    int64_t outputs = of("hw"[i]);
    phases[i] = window.dilations[i] / window.strides[i];
    applies &= window.dilations[i] % window.strides[i] == 0 && (phases[i] == 1 || outputs >= 2 * phases[i]);
  }
  if (!applies)
    return;
  auto at = [](const Access &access, llvm::StringRef names, std::initializer_list<int64_t> indices) {
    int64_t offset = access.offset;
    for (auto [name, index] : llvm::zip(names, indices))
      offset += access.strides[letters.find(name)] * index;
    return offset;
  };
  WinogradWindow all{of('n'), of('c'), of('f'), of('h') / phases[0], of('w') / phases[1], {}, {}, {}};
  all.filter = [&](int64_t f, int64_t c, int64_t y, int64_t x_) { return filter.value[at(accesses[1], "fcrs", {f, c, y, x_})]; };
  for (int64_t row = 0; row < phases[0]; ++row)
    for (int64_t column = 0; column < phases[1]; ++column) {
      all.pixel = [&](int64_t n, int64_t c, int64_t y, int64_t x_) {
        return x.value[at(accesses[0], "nchw", {n, c, y * phases[0] + row, x_ * phases[1] + column})];
      };
      all.result = [&](int64_t n, int64_t f, int64_t y, int64_t x_) {
        return at(accesses[2], "nfhw", {n, f, y * phases[0] + row, x_ * phases[1] + column});
      };
      addWinogradErrors(all, result.error);
    }
}
} // namespace

Shape Window::shape(const Program &program) const {
  Shape domain = domainOf(program, *this), result;
  if (elementCount(domain) == 0)
    return {};
  for (char name : llvm::StringRef(form->output))
    result.push_back(domain[letters.find(name)]);
  return result;
}

int addWindow(Program &program, const Window &window) {
  using Kind = WindowForm::Kind;
  const WindowForm &form = *window.form;
  Shape domain = domainOf(program, window), shape = window.shape(program);
  const Tensor &x = program.tensor(window.input);
  if (shape.empty() || (form.isPool() && !isFloat(x.type)))
    return -1;
  Access accessX = accessOf(form.input, x.shape), accessY = accessOf(form.output, shape);
  for (int i = 0; i < 2; ++i) {
    int64_t &pixel = accessX.strides[letters.find("hw"[i])];
    accessX.strides[letters.find("rs"[i])] = pixel * window.dilations[i];
    pixel *= window.strides[i];
  }
  std::vector<int> operands{window.input};
  Type type = window.result.value_or(x.type);
  Tensor result = window.init >= 0 ? program.tensor(window.init) : Tensor(type, shape);
  Tensor filter(x.type, Shape(window.sizes, window.sizes + 2)); // for a pool only its shape is used
  double start = form.kind == Kind::max ? -INFINITY : (form.kind == Kind::min ? INFINITY : 0);
  if (!form.isPool()) {
    filter = program.tensor(window.filter);
    Access accesses[] = {accessX, accessOf(form.window, filter.shape), accessY};
    result = accumulate(domain, accesses, x, filter, std::move(result));
    if (program.winograd != llvm::StringRef("off"))
      addWinogradErrors(window, domain, accesses, x, filter, result);
    operands.push_back(window.filter);
    if (window.init >= 0)
      operands.push_back(window.init);
  } else if (form.kind == Kind::sum) {
    Tensor one(x.type, {});
    one.value[0] = 1;
    result = accumulate(domain, {accessX, Access{std::vector<int64_t>(letters.size(), 0)}, accessY}, x, one, std::move(result));
  } else {
    std::fill(result.value.begin(), result.value.end(), start);
    forEachPoint(domain, {accessX, accessY}, [&](const int64_t *at) {
      double &out = result.value[at[1]], in = x.value[at[0]];
      out = form.kind == Kind::max ? std::fmax(out, in) : std::fmin(out, in);
      result.error[at[1]] = std::fmax(result.error[at[1]], x.error[at[0]]);
    });
  }
  auto pair = [](const int64_t *values) {
    return "dense<[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + "]> : vector<2xi64>";
  };
  std::string attributes = "{dilations = " + pair(window.dilations) + ", strides = " + pair(window.strides) + "}";
  std::string typeX = x.typeText(), typeW = filter.typeText(), typeY = result.typeText(), name = form.name;
  bool isPool = form.isPool();
  Node::Printer print = [=, like = Tensor(type, shape), windowLike = Tensor(filter.type, filter.shape)](
                            Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &value) {
    std::string init = names.size() > 2 ? names[2] : emitter.filled(like, start);
    std::string second = isPool ? emitter.empty(windowLike) : names[1];
    emitter.stream() << "    " << value << " = linalg." << name << " " << attributes << " ins(" << names[0] << ", " << second
                     << " : " << typeX << ", " << typeW << ") outs(" << init << " : " << typeY << ") -> " << typeY << "\n";
  };
  return program.operation(form.name, std::move(result), std::move(operands), std::move(print));
}

} // namespace tpp::fuzz
