// Loads and stores between f32 vectors and memory of any element type, whole or in part. Kernels of mixed types compute in f32 between
// them. Loads are exact, but round f64 to f32. Stores round to nearest even; integers saturate, and NaN becomes 0 in them.

#if defined(TPP_MICROKERNELS_COMMON_TYPED_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_TYPED_VECTOR_INL_H
#undef TPP_MICROKERNELS_COMMON_TYPED_VECTOR_INL_H
#else
#define TPP_MICROKERNELS_COMMON_TYPED_VECTOR_INL_H
#endif

#include "hwy/highway.h"

#include "microkernels/common/first_lanes-inl.h"
#include "tpp/types.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// For each tpp_type: the lane type in memory, and the conversions from it (Widen) and to it (Narrow).
template <int kType> struct Element;

template <> struct Element<TPP_TYPE_f32> {
  using T = float;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D, V v) { return v; }
  template <class D, class V> static HWY_INLINE V Narrow(D, V v) { return v; }
};

template <> struct Element<TPP_TYPE_bf16> {
  using T = uint16_t;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), v)));
  }
  template <class D, class V>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<uint16_t, D>> Narrow(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(du, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fff)));
    const auto quiet = hn::Or(bits, hn::Set(du, 0x00400000)); // rounding a NaN could overflow to zero
    const auto chosen = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), quiet, rounded);
    // The saturating narrowing of signed lanes is exact for values of 16 bits.
    return hn::DemoteTo(hn::Rebind<uint16_t, D>(), hn::BitCast(di, hn::ShiftRight<16>(chosen)));
  }
};

template <> struct Element<TPP_TYPE_f16> {
  using T = uint16_t;
  // vcvtph2ps and vcvtps2ph.
  static constexpr bool kHasConversion = HWY_TARGET <= HWY_AVX2;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (kHasConversion)
      return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), v));
    else
      return WidenBits(d, hn::PromoteTo(hn::RebindToUnsigned<D>(), v));
  }
  // The lower half of each 32-bit lane.
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> WidenBits(D d, V bits) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToUnsigned<D> du;
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fff)));
    // As an f32, the exponent is 112 too small. The product corrects it exactly, and subnormals become normal numbers. Infinity and NaN
    // become 2^16 and above; they get the maximum exponent back.
    const auto scaled = hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f));
    const auto special = hn::Or(hn::BitCast(du, scaled), hn::Set(du, 0x7f800000));
    const auto is_special = hn::RebindMask(du, hn::Ge(scaled, hn::Set(d, 65536.0f)));
    return hn::BitCast(d, hn::Or(hn::IfThenElse(is_special, special, hn::BitCast(du, scaled)), sign));
  }
  template <class D, class V>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<uint16_t, D>> Narrow(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (kHasConversion) {
      return hn::BitCast(hn::Rebind<uint16_t, D>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
    } else {
      return NarrowBits(d, v);
    }
  }
  template <class D, class V>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<uint16_t, D>> NarrowBits(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const V magnitude = hn::Abs(v);
    const auto sign = hn::ShiftRight<16>(hn::And(hn::BitCast(du, v), hn::Set(du, 0x80000000u)));
    // Normal results: round away 13 bits of the mantissa, then adjust the exponent's bias. Overflow becomes infinity.
    const auto bits = hn::BitCast(du, magnitude);
    const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1));
    const auto rounded = hn::ShiftRight<13>(hn::Add(hn::Add(bits, hn::Set(du, 0xfff)), odd));
    const auto normal = hn::Min(hn::Sub(rounded, hn::Set(du, 112u << 10)), hn::Set(du, 0x7c00));
    // Subnormal results: adding 1/2 rounds to multiples of 2^-24, which end up in the last bits of the mantissa.
    const auto tiny = hn::Sub(hn::BitCast(du, hn::Add(magnitude, hn::Set(d, 0.5f))), hn::Set(du, 0x3f000000));
    auto half = hn::IfThenElse(hn::RebindMask(du, hn::Lt(magnitude, hn::Set(d, 0x1p-14f))), tiny, normal);
    const auto nan = hn::Or(hn::ShiftRight<13>(bits), hn::Set(du, 0x7e00));
    half = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), hn::And(nan, hn::Set(du, 0x7fff)), half);
    return hn::DemoteTo(hn::Rebind<uint16_t, D>(), hn::BitCast(di, hn::Or(half, sign)));
  }
};

template <> struct Element<TPP_TYPE_i32> {
  using T = int32_t;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D d, V v) {
    return hwy::HWY_NAMESPACE::ConvertTo(d, v);
  }
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::RebindToSigned<D>> Narrow(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToSigned<D> di;
    // The limits are applied as floats, because conversions of values out of range differ between targets.
    const V known = hn::IfThenZeroElse(hn::IsNaN(v), v);
    const V within =
        hn::Max(hn::Min(known, hn::Set(d, 2147483520.0f)), hn::Set(d, -2147483648.0f)); // 2147483520: the last f32 below 2^31
    return hn::IfThenElse(hn::RebindMask(di, hn::Ge(v, hn::Set(d, 2147483648.0f))), hn::Set(di, 0x7fffffff),
                          hn::NearestInt(within));
  }
};

template <class TInteger> struct SmallIntegerElement {
  using T = TInteger;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), v));
  }
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<T, D>> Narrow(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToSigned<D> di;
    constexpr float low = hwy::LimitsMin<T>(), high = hwy::LimitsMax<T>();
    const V known = hn::IfThenZeroElse(hn::IsNaN(v), v);
    const V within = hn::Max(hn::Min(known, hn::Set(d, high)), hn::Set(d, low));
    // From 2^23 on, floats are integers, and consecutive ones have consecutive bits: adding 1.5 * 2^23 rounds to nearest even.
    const auto bits = hn::BitCast(di, hn::Add(within, hn::Set(d, 0x1.8p23f)));
    return hn::DemoteTo(hn::Rebind<T, D>(), hn::Sub(bits, hn::Set(di, 0x4b400000)));
  }
};
template <> struct Element<TPP_TYPE_i8> : SmallIntegerElement<int8_t> {
#if HWY_TARGET == HWY_AVX3
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<int8_t, D>> Narrow(D d, V v) {
    if constexpr (hwy::HWY_NAMESPACE::MaxLanes(D()) == 16) {
      // What is too small for 32 bits becomes -2^31.
      const __mmask16 known = _mm512_cmp_ps_mask(v.raw, v.raw, _CMP_ORD_Q);
      const __m512i integers = _mm512_cvtps_epi32(_mm512_maskz_min_ps(known, v.raw, _mm512_set1_ps(127.0f)));
      return {_mm512_cvtsepi32_epi8(integers)};
    } else {
      return SmallIntegerElement<int8_t>::Narrow(d, v);
    }
  }
#endif
};
template <> struct Element<TPP_TYPE_u8> : SmallIntegerElement<uint8_t> {
#if HWY_TARGET == HWY_AVX3
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<uint8_t, D>> Narrow(D d, V v) {
    if constexpr (hwy::HWY_NAMESPACE::MaxLanes(D()) == 16) {
      // The maximum with a NaN is its second operand. What is too large for 32 bits becomes 2^31, as an unsigned integer.
      const __m512i integers = _mm512_cvtps_epi32(_mm512_max_ps(v.raw, _mm512_setzero_ps()));
      return {_mm512_cvtusepi32_epi8(integers)};
    } else {
      return SmallIntegerElement<uint8_t>::Narrow(d, v);
    }
  }
#endif
};

template <> struct Element<TPP_TYPE_f64> {
  using T = double;
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Widen(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
    // Highway's portable DemoteTo turns infinity into the largest float.
    const hn::Rebind<double, D> dd;
    HWY_ALIGN double wide[hn::MaxLanes(dd)];
    HWY_ALIGN float narrow[hn::MaxLanes(d)];
    hn::Store(v, dd, wide);
    for (size_t i = 0; i < hn::Lanes(d); ++i)
      narrow[i] = static_cast<float>(wide[i]);
    return hn::Load(d, narrow);
#else
    return hn::DemoteTo(d, v);
#endif
  }
  template <class D, class V> static HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::Rebind<double, D>> Narrow(D, V v) {
    return hwy::HWY_NAMESPACE::PromoteTo(hwy::HWY_NAMESPACE::Rebind<double, D>(), v);
  }
};

// `d` is the tag of the f32 vector. The ...First variants access the first n elements only.
template <int kType, class D> HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> LoadTyped(D d, const typename Element<kType>::T *from) {
  namespace hn = hwy::HWY_NAMESPACE;
  return Element<kType>::Widen(d, hn::LoadU(hn::Rebind<typename Element<kType>::T, D>(), from));
}
template <int kType, class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> LoadTypedFirst(D d, const typename Element<kType>::T *from, size_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  return Element<kType>::Widen(d, first_lanes<hn::Rebind<typename Element<kType>::T, D>>(n).load(from));
}
template <int kType, class D, class V> HWY_INLINE void StoreTyped(V v, D d, typename Element<kType>::T *to) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::StoreU(Element<kType>::Narrow(d, v), hn::Rebind<typename Element<kType>::T, D>(), to);
}
template <int kType, class D, class V> HWY_INLINE void StoreTypedFirst(V v, D d, typename Element<kType>::T *to, size_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  first_lanes<hn::Rebind<typename Element<kType>::T, D>>(n).store(Element<kType>::Narrow(d, v), to);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif
