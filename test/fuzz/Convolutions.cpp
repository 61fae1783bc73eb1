// Convolutions of random programs and the blocks that they form: chains, residual blocks, split channels (Generator.h).
#include "Generator.h"

#include <algorithm>

namespace tpp::fuzz {

namespace {
constexpr int64_t maxConvolutionProducts = 600000; // the oracle needs some nanoseconds for each
} // namespace

// Mostly so many that each group has few channels. Divides `channels`, and `features` if that is not 0.
int64_t Generator::groupCount(int64_t channels, int64_t features) {
  std::vector<int64_t> counts, ofFewChannels;
  for (int64_t groups = 1; groups <= channels; ++groups)
    if (channels % groups == 0 && features % groups == 0) {
      counts.push_back(groups);
      if (channels / groups <= 4)
        ofFewChannels.push_back(groups);
    }
  const std::vector<int64_t> &from = !ofFewChannels.empty() && random.chance(65) ? ofFewChannels : counts;
  return from[random.below(static_cast<int64_t>(from.size()))];
}

// The filter of a convolution. One with groups may be expanded from a tensor in which the groups are merged with the dimension that
// follows or precedes them, as exporters store it.
int Generator::filterOf(const WindowForm &form, Type type, const Shape &shape, double fanIn) {
  size_t at = llvm::StringRef(form.window).find('g');
  if (form.kind != WindowForm::Kind::grouped || random.chance(50))
    return factor(type, shape, fanIn);
  if (at > 0 && random.chance(50))
    --at;
  Shape merged;
  Groups dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i == at + 1) {
      merged.back() *= shape[i];
      dims.back().push_back(static_cast<int>(i));
      continue;
    }
    merged.push_back(shape[i]);
    dims.push_back({static_cast<int>(i)});
  }
  return addExpand(program, factor(type, merged, fanIn), shape, dims);
}

int Generator::convolve(int x, int64_t features, bool same) {
  x = asImage(x);
  if (x < 0)
    return -1;
  Type type = tensor(x).type;
  Image at = image();
  int64_t channels = tensor(x).shape[at.c];
  bool depthwise = (features == 0 || features == channels) && random.chance(suitsWinograd ? 4 : 20),
       grouped = !depthwise && random.chance(suitsWinograd ? 6 : 16);
  using Kind = WindowForm::Kind;
  std::vector<const WindowForm *> fitting;
  for (const WindowForm &form : windowForms())
    if (form.channelsLast() == channelsLast &&
        form.kind == (depthwise ? Kind::depthwise : (grouped ? Kind::grouped : Kind::conv)) &&
        (features == 0 || form.output != llvm::StringRef("nhwcm")))
      fitting.push_back(&form);
  Window window{fitting[random.below(static_cast<int64_t>(fitting.size()))], x};
  static constexpr int64_t featureCounts[] = {1, 7, 8, 16, 17, 20, 24, 32, 33, 40, 48, 64};
  int64_t sizes[2], f = features ? features : featureCounts[random.between(suitsWinograd ? 1 : 0, 11)];
  Shape border(4, 0), far(4, 0);
  bool square = random.chance(suitsWinograd ? 95 : 85), apart = suitsWinograd && random.chance(15);
  for (int i = 0; i < 2; ++i) {
    sizes[i] =
        i && square ? sizes[0] : (random.chance(suitsWinograd ? 15 : 40) ? 1 : (random.chance(suitsWinograd ? 95 : 80) ? 3 : 2));
    if (depthwise && random.chance(25) && !(i && square))
      sizes[i] = random.between(4, 7);
    if (apart) {
      window.dilations[i] = i ? window.dilations[0] : random.between(2, 3);
    } else if (!same && !(suitsWinograd && random.chance(80))) {
      window.strides[i] = i && square ? window.strides[0] : (random.chance(70) ? 1 : random.between(2, 3));
      window.dilations[i] = i && square ? window.dilations[0] : (random.chance(85) ? 1 : 2);
    }
    int64_t all = window.dilations[i] * (sizes[i] - 1);
    border[i ? at.w : at.h] = all / 2, far[i ? at.w : at.h] = all - all / 2;
  }
  if (isFloat(type) && !same && random.chance(12)) { // zeros between the pixels: a transposed convolution
    Shape spread = tensor(x).shape, low(4, 0), steps(4, 1);
    for (int dim : {at.h, at.w}) {
      low[dim] = random.below(3), steps[dim] = random.between(1, 3);
      spread[dim] = low[dim] + (spread[dim] - 1) * steps[dim] + 1 + random.below(3);
    }
    x = window.input = addSpread(program, x, spread, low, steps);
  }
  if (sizes[0] * sizes[1] > 1 && (same || random.chance(60)))
    x = window.input = addPad(program, x, border, far, random.chance(85) ? 0 : (isFloat(type) ? 0.5 : 1));
  if (grouped) { // split channels into groups
    int64_t groups = groupCount(channels, features);
    channels /= groups;
    f = features ? features / groups : (random.chance(60) ? random.between(1, 6) : int64_t{8} << random.below(3));
    Shape split = tensor(x).shape;
    split[at.c] = groups;
    split.insert(split.begin() + at.c + 1, channels);
    window.input = addExpand(program, x, split, splitChannelGroups());
  }
  Shape filter;
  for (char letter : llvm::StringRef(window.form->window))
    filter.push_back(letter == 'f'   ? f
                     : letter == 'c' ? channels
                     : letter == 'm' ? random.between(1, 3)
                     : letter == 'g' ? tensor(window.input).shape[at.c]
                                     : sizes[letter == 's']);
  int64_t fanIn = sizes[0] * sizes[1] * (depthwise ? 1 : channels);
  if (elementCount(filter) > maxElements)
    return -1;
  window.filter = filterOf(*window.form, type, filter, static_cast<double>(fanIn));
  window.result = accumulatorType(type, tensor(window.filter).type, static_cast<double>(fanIn));
  Shape shape = window.shape(program);
  if (shape.empty() || elementCount(shape) > 2 * maxImageElements || elementCount(shape) * fanIn > maxConvolutionProducts)
    return -1;
  if (shape.size() == 4 && random.chance(25)) { // the bias is the initial value
    std::vector<int> added{0, at.h, at.w};
    std::sort(added.begin(), added.end());
    window.init = addBroadcast(program, weight(*window.result, {shape[at.c]}, 1), shape, added);
  } else {
    window.init = init(*window.result, shape);
  }
  int result = addWindow(program, window);
  if (result >= 0 && shape.size() == 5 &&
      (features || random.chance(70))) // collapse groups and features, or channels and multipliers
    result = addCollapse(program, result, splitChannelGroups());
  if (result >= 0 && isFloat(type) && typeBytes(type) == 2 && *window.result != type && random.chance(60)) {
    Body narrow;
    narrow.yields = {narrow.convert(narrow.input(*window.result), type)};
    return unary(result, narrow);
  }
  return result;
}

int Generator::convolution(int x) { return convolve(x, 0, random.chance(30)); }

// Two to four convolutions with normalizations and activations in between. Intermediate values may get other users.
int Generator::convolutionChain(int x) {
  for (int64_t depth = random.between(2, 4); depth > 0; --depth) {
    x = convolve(x, random.chance(20) && tensor(x).shape.size() == 4 ? tensor(x).shape[image().c] : 0, random.chance(70));
    if (x >= 0 && random.chance(40))
      x = batchNorm(x);
    if (x >= 0 && random.chance(25))
      x = activation(x);
    if (x < 0 || !isUseful(x) || tensor(x).shape.size() != 4)
      return -1;
    if (random.chance(30))
      add(x);
  }
  return x;
}

int Generator::residualBlock(int x) {
  x = asImage(x);
  if (x < 0)
    return -1;
  int64_t channels = tensor(x).shape[image().c];
  int inner = convolve(x, random.chance(50) ? channels : random.between(2, 40), true);
  if (inner >= 0 && random.chance(60))
    inner = batchNorm(inner);
  if (inner < 0 || !isUseful(inner) || tensor(inner).shape.size() != 4)
    return -1;
  // The other path is x itself or a convolution of x.
  int64_t features = random.chance(60) ? channels : random.between(2, 40);
  int result = convolve(inner, features, true),
      other = features == channels && random.chance(70) ? x : convolve(x, features, true);
  if (result < 0 || other < 0 || tensor(result).shape != tensor(other).shape)
    return -1;
  result = combine(Op::add, random.chance(50) ? batchNorm(result) : result, other, identityMap(4));
  return result >= 0 && random.chance(60) ? activation(result) : result;
}

// A depthwise convolution between two of single pixels, which multiply the number of channels and reduce it again.
int Generator::invertedResidual(int x) {
  if (random.chance(60)) { // an image of few channels, whose rows are short
    const int64_t images = random.chance(70) ? 1 : 2, c = random.between(3, 12), h = random.between(8, 24),
                  w = random.between(3, 10);
    x = source(isFloatNode(x) ? tensor(x).type : Type::f32, channelsLast ? Shape{images, h, w, c} : Shape{images, c, h, w});
  }
  x = asImage(x);
  if (x < 0 || !isFloatNode(x))
    return -1;
  const Image at = image();
  const Type type = tensor(x).type;
  const int64_t channels = tensor(x).shape[at.c], inner = random.chance(80) ? channels * random.between(2, 4) : channels;
  auto step = [&](int from, WindowForm::Kind kind, int64_t features, int64_t size, int64_t stride, int64_t dilation) {
    std::vector<const WindowForm *> fitting;
    for (const WindowForm &form : windowForms())
      if (form.channelsLast() == channelsLast && form.kind == kind && form.output != llvm::StringRef("nhwcm"))
        fitting.push_back(&form);
    Window window{fitting[random.below(static_cast<int64_t>(fitting.size()))], from};
    Shape border(4, 0);
    border[at.h] = border[at.w] = dilation * (size / 2);
    if (size > 1)
      from = window.input = addPad(program, from, border, border, random.chance(85) ? 0 : 0.5);
    Shape filter;
    for (char letter : llvm::StringRef(window.form->window))
      filter.push_back(letter == 'f' ? features : letter == 'c' ? tensor(from).shape[at.c] : size);
    for (int i = 0; i < 2; ++i)
      window.strides[i] = stride, window.dilations[i] = dilation;
    const double fanIn = static_cast<double>(kind == WindowForm::Kind::depthwise ? size * size : tensor(from).shape[at.c]);
    window.filter = program.constant(randomTensor(type, filter, fanIn), random.chance(50));
    window.result = accumulatorType(type, type, fanIn);
    const Shape shape = window.shape(program);
    if (shape.empty() || elementCount(shape) > 2 * maxImageElements ||
        static_cast<double>(elementCount(shape)) * fanIn > static_cast<double>(maxConvolutionProducts))
      return -1;
    window.init = init(*window.result, shape);
    int result = addWindow(program, window);
    if (result >= 0 && *window.result != type) {
      Body narrow;
      narrow.yields = {narrow.convert(narrow.input(*window.result), type)};
      result = unary(result, narrow);
    }
    if (result >= 0 && random.chance(50))
      result = batchNorm(result);
    return result >= 0 && random.chance(60) ? activation(result) : result;
  };
  const int64_t stride = random.chance(60) ? 1 : 2, size = random.chance(80) ? 3 : 5;
  int result = step(x, WindowForm::Kind::conv, inner, 1, 1, 1);
  if (result >= 0)
    result = step(result, WindowForm::Kind::depthwise, 0, size, stride, random.chance(80) ? 1 : 2);
  if (result >= 0 && random.chance(80))
    result = step(result, WindowForm::Kind::conv, random.chance(60) ? channels : random.between(1, 40), 1, 1, 1);
  if (result < 0 || tensor(result).shape != tensor(x).shape || random.chance(30))
    return result;
  return combine(Op::add, result, x, identityMap(4));
}

// Some channels go through a convolution, the others bypass it, and both are concatenated; perhaps with a channel shuffle.
int Generator::splitChannels(int x) {
  x = asImage(x);
  if (x < 0)
    return -1;
  Shape shape = tensor(x).shape, first = shape, second = shape, ones(4, 1);
  Offsets start(4, 0), rest(4, 0);
  int c = image().c;
  if (shape[c] < 2)
    return -1;
  first[c] = random.chance(50) ? shape[c] / 2 : random.between(1, shape[c] - 1);
  second[c] -= first[c], rest[c] = first[c];
  int kept = addSlice(program, x, start, first, ones);
  int changed = convolve(addSlice(program, x, rest, second, ones), second[c], true);
  if (changed < 0 || tensor(changed).shape != second || tensor(changed).type != tensor(kept).type)
    return -1;
  int joined = addConcat(program, c, random.chance(50) ? std::vector<int>{kept, changed} : std::vector<int>{changed, kept});
  if (shape[c] % 2 != 0 || random.chance(50))
    return joined;
  Groups dims = splitChannelGroups();
  Shape halves = shape;
  halves[c] = 2;
  halves.insert(halves.begin() + c + 1, shape[c] / 2);
  std::vector<int> swapped{0, 1, 2, 3, 4};
  std::swap(swapped[c], swapped[c + 1]);
  return addCollapse(program, addTranspose(program, addExpand(program, joined, halves, dims), swapped), dims);
}

} // namespace tpp::fuzz
