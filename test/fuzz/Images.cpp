// Operations of convolutional networks: convolution, normalization, pooling, residual blocks, for images in NCHW and in NHWC
// (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

namespace {
constexpr int64_t maxImageElements = 8000, maxConvolutionProducts = 600000; // the oracle needs some nanoseconds for each
} // namespace

int Generator::imageSource() {
  // Channel counts: some are multiples of the block sizes, some are not.
  static constexpr int64_t channels[] = {1, 3, 5, 8, 12, 16, 17, 20, 24, 32, 33, 40, 48, 64, 64};
  int64_t images = random.chance(70) ? 1 : 2, c = channels[random.below(15)], h = random.between(3, 14),
          w = random.between(3, 14);
  while (images * c * h * w > maxImageElements)
    h = (h + 1) / 2, w = (w + 1) / 2;
  return source(base, channelsLast ? Shape{images, h, w, c} : Shape{images, c, h, w});
}

int Generator::asImage(int x) {
  Type type = tensor(x).type;
  if (isFloat(type) && typeBytes(type) < 4)
    return -1;
  if (tensor(x).shape.size() == 4 && tensor(x).size() <= 2 * maxImageElements)
    return x;
  if (!isFloat(type))
    return -1;
  std::swap(base, type);
  int made = imageSource();
  std::swap(base, type);
  return made;
}

Generator::Groups Generator::splitChannelGroups() const {
  return channelsLast ? Groups{{0}, {1}, {2}, {3, 4}} : Groups{{0}, {1, 2}, {3}, {4}};
}

int Generator::combine(Op op, int x, int y, const Map &mapY) {
  if (x < 0 || y < 0)
    return -1;
  Body body;
  int a = body.input(tensor(x).type), b = body.input(tensor(y).type);
  body.yields = {body.binary(op, a, b)};
  return map({x, y}, {identityMap(tensor(x).shape.size()), mapY}, body);
}

int Generator::convolve(int x, int64_t features, bool same) {
  x = asImage(x);
  if (x < 0)
    return -1;
  Type type = tensor(x).type;
  Image at = image();
  int64_t channels = tensor(x).shape[at.c];
  bool depthwise = (features == 0 || features == channels) && random.chance(12),
       grouped = !depthwise && features == 0 && random.chance(8);
  using Kind = WindowForm::Kind;
  std::vector<const WindowForm *> fitting;
  for (const WindowForm &form : windowForms())
    if (form.channelsLast() == channelsLast &&
        form.kind == (depthwise ? Kind::depthwise : (grouped ? Kind::grouped : Kind::conv)) &&
        (features == 0 || form.output != llvm::StringRef("nhwcm")))
      fitting.push_back(&form);
  Window window{fitting[random.below(static_cast<int64_t>(fitting.size()))], x};
  static constexpr int64_t featureCounts[] = {1, 7, 8, 16, 17, 20, 24, 32, 33, 40, 48, 64};
  int64_t sizes[2], f = features ? features : featureCounts[random.below(12)];
  Shape border(4, 0), far(4, 0);
  bool square = random.chance(85);
  for (int i = 0; i < 2; ++i) {
    sizes[i] = i && square ? sizes[0] : (random.chance(40) ? 1 : (random.chance(80) ? 3 : 2));
    if (!same) {
      window.strides[i] = i && square ? window.strides[0] : (random.chance(70) ? 1 : random.between(2, 3));
      window.dilations[i] = i && square ? window.dilations[0] : (random.chance(85) ? 1 : 2);
    }
    int64_t all = window.dilations[i] * (sizes[i] - 1);
    border[i ? at.w : at.h] = all / 2, far[i ? at.w : at.h] = all - all / 2;
  }
  if (sizes[0] * sizes[1] > 1 && (same || random.chance(60)))
    x = window.input = addPad(program, x, border, far, random.chance(85) ? 0 : 0.5);
  if (grouped) { // split channels into groups
    int64_t groups = channels % 4 == 0 ? 4 : (channels % 3 == 0 ? 3 : 1);
    Shape split = tensor(x).shape;
    split[at.c] = groups;
    split.insert(split.begin() + at.c + 1, channels / groups);
    window.input = addExpand(program, x, split, splitChannelGroups());
    f = random.between(1, 6), channels /= groups;
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
  window.filter = weight(type, filter, static_cast<double>(fanIn));
  Shape shape = window.shape(program);
  if (shape.empty() || elementCount(shape) > 2 * maxImageElements || elementCount(shape) * fanIn > maxConvolutionProducts)
    return -1;
  if (shape.size() == 4 && random.chance(25)) { // the bias is the initial value
    std::vector<int> added{0, at.h, at.w};
    std::sort(added.begin(), added.end());
    window.init = addBroadcast(program, weight(type, {shape[at.c]}, 1), shape, added);
  } else {
    window.init = shape.size() == 4 ? init(type, shape) : -1;
  }
  int result = addWindow(program, window);
  if (result >= 0 && shape.size() == 5 && random.chance(70)) // collapse groups and features, or channels and multipliers
    result = addCollapse(program, result, splitChannelGroups());
  return result;
}

int Generator::convolution(int x) { return convolve(x, 0, random.chance(30)); }

int Generator::pooling(int x) {
  x = asImage(x);
  if (x < 0 || !isFloat(tensor(x).type))
    return -1;
  Image at = image();
  std::vector<const WindowForm *> fitting;
  for (const WindowForm &form : windowForms())
    if (form.isPool() && form.channelsLast() == channelsLast)
      fitting.push_back(&form);
  Window window{fitting[random.below(static_cast<int64_t>(fitting.size()))], x};
  bool all = random.chance(20); // a window over the whole image, as exporters write global pooling
  Shape border(4, 0);
  for (int i = 0; i < 2; ++i) {
    int dim = i ? at.w : at.h;
    window.sizes[i] = all ? tensor(x).shape[dim] : (i && random.chance(80) ? window.sizes[0] : random.between(1, 3));
    window.strides[i] = i && random.chance(80) ? window.strides[0] : random.between(1, 3);
    window.dilations[i] = !all && random.chance(10) ? 2 : 1;
    border[dim] = all ? 0 : window.sizes[i] / 2;
  }
  using Kind = WindowForm::Kind;
  Kind kind = window.form->kind;
  if (random.chance(50))
    window.input = addPad(program, x, border, border, kind == Kind::sum ? 0 : (kind == Kind::max ? -INFINITY : INFINITY));
  int sum = addWindow(program, window);
  if (sum < 0 || kind != Kind::sum)
    return sum;
  Body mean; // times a power of two, so that exact data stay exact
  int a = mean.input(tensor(x).type);
  mean.yields = {mean.binary(Op::mul, a, mean.constant(0.25, tensor(x).type))};
  return unary(sum, mean);
}

// (x - mean) * scale * gamma + beta along the channels, or a part of it. The parameters are constants or arguments.
int Generator::batchNorm(int x) {
  Type type = tensor(x).type;
  if (tensor(x).shape.size() != 4)
    return -1;
  Map column{image().c};
  Shape columns{tensor(x).shape[image().c]};
  static constexpr Op ops[] = {Op::sub, Op::mul, Op::mul, Op::add};
  if (random.chance(30)) { // as one operation
    std::vector<int> inputs{x};
    std::vector<Map> maps{identityMap(4)};
    Body body;
    int parameters[4], step = body.input(type);
    for (int &parameter : parameters) {
      inputs.push_back(weight(type, columns, 1));
      maps.push_back(column);
      parameter = body.input(type);
    }
    for (int i = 0; i < 4; ++i)
      step = body.binary(ops[i], step, parameters[i]);
    body.yields = {random.chance(50) ? body.relu(step) : step};
    return map(inputs, maps, body);
  }
  int64_t first = random.below(4), last = random.between(first, 3);
  for (int64_t i = first; i <= last; ++i) {
    int parameter = weight(type, columns, 1);
    if (random.chance(25)) { // the parameter has the image's rank, with size 1 in the other dimensions
      Shape wide(4, 1);
      wide[image().c] = columns[0];
      Map map{-1, -1, -1, -1};
      map[image().c] = image().c;
      parameter = addExpand(program, parameter, wide, {{0, 1, 2, 3}});
      x = combine(ops[i], x, parameter, map);
    } else {
      x = combine(ops[i], x, parameter, column);
    }
    if (x < 0)
      return -1;
  }
  return random.chance(50) ? activation(x) : x;
}

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

// Some channels go through a convolution, the others bypass it, and both are concatenated; perhaps with a channel shuffle.
int Generator::splitChannels(int x) {
  x = asImage(x);
  if (x < 0)
    return -1;
  Shape shape = tensor(x).shape, first = shape, second = shape, start(4, 0), rest(4, 0), ones(4, 1);
  int c = image().c;
  if (shape[c] < 2)
    return -1;
  first[c] = random.chance(50) ? shape[c] / 2 : random.between(1, shape[c] - 1);
  second[c] -= first[c], rest[c] = first[c];
  int kept = addSlice(program, x, start, first, ones);
  int changed = convolve(addSlice(program, x, rest, second, ones), second[c], true);
  if (changed < 0 || tensor(changed).shape != second)
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

// The mean (or maximum or minimum) of all pixels, as a reduction.
int Generator::poolAllPixels(int x) {
  if (tensor(x).shape.size() != 4 || !isFloat(tensor(x).type))
    return -1;
  std::vector<bool> pixels(4);
  pixels[image().h] = pixels[image().w] = true;
  bool isSum = random.chance(60);
  int result =
      addReduce(program, {x, pixels, random.chance(50),
                          isSum ? Reduction::sum : (random.chance(50) ? Reduction::max : Reduction::min), random.chance(40)});
  if (!isSum)
    return result;
  Body mean;
  int a = mean.input(tensor(x).type);
  mean.yields = {mean.binary(Op::mul, a, mean.constant(0.125, tensor(x).type))};
  return unary(result, mean);
}

// Scales channels by the output of a small network on their means (squeeze and excite).
int Generator::excite(int x) {
  int means = poolAllPixels(x);
  if (means < 0)
    return -1;
  Shape shape = tensor(x).shape;
  int64_t channels = shape[image().c];
  if (tensor(means).shape.size() == 4)
    means = addCollapse(program, means, {{0}, {1, 2, 3}});
  int scales = addContraction(program, {"matmul",
                                        {shape[0], channels, channels},
                                        "ppr",
                                        {{0, 2}, {2, 1}, {0, 1}},
                                        means,
                                        weight(tensor(x).type, {channels, channels}, static_cast<double>(channels)),
                                        -1,
                                        tensor(x).type});
  if (random.chance(70))
    scales = activation(scales);
  return combine(Op::mul, x, scales, {0, image().c});
}

// NCHW to NHWC or back; the program continues with images in that order.
int Generator::otherOrder(int x) {
  if (tensor(x).shape.size() != 4)
    return -1;
  std::vector<int> permutation = channelsLast ? std::vector<int>{0, 3, 1, 2} : std::vector<int>{0, 2, 3, 1};
  channelsLast = !channelsLast;
  if (random.chance(70))
    return addTranspose(program, x, permutation);
  // As an elementwise operation that reads x through a permuting map.
  Map from(4);
  for (int i = 0; i < 4; ++i)
    from[permutation[i]] = i;
  Body body;
  body.yields = {body.relu(body.input(tensor(x).type))};
  return map({x}, {from}, body);
}

int Generator::padPixels(int x) {
  if (tensor(x).shape.size() != 4)
    return -1;
  Shape low(4, 0), high(4, 0);
  for (int dim : {image().h, image().w})
    low[dim] = random.below(3), high[dim] = random.below(3);
  static constexpr double fillers[] = {0, 0, 1, -2, 3};
  return addPad(program, x, low, high, fillers[random.below(5)]);
}

// Merges pixels, or channels and pixels (the flattening before a classifier), or images and rows; or splits channels or rows.
int Generator::reshapeImage(int x) {
  Shape shape = tensor(x).shape;
  if (shape.size() != 4)
    return -1;
  Image at = image();
  switch (random.below(6)) {
  case 0: { // merges pixels to one dimension, and perhaps splits them again, with height and width swapped
    Groups groups = channelsLast ? Groups{{0}, {1, 2}, {3}} : Groups{{0}, {1}, {2, 3}};
    int merged = addCollapse(program, x, groups);
    if (random.chance(50))
      merged = activation(merged);
    if (merged < 0 || random.chance(50))
      return merged;
    Shape turned = shape; // height and width swapped
    std::swap(turned[at.h], turned[at.w]);
    return addExpand(program, merged, random.chance(50) ? shape : turned, groups);
  }
  case 1: { // flattens for a classifier
    int flat = addCollapse(program, x, {{0}, {1, 2, 3}});
    return random.chance(60) && tensor(flat).shape[1] < 2000 ? linear(flat) : flat;
  }
  case 2: // merges images and rows, or images and channels
    return addCollapse(program, x, {{0, 1}, {2}, {3}});
  case 3: // splits channels into groups
  case 4: {
    int64_t groups = shape[at.c] % 4 == 0 ? 4 : (shape[at.c] % 3 == 0 ? 3 : 1);
    Shape split = shape;
    split[at.c] = groups;
    split.insert(split.begin() + at.c + 1, shape[at.c] / groups);
    return addExpand(program, x, split, splitChannelGroups());
  }
  default: // splits rows in two: space to depth
    if (shape[at.h] % 2 != 0)
      return -1;
    Shape split = shape;
    split[at.h] = shape[at.h] / 2;
    split.insert(split.begin() + at.h + 1, 2);
    return addExpand(program, x, split, channelsLast ? Groups{{0}, {1, 2}, {3}, {4}} : Groups{{0}, {1}, {2, 3}, {4}});
  }
}

} // namespace tpp::fuzz
