// Images of random programs, in NCHW and in NHWC, and their operations other than convolutions: pooling, normalization, reshapes
// (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

int Generator::imageSource() {
  // Channel counts: some are multiples of the block sizes, some are not.
  static constexpr int64_t channels[] = {1, 3, 5, 8, 12, 16, 17, 20, 24, 32, 33, 40, 48, 64, 64};
  int64_t images = random.chance(70) ? 1 : 2, c = channels[random.below(15)], h = random.between(3, 14),
          w = random.between(3, 14);
  if (suitsWinograd) {
    c = channels[random.between(1, 10)]; // few: the bounds of chains of convolutions are narrow
    if (random.chance(15)) {             // long rows or columns
      h = random.between(1, 3), w = random.between(30, 150);
      if (random.chance(50))
        std::swap(h, w);
    }
  }
  while (images * c * h * w > maxImageElements)
    h = (h + 1) / 2, w = (w + 1) / 2;
  return source(base, channelsLast ? Shape{images, h, w, c} : Shape{images, c, h, w});
}

int Generator::asImage(int x) {
  Type type = tensor(x).type;
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
  if (x < 0 || y < 0 || tensor(x).type != tensor(y).type)
    return -1;
  Body body;
  int a = body.input(tensor(x).type), b = body.input(tensor(y).type);
  body.yields = {body.binary(op, a, b)};
  return map({x, y}, {identityMap(tensor(x).shape.size()), mapY}, body);
}

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

// Selects rows and columns, in most cases at constant indices. Perhaps adds other ones, as an interpolation does.
int Generator::resize(int x) {
  x = asImage(x);
  if (x < 0)
    return -1;
  Gather gather{x, tensor(x).shape, {}, {}};
  for (int i = 0; i < 4; ++i)
    gather.places.push_back({i});
  gather.body.yields = {gather.body.input(tensor(x).type)};
  for (int dim : {image().h, image().w})
    gather.domain[dim] = random.chance(80) ? random.between(1, 2 * gather.domain[dim] + 2) : gather.domain[dim];
  if (elementCount(gather.domain) > 2 * maxImageElements)
    return -1;
  auto select = [&] {
    for (int dim : {image().h, image().w}) {
      int64_t size = gather.domain[dim], last = tensor(x).shape[dim] - 1;
      if (size == last + 1 && random.chance(70))
        continue;
      gather.places[dim].map = {dim};
      if (random.chance(20)) {
        gather.places[dim].node = indexTensor({size}, 0, last);
        continue;
      }
      Tensor indices(random.chance(80) ? Type::i64 : Type::i32, {size});
      for (int64_t i = 0; i < size; ++i)
        indices.setExact(i, static_cast<double>(random.between(0, last)));
      gather.places[dim].node = program.constant(std::move(indices), /*asResource=*/random.chance(50));
    }
    return addGather(program, gather);
  };
  int selected = select();
  return random.chance(50) ? combine(random.chance(70) ? Op::add : Op::sub, selected, select(), identityMap(4)) : selected;
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
