// Loops of known instructions. Their time per round gives a figure of the machine. They are written in assembly, so that every compiler, with or
// without optimization and sanitizers, executes the same instructions.
#pragma once
#include <cstdint>

namespace tpp::info {

// Executes `rounds` (at least 1) rounds of vector arithmetic in registers.
using ArithmeticLoop = void (*)(int64_t rounds);

// Reads `rounds` (at least 1) blocks of memory, the first one at data + offset. After the last of `bytes`, which are a power of two, follows the
// first. Returns the offset of the next block.
using ReadLoop = int64_t (*)(const char *data, int64_t bytes, int64_t offset, int64_t rounds);

constexpr int vectorsPerBlock = 16; // of a ReadLoop
constexpr int addsPerRound = 64;
constexpr int pointersPerRound = 16;

// Independent products by an instruction that not all processors have. No loop: the instruction set has none.
struct DotLoop {
  ArithmeticLoop run = nullptr;
  const char *target = ""; // in kernels.def, of the kernels with this instruction
};

// The loops of an instruction set of #tpp.target.
struct MeasuringLoops {
  const char *isa;
  int64_t vectorBytes;
  int independentSums; // products of a round, as many as the latency in cycles times the instructions per cycle, or more

  ArithmeticLoop fma;      // independent multiply-adds; where there is no such instruction, a multiplication and an addition
  ArithmeticLoop fmaChain; // one multiply-add, which adds to its result of the previous round
  DotLoop bf16Dot;         // dot products of pairs of bf16
  DotLoop i8Dot;           // of groups of four bytes
  DotLoop bf16Tile;        // products of tiles of bf16
  DotLoop i8Tile;          // of bytes

  ReadLoop read;
  ReadLoop readAhead; // also prefetches each cache line, two pages ahead

  void (*addChain)(int64_t rounds);                                 // integer additions to the result of the previous one
  const void *(*followPointers)(const void *first, int64_t rounds); // reads the address of the next read; returns the last
  void (*readLines)(const char *data, const uint32_t *lines,
                    int64_t count); // reads a word of each of these cache lines; count at least 1
};

// Returns null if there are no loops for this architecture.
const MeasuringLoops *findMeasuringLoops(const char *isa);

} // namespace tpp::info
