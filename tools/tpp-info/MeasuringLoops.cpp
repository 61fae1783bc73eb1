// Loops of known instructions. See MeasuringLoops.h.
#include "MeasuringLoops.h"
#include "tpp/amx_peak.hpp"

#include <cstring>

namespace tpp::info {
namespace {

// The assembler repeats TEXT for each value of \r in LIST.
#define TPP_EACH(LIST, TEXT) ".irp r," LIST "\n" TEXT "\n.endr\n"
#define TPP_LOADS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"

// Factors of all arithmetic: as f32 1.002, as pair of bf16 1 and 1, as bytes -128 (or 128) and 63. Not zero, because zeros draw less power and may
// allow a higher clock than real work. The sums of floats stay finite: they grow until the products are too small to change them.
[[maybe_unused]] constexpr uint32_t factor = 0x3f803f80;

#if defined(__x86_64__)

#define TPP_REPEAT "dec %[rounds]\njnz 1b\n"
#define TPP_ADD "add %[one], %[sum]"
#define TPP_FOLLOW "mov (%[pointer]), %[pointer]"
#define TPP_READ_LINE "mov (%[lines]), %k[word]\nshl $6, %[word]\nmov (%[data],%[word]), %[word]\nadd $4, %[lines]\n"

#define TPP_SUMS "4,5,6,7,8,9,10,11,12,13,14,15" // registers
#define TPP_VECTORS                                                                                                              \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",   \
      "xmm15"

// STEP uses the factor in vector register 0, may change register 1, and adds to the sum in register \r.
#define TPP_ARITHMETIC(NAME, SUMS, BEGIN, STEP, END)                                                                             \
  void NAME(int64_t rounds) {                                                                                                    \
    asm volatile(BEGIN "1:\n" TPP_EACH(SUMS, STEP) TPP_REPEAT END                                                                \
                 : [rounds] "+r"(rounds)                                                                                         \
                 : [factor] "r"(&factor)                                                                                         \
                 : "cc", "memory", TPP_VECTORS);                                                                                 \
  }

// LOAD loads vector \r of the block. BYTES: of a vector. PREFETCHES: of the cache lines of a block.
#define TPP_READ(NAME, BYTES, LOAD, PREFETCHES, END)                                                                             \
  int64_t NAME(const char *data, int64_t bytes, int64_t offset, int64_t rounds) {                                                \
    const char *block;                                                                                                           \
    asm volatile(TPP_BLOCK_BEGIN PREFETCHES TPP_EACH(TPP_LOADS, LOAD) TPP_BLOCK_END(BYTES) TPP_REPEAT END                        \
                 : [offset] "+r"(offset), [rounds] "+r"(rounds), [block] "=&r"(block)                                            \
                 : [data] "r"(data), [mask] "r"(bytes - 1)                                                                       \
                 : "cc", "memory", TPP_VECTORS);                                                                                 \
    return offset;                                                                                                               \
  }
#define TPP_BLOCK_BEGIN "1:\nlea (%[data],%[offset]), %[block]\n"
#define TPP_BLOCK_END(BYTES) "add $16*" BYTES ", %[offset]\nand %[mask], %[offset]\n"
#define TPP_PREFETCH(LINES) TPP_EACH(LINES, "prefetcht0 8192+64*\\r(%[block])")

#define TPP_BEGIN_SSE TPP_EACH(TPP_SUMS, "xorps %%xmm\\r, %%xmm\\r") "movss (%[factor]), %%xmm0\nshufps $0, %%xmm0, %%xmm0\n"
#define TPP_STEP_SSE "movaps %%xmm0, %%xmm1\nmulps %%xmm0, %%xmm1\naddps %%xmm1, %%xmm\\r"
#define TPP_LOAD_SSE "movaps 16*\\r(%[block]), %%xmm\\r"
TPP_ARITHMETIC(fmaSse, TPP_SUMS, TPP_BEGIN_SSE, TPP_STEP_SSE, "")
TPP_ARITHMETIC(fmaChainSse, "4", TPP_BEGIN_SSE, TPP_STEP_SSE, "")
TPP_READ(readSse, "16", TPP_LOAD_SSE, "", "")
TPP_READ(readAheadSse, "16", TPP_LOAD_SSE, TPP_PREFETCH("0,1,2,3"), "")

#define TPP_BEGIN_AVX(VECTOR)                                                                                                    \
  TPP_EACH(TPP_SUMS, "vxorps %%xmm\\r, %%xmm\\r, %%xmm\\r") "vbroadcastss (%[factor]), %%" VECTOR "0\n"
#define TPP_STEP_AVX(INSTRUCTION, VECTOR) INSTRUCTION " %%" VECTOR "0, %%" VECTOR "0, %%" VECTOR "\\r"
#define TPP_END_AVX "vzeroupper\n"
#define TPP_LOAD_AVX2 "vmovaps 32*\\r(%[block]), %%ymm\\r"
TPP_ARITHMETIC(fmaAvx2, TPP_SUMS, TPP_BEGIN_AVX("ymm"), TPP_STEP_AVX("vfmadd231ps", "ymm"), TPP_END_AVX)
TPP_ARITHMETIC(fmaChainAvx2, "4", TPP_BEGIN_AVX("ymm"), TPP_STEP_AVX("vfmadd231ps", "ymm"), TPP_END_AVX)
TPP_ARITHMETIC(i8DotAvxVnni, TPP_SUMS, TPP_BEGIN_AVX("ymm"), TPP_STEP_AVX("%{vex%} vpdpbusd", "ymm"), TPP_END_AVX)
TPP_READ(readAvx2, "32", TPP_LOAD_AVX2, "", TPP_END_AVX)
TPP_READ(readAheadAvx2, "32", TPP_LOAD_AVX2, TPP_PREFETCH("0,1,2,3,4,5,6,7"), TPP_END_AVX)

#define TPP_LOAD_AVX512 "vmovaps 64*\\r(%[block]), %%zmm\\r"
TPP_ARITHMETIC(fmaAvx512, TPP_SUMS, TPP_BEGIN_AVX("zmm"), TPP_STEP_AVX("vfmadd231ps", "zmm"), TPP_END_AVX)
TPP_ARITHMETIC(fmaChainAvx512, "4", TPP_BEGIN_AVX("zmm"), TPP_STEP_AVX("vfmadd231ps", "zmm"), TPP_END_AVX)
TPP_ARITHMETIC(bf16DotAvx512, TPP_SUMS, TPP_BEGIN_AVX("zmm"), TPP_STEP_AVX("vdpbf16ps", "zmm"), TPP_END_AVX)
TPP_ARITHMETIC(i8DotAvx512, TPP_SUMS, TPP_BEGIN_AVX("zmm"), TPP_STEP_AVX("vpdpbusd", "zmm"), TPP_END_AVX)

// As many products as the other loops.
constexpr int64_t tileRounds = 12 / amx::products_of_round;
void bf16TileAmx(int64_t rounds) { amx::multiply_rounds<true>(rounds * tileRounds); }
void i8TileAmx(int64_t rounds) { amx::multiply_rounds<false>(rounds * tileRounds); }
TPP_READ(readAvx512, "64", TPP_LOAD_AVX512, "", TPP_END_AVX)
TPP_READ(readAheadAvx512, "64", TPP_LOAD_AVX512, TPP_PREFETCH(TPP_LOADS), TPP_END_AVX)

#elif defined(__aarch64__)

#define TPP_REPEAT "subs %[rounds], %[rounds], #1\nb.ne 1b\n"
#define TPP_ADD "add %[sum], %[sum], %[one]"
#define TPP_FOLLOW "ldr %[pointer], [%[pointer]]"
#define TPP_READ_LINE "ldr %w[word], [%[lines]], #4\nlsl %[word], %[word], #6\nldr %[word], [%[data], %[word]]\n"

#define TPP_SUMS "4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27" // registers
#define TPP_VECTORS                                                                                                              \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",     \
      "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27"

#define TPP_BEGIN TPP_EACH(TPP_SUMS, "movi v\\r\\().4s, #0") "ld1r {v0.4s}, [%[factor]]\n"
#define TPP_STEP "fmla v\\r\\().4s, v0.4s, v0.4s"
#define TPP_ARITHMETIC(NAME, SUMS)                                                                                               \
  void NAME(int64_t rounds) {                                                                                                    \
    asm volatile(TPP_BEGIN "1:\n" TPP_EACH(SUMS, TPP_STEP) TPP_REPEAT                                                            \
                 : [rounds] "+r"(rounds)                                                                                         \
                 : [factor] "r"(&factor)                                                                                         \
                 : "cc", "memory", TPP_VECTORS);                                                                                 \
  }

#define TPP_LOAD "ldr q\\r, [%[block], #16*\\r]"
#define TPP_READ(NAME, PREFETCHES)                                                                                               \
  int64_t NAME(const char *data, int64_t bytes, int64_t offset, int64_t rounds) {                                                \
    const char *block;                                                                                                           \
    asm volatile(TPP_BLOCK_BEGIN PREFETCHES TPP_EACH(TPP_LOADS, TPP_LOAD) TPP_BLOCK_END TPP_REPEAT                               \
                 : [offset] "+r"(offset), [rounds] "+r"(rounds), [block] "=&r"(block)                                            \
                 : [data] "r"(data), [mask] "r"(bytes - 1)                                                                       \
                 : "cc", "memory", TPP_VECTORS);                                                                                 \
    return offset;                                                                                                               \
  }
#define TPP_BLOCK_BEGIN "1:\nadd %[block], %[data], %[offset]\n"
#define TPP_BLOCK_END "add %[offset], %[offset], #16*16\nand %[offset], %[offset], %[mask]\n"

TPP_ARITHMETIC(fmaNeon, TPP_SUMS)
TPP_ARITHMETIC(fmaChainNeon, "4")
TPP_READ(readNeon, "")
TPP_READ(readAheadNeon, TPP_EACH("0,1,2,3", "prfm pldl1keep, [%[block], #8192+64*\\r]"))

#endif

#if defined(__x86_64__) || defined(__aarch64__)

void addChain(int64_t rounds) {
  int64_t sum = 0;
  asm volatile("1:\n.rept 64\n" TPP_ADD "\n.endr\n" TPP_REPEAT
               : [rounds] "+r"(rounds), [sum] "+r"(sum)
               : [one] "r"(int64_t(1)) // processors may fold additions of a constant
               : "cc");
}

const void *followPointers(const void *pointer, int64_t rounds) {
  asm volatile("1:\n.rept 16\n" TPP_FOLLOW "\n.endr\n" TPP_REPEAT
               : [rounds] "+r"(rounds), [pointer] "+r"(pointer)
               :
               : "cc", "memory");
  return pointer;
}

void readLines(const char *data, const uint32_t *lines, int64_t rounds) {
  int64_t word;
  asm volatile("1:\n" TPP_READ_LINE TPP_REPEAT
               : [lines] "+r"(lines), [rounds] "+r"(rounds), [word] "=&r"(word)
               : [data] "r"(data)
               : "cc", "memory");
}

const MeasuringLoops loops[] = {
#if defined(__x86_64__)
    {"avx512",
     64,
     12,
     fmaAvx512,
     fmaChainAvx512,
     {bf16DotAvx512, "avx512bf16"},
     {i8DotAvx512, "avx512vnni"},
     {bf16TileAmx, "amxbf16"},
     {i8TileAmx, "amxint8"},
     readAvx512,
     readAheadAvx512,
     addChain,
     followPointers,
     readLines},
    {"avx2",
     32,
     12,
     fmaAvx2,
     fmaChainAvx2,
     {},
     {i8DotAvxVnni, "avxvnni"},
     {},
     {},
     readAvx2,
     readAheadAvx2,
     addChain,
     followPointers,
     readLines},
    {"sse4", 16, 12, fmaSse, fmaChainSse, {}, {}, {}, {}, readSse, readAheadSse, addChain, followPointers, readLines},
    {"portable", 16, 12, fmaSse, fmaChainSse, {}, {}, {}, {}, readSse, readAheadSse, addChain, followPointers, readLines},
#else
    // The kernels for NEON multiply bf16 as f32, and bytes as 16-bit integers.
    {"neon", 16, 24, fmaNeon, fmaChainNeon, {}, {}, {}, {}, readNeon, readAheadNeon, addChain, followPointers, readLines},
#endif
};

#endif

} // namespace

const MeasuringLoops *findMeasuringLoops([[maybe_unused]] const char *isa) {
#if defined(__x86_64__) || defined(__aarch64__)
  for (const MeasuringLoops &each : loops)
    if (std::strcmp(each.isa, isa) == 0)
      return &each;
#endif
  return nullptr;
}

} // namespace tpp::info
