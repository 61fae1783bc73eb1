// Grows a random program from a seed. All random numbers come from one own generator, so that a seed gives the same program on
// every machine.
#ifndef TPP_TEST_FUZZ_GENERATOR_H
#define TPP_TEST_FUZZ_GENERATOR_H

#include "Ops.h"

namespace tpp::fuzz {

class Random {
public:
  // Mixes the seed first: otherwise the streams of seeds that differ by the increment would be the same stream, shifted by one.
  explicit Random(uint64_t seed) : state(seed) { state = bits() ^ 0xD1B54A32D192ED03ull; }
  uint64_t bits() { // splitmix64
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  // Uniform in [0, n).
  int64_t below(int64_t n) { return static_cast<int64_t>(bits() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  template <class T> void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(static_cast<int64_t>(i))]);
  }

private:
  uint64_t state;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}
  Program generate();

private:
  static constexpr int64_t maxElements = 40000; // of one value
  static constexpr size_t maxRank = 5;
  static constexpr int64_t maxImageElements = 8000; // of one that a program starts with

  // Data; Operands.cpp. Weights are scaled by 1 / sqrt(fanIn), so that sums stay near 1.
  Tensor randomTensor(Type type, const Shape &shape, double fanIn = 1);
  int source(Type type, const Shape &shape);
  int weight(Type type, const Shape &shape, double fanIn);
  // A weight, or a broadcast, a part, rows or a conversion of one. The functions after it return -1 if they are not possible.
  int operand(Type type, const Shape &shape, double fanIn);
  int broadcastOperand(Type type, const Shape &shape, double fanIn);
  int directBroadcast(Type type, const Shape &shape, double fanIn);
  int slicedOperand(Type type, const Shape &shape, double fanIn);
  int gatheredOperand(Type type, const Shape &shape, double fanIn);
  int convertedOperand(Type type, const Shape &shape, double fanIn);
  int indexTensor(const Shape &shape, int64_t low, int64_t high); // of i32, i64 or index
  Offset offset(int64_t limit);                                   // computed at run time, in [0, limit]
  int64_t divisorOf(int64_t size);
  int64_t size(int64_t limit = 70);
  Shape shape();

  // Choice among the values made so far; -1 if none fits.
  int anyValue();
  int valueLike(int node, bool allowSame);
  void add(int node) { values.push_back(node); }
  const Tensor &tensor(int node) const { return program.tensor(node); }
  bool isFloatNode(int node) const { return isFloat(tensor(node).type); }

  // Each function appends operations that use x. It returns the node to continue with, or -1 if the operation is not possible.
  // Contractions.cpp:
  int namedContraction(int x);
  int generalContraction(int x);
  int contractionOfTwo(int x);
  int broadcastContraction(int x);
  // Elementwise.cpp:
  int bias(int x);
  int activation(int x);
  int residual(int x);
  int conversion(int x);
  int twoResults(int x);
  int unitBroadcast(int x);
  int reduction(int x);
  int indices(int x);
  int integerPower(int x);
  // Data movement and blocks as exporters write them; Blocks.cpp:
  int transpose(int x);
  int expand(int x);
  int collapse(int x);
  int broadcast(int x);
  int pad(int x);
  int concat(int x);
  int softmax(int x);
  int layerNorm(int x);
  int linear(int x);
  int attention(int x);
  int mask(int scores);
  // Places.cpp:
  int slice(int x);
  int insert(int x);
  int cache(int x);
  int gather(int x);
  // Convolutions.cpp:
  int convolution(int x);
  int convolutionChain(int x);
  int residualBlock(int x);
  int invertedResidual(int x);
  int splitChannels(int x);
  // Other operations on images; Images.cpp:
  int pooling(int x);
  int resize(int x);
  int batchNorm(int x);
  int excite(int x);
  int otherOrder(int x);
  int padPixels(int x);
  int reshapeImage(int x);
  int poolAllPixels(int x);

  // Quantized.cpp:
  int quantized(int x);

  // How integers stand for numbers: (integer - zero) * scale. Parameters are tensors, read through `map`, if they have nodes.
  struct Quantization {
    Type type = Type::i8; // i8 or u8
    double scale = 1, zero = 0;
    int scaleNode = -1, zeroNode = -1;
    Map map = {};
  };
  struct Parameters;
  Quantization quantization(const Shape &shape, double largest, int channel);
  int quantize(int x, const Quantization &to);
  int dequantize(int x, const Quantization &from, Type to);
  int dequantizedWeight(Type type, const Shape &shape, double fanIn);

  // Positions of an image's dimensions, in the program's current image order.
  struct Image {
    int c, h, w;
  };
  Image image() const { return channelsLast ? Image{3, 1, 2} : Image{1, 2, 3}; }
  int imageSource();
  // Reassociation groups that split an image's channels into two dimensions.
  using Groups = std::vector<std::vector<int>>;
  Groups splitChannelGroups() const;
  // Returns x if it can be a convolution's input, else a new image.
  int asImage(int x);
  // A convolution with `features` output channels (0: random). `same`: the result has the image's height and width.
  int convolve(int x, int64_t features, bool same);
  int64_t groupCount(int64_t channels, int64_t features);
  int filterOf(const WindowForm &form, Type type, const Shape &shape, double fanIn);
  int combine(Op op, int x, int y, const Map &mapY);

  // Building blocks of the above; each returns the node of the result, or -1.
  int unary(int x, Body body);
  int map(std::vector<int> inputs, std::vector<Map> maps, Body body);
  // Initial value of a contraction's result: -1 (zeros), a broadcast bias or an existing value.
  int init(Type type, const Shape &shape);
  // The accumulator is `contraction.init` if that is given.
  int contract(Contraction contraction);
  Type factorType(Type type);
  int factor(Type type, const Shape &shape, double fanIn);
  Type accumulatorType(Type a, Type b, double products);
  bool isUseful(int node) const;
  void chooseResults();

  Random random;
  Program program;
  std::vector<int> values;
  bool integral = false; // data are small integers
  bool weightsAreConstant = false;
  bool channelsLast = false;  // images are NHWC, else NCHW
  bool suitsWinograd = false; // most convolutions have 3 x 3 filters and stride 1
  bool factorsAreQuantized = false;
  Type base = Type::f32;
};

// Appends the steps of an activation of step `a`. Returns the last step.
int appendActivation(Body &body, int a, Random &random, bool exactOnly);

} // namespace tpp::fuzz

#endif
