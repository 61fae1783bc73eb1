// The arithmetic of a brgemm tile: what one step along k reads, and what it adds to the sums.
//
// A step reads one word of each row of A and a vector of words of B, one for each column. A word is 32 bits: `group` consecutive elements
// along k. In A they are adjacent; B has them adjacent in VNNI form with this factor. A step multiplies the elements of two words in pairs and
// adds the products to a 32-bit sum. An arithmetic without an instruction for this splits words into `parts` that are multiplied one
// after the other, with a tile's vectors of B split once for all rows.
//
// vpdpbusd multiplies unsigned by signed bytes. If both operands have the same sign, the top bit of each byte of A is inverted, which is A + 128 or
// A - 128 of the other sign: `splits` says that words of A are prepared in a buffer (brgemm_split-inl.h), and `shift` is what was added to them. A tile sums
// the products of B with the shift in one more row, and subtracts this row from all others at the end. Bytes of A after the last step are shifted, too,
// and cancel.
//
// Where bytes are widened, `any_sign` says that tiles are the same for signed and unsigned A: its sign (isSigned) matters only while words of
// A are prepared.
//
// The types of A and B and the target determine the arithmetic:
//   f32     multiply-add                                                                        every target
//   bf16    each element widened to f32 (exact), then multiply-add                              every target
//           vdpbf16ps: sums of two products, rounded together; denormal inputs and results are 0   avx512bf16
//           vcvtneps2bf16 rounds the results, with denormals as 0
//   f16     each element widened to f32 (exact), then multiply-add                              every target
//   8 bits  every second element widened to 16 bits, then pmaddwd: exact                        x86
//           every fourth element widened to 32 bits, then multiply and add: exact               others
//           vpdpbusd: unsigned times signed, exact                                              avx512vnni, avxvnni
//           the same for equal signs, with a shifted A: exact                                   avx512vnni
//           vpdpwssd for equal signs, on elements widened to 16 bits: exact                     avxvnni
// With AMX (amxbf16, amxint8), one instruction multiplies the words of a whole tile: brgemm_amx-inl.h.
#if defined(TPP_MICROKERNELS_BRGEMM_DOT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_DOT_INL_H
#undef TPP_MICROKERNELS_BRGEMM_DOT_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_DOT_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/typed_vector-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of kLanes words. Words are loaded as vectors of float, which moves their bits unchanged.
template <int kLanes> struct word_tags {
  using D = hn::CappedTag<float, kLanes>;
  using DU = hn::RebindToUnsigned<D>;
  using DI = hn::RebindToSigned<D>;
  using Words = hn::Vec<D>;
  static constexpr bool splits = false, shifts = false, any_sign = false, is_bf16 = false, in_tiles = false;
};

// f32.
template <int kLanes> struct f32_dot : word_tags<kLanes> {
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::Words;
  static constexpr int group = 1, parts = 1;
  using SumD = D;
  template <int part> static HWY_INLINE Words split_a(Words words) { return words; }
  template <int part> static HWY_INLINE Words split_b(Words words) { return words; }
  static HWY_INLINE Words add(Words x, Words y, Words sum) { return hn::MulAdd(x, y, sum); }
};

// bf16 on every target: the first part is the lower half of a word, the second part the upper half.
template <int kLanes> struct bf16_dot : word_tags<kLanes> {
  static constexpr bool is_bf16 = true;
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::DU, typename word_tags<kLanes>::Words;
  static constexpr int group = 2, parts = 2;
  static constexpr bool splits = true;
  using SumD = D;
  template <int part> static HWY_INLINE Words split_a(Words words) {
    if constexpr (part == 0)
      return hn::BitCast(D(), hn::ShiftLeft<16>(hn::BitCast(DU(), words)));
    else
      return hn::BitCast(D(), hn::And(hn::BitCast(DU(), words), hn::Set(DU(), 0xffff0000u)));
  }
  template <int part> static HWY_INLINE Words split_b(Words words) { return split_a<part>(words); }
  static HWY_INLINE Words add(Words x, Words y, Words sum) { return hn::MulAdd(x, y, sum); }
  // Rounds sums to bf16.
  static HWY_INLINE hn::Vec<hn::Rebind<uint16_t, D>> narrow(Words sums) { return Element<TPP_TYPE_bf16>::Narrow(D(), sums); }
};

// f16 on every target: as bf16. Each element is widened exactly.
template <int kLanes> struct f16_dot : word_tags<kLanes> {
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::DU, typename word_tags<kLanes>::Words;
  static constexpr int group = 2, parts = 2;
  static constexpr bool splits = true;
  using SumD = D;
  template <int part> static HWY_INLINE Words split_a(Words words) {
    const auto bits = hn::BitCast(DU(), words);
    const auto half = part == 0 ? hn::And(bits, hn::Set(DU(), 0xffffu)) : hn::ShiftRight<16>(bits);
    using F16 = Element<TPP_TYPE_f16>;
    if constexpr (F16::kHasConversion)
      return F16::Widen(D(), hn::TruncateTo(hn::Rebind<uint16_t, D>(), half));
    else
      return F16::WidenBits(D(), half);
  }
  template <int part> static HWY_INLINE Words split_b(Words words) { return split_a<part>(words); }
  static HWY_INLINE Words add(Words x, Words y, Words sum) { return hn::MulAdd(x, y, sum); }
};

// Eight bits, signed or unsigned, every fourth element of a row at a time, widened to 32 bits.
template <int kLanes, bool SignedB> struct i8_dot_32 : word_tags<kLanes> {
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::DU, typename word_tags<kLanes>::DI,
      typename word_tags<kLanes>::Words;
  static constexpr int group = 4, parts = 4;
  static constexpr bool splits = true, any_sign = true;
  using SumD = DI;
  using Sums = hn::Vec<DI>;
  template <bool isSigned, int part> static HWY_INLINE Sums split(Words words) {
    const auto top = hn::ShiftLeft<24 - 8 * part>(hn::BitCast(DU(), words));
    if constexpr (isSigned)
      return hn::ShiftRight<24>(hn::BitCast(DI(), top));
    else
      return hn::BitCast(DI(), hn::ShiftRight<24>(top));
  }
  template <int part, bool isSigned = false> static HWY_INLINE Sums split_a(Words words) { return split<isSigned, part>(words); }
  template <int part> static HWY_INLINE Sums split_b(Words words) { return split<SignedB, part>(words); }
  static HWY_INLINE Sums add(Sums x, Sums y, Sums sum) { return hn::Add(sum, hn::Mul(x, y)); }
};

#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
// Eight bits, every second element of a row at a time, widened to 16 bits. Two products fit 32 bits.
template <int kLanes, bool SignedB> struct i8_dot_16 : word_tags<kLanes> {
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::DI, typename word_tags<kLanes>::Words;
  using D16 = hn::Repartition<int16_t, D>;
  using DU16 = hn::RebindToUnsigned<D16>;
  static constexpr int group = 4, parts = 2;
  static constexpr bool splits = true, any_sign = true;
  using SumD = DI;
  using Sums = hn::Vec<DI>;
  using Pairs = hn::Vec<D16>;
  template <bool isSigned, int part> static HWY_INLINE Pairs split(Words words) {
    if constexpr (isSigned) {
      const Pairs pairs = hn::BitCast(D16(), words);
      return hn::ShiftRight<8>(part == 0 ? hn::ShiftLeft<8>(pairs) : pairs);
    } else {
      const auto pairs = hn::BitCast(DU16(), words);
      return hn::BitCast(D16(), part == 0 ? hn::And(pairs, hn::Set(DU16(), 0xff)) : hn::ShiftRight<8>(pairs));
    }
  }
  template <int part, bool isSigned = false> static HWY_INLINE Pairs split_a(Words words) { return split<isSigned, part>(words); }
  template <int part> static HWY_INLINE Pairs split_b(Words words) { return split<SignedB, part>(words); }
  // pmaddwd adds neighbouring products. As assembly with a sum that stays in its register: the compiler would add the products of all parts first,
  // and has too few registers for that.
  static HWY_INLINE Sums add(Pairs x, Pairs y, Sums sum) {
#if HWY_TARGET <= HWY_AVX2
    auto products = sum.raw;
    asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+v"(sum.raw), "=&v"(products) : "v"(x.raw), "v"(y.raw));
#else
    Sums unused = hn::Zero(DI());
    sum = hn::ReorderWidenMulAccumulate(DI(), x, y, sum, unused);
    asm("" : "+x"(sum.raw));
#endif
    return sum;
  }
};
template <int kLanes, bool SignedB> using i8_dot = i8_dot_16<kLanes, SignedB>;
#else
template <int kLanes, bool SignedB> using i8_dot = i8_dot_32<kLanes, SignedB>;
#endif

// The instructions below are in no target of this version of Highway. As assembly they need no target attribute: their kernels are
// selected only on processors that have them.
#if HWY_TARGET == HWY_AVX3
template <int kLanes> struct bf16_dot_avx512bf16 : word_tags<kLanes> {
  static constexpr bool is_bf16 = true;
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::Words;
  static constexpr int group = 2, parts = 1;
  using SumD = D;
  template <int part> static HWY_INLINE Words split_a(Words words) { return words; }
  template <int part> static HWY_INLINE Words split_b(Words words) { return words; }
  static HWY_INLINE Words add(Words x, Words y, Words sum) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(y.raw));
    return sum;
  }
  // The same as bf16_dot's, with denormals as 0.
  static HWY_INLINE hn::Vec<hn::Rebind<uint16_t, D>> narrow(Words sums) {
    __m256i bits;
    asm("vcvtneps2bf16 %1, %0" : "=v"(bits) : "v"(sums.raw));
    return {bits};
  }
};
#endif

#undef TPP_VNNI
#if HWY_TARGET == HWY_AVX3
#define TPP_VNNI(instruction) instruction
#elif HWY_TARGET == HWY_AVX2
#define TPP_VNNI(instruction) "%{vex%} " instruction // AVX-VNNI has the VEX encoding only
#endif
#ifdef TPP_VNNI
// A of the other sign than B.
template <int kLanes, bool SignedB> struct i8_dot_vnni : word_tags<kLanes> {
  using typename word_tags<kLanes>::DI, typename word_tags<kLanes>::Words;
  static constexpr int group = 4, parts = 1;
  using SumD = DI;
  using Sums = hn::Vec<DI>;
  template <int part> static HWY_INLINE Words split_a(Words words) { return words; }
  template <int part> static HWY_INLINE Words split_b(Words words) { return words; }
  static HWY_INLINE Sums add(Words x, Words y, Sums sum) {
    const Words &unsigned_words = SignedB ? x : y, &signed_words = SignedB ? y : x;
    asm(TPP_VNNI("vpdpbusd %2, %1, %0") : "+v"(sum.raw) : "v"(unsigned_words.raw), "v"(signed_words.raw));
    return sum;
  }
};
// A of the same sign as B.
#if HWY_TARGET == HWY_AVX3
template <int kLanes, bool SignedB> struct i8_dot_vnni_same_sign : i8_dot_vnni<kLanes, SignedB> {
  using typename word_tags<kLanes>::D, typename word_tags<kLanes>::DU, typename word_tags<kLanes>::Words;
  static constexpr bool splits = true, shifts = true;
  static HWY_INLINE Words shift() { return hn::BitCast(D(), hn::Set(DU(), 0x80808080u)); }
  template <int part> static HWY_INLINE Words split_a(Words words) { return hn::Xor(words, shift()); }
};
#else
template <int kLanes, bool SignedB> struct i8_dot_vnni_same_sign : i8_dot_16<kLanes, SignedB> {
  using typename i8_dot_16<kLanes, SignedB>::Pairs, typename i8_dot_16<kLanes, SignedB>::Sums;
  static HWY_INLINE Sums add(Pairs x, Pairs y, Sums sum) {
    asm(TPP_VNNI("vpdpwssd %2, %1, %0") : "+v"(sum.raw) : "v"(x.raw), "v"(y.raw));
    return sum;
  }
};
#endif
#else // no kernel is compiled from these
template <int kLanes, bool SignedB> using i8_dot_vnni = i8_dot<kLanes, SignedB>;
template <int kLanes, bool SignedB> using i8_dot_vnni_same_sign = i8_dot<kLanes, SignedB>;
#endif

template <int kLanes, bool SignedA, bool SignedB> struct i8_dot_amx; // brgemm_amx-inl.h

// The arithmetic of 8-bit kernels by the word of their target.
template <bool SignedA, bool SignedB> struct i8_dots {
  template <int kLanes>
  using avxvnni = std::conditional_t<SignedA == SignedB, i8_dot_vnni_same_sign<kLanes, SignedB>, i8_dot_vnni<kLanes, SignedB>>;
  template <int kLanes> using amxint8 = i8_dot_amx<kLanes, SignedA, SignedB>;
  template <int kLanes> using avx512vnni = avxvnni<kLanes>;
  template <int kLanes> using avx2 = i8_dot<kLanes, SignedB>;
  template <int kLanes> using sse4 = i8_dot<kLanes, SignedB>;
  template <int kLanes> using neon = i8_dot<kLanes, SignedB>;
  template <int kLanes> using portable = i8_dot<kLanes, SignedB>;
};
using u8i8_dots = i8_dots<false, true>;
using u8u8_dots = i8_dots<false, false>;
using i8i8_dots = i8_dots<true, true>;
using i8u8_dots = i8_dots<true, false>;

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif
