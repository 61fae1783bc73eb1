// For sources that Highway compiles once per target: TPP_UK_HERE_<word>(tokens) expands to `tokens` if <word> names the target being
// compiled, else to nothing. Included again for each target, after hwy/foreach_target.h and hwy/highway.h.
#undef TPP_UK_HERE_avx3
#undef TPP_UK_HERE_amxbf16
#undef TPP_UK_HERE_amxint8
#undef TPP_UK_HERE_avx512bf16
#undef TPP_UK_HERE_avx512vnni
#undef TPP_UK_HERE_avxvnni
#undef TPP_UK_HERE_avx2
#undef TPP_UK_HERE_sse4
#undef TPP_UK_HERE_neon
#undef TPP_UK_HERE_portable

#if HWY_TARGET == HWY_AVX3
#define TPP_UK_HERE_avx3(...) __VA_ARGS__
#else
#define TPP_UK_HERE_avx3(...)
#endif
#define TPP_UK_HERE_amxbf16(...) TPP_UK_HERE_avx3(__VA_ARGS__)
#define TPP_UK_HERE_amxint8(...) TPP_UK_HERE_avx3(__VA_ARGS__)
#define TPP_UK_HERE_avx512bf16(...) TPP_UK_HERE_avx3(__VA_ARGS__)
#define TPP_UK_HERE_avx512vnni(...) TPP_UK_HERE_avx3(__VA_ARGS__)
#if HWY_TARGET == HWY_AVX2
#define TPP_UK_HERE_avx2(...) __VA_ARGS__
#else
#define TPP_UK_HERE_avx2(...)
#endif
#define TPP_UK_HERE_avxvnni(...) TPP_UK_HERE_avx2(__VA_ARGS__)
#if HWY_TARGET == HWY_SSE4
#define TPP_UK_HERE_sse4(...) __VA_ARGS__
#else
#define TPP_UK_HERE_sse4(...)
#endif
#if HWY_TARGET == HWY_NEON
#define TPP_UK_HERE_neon(...) __VA_ARGS__
#else
#define TPP_UK_HERE_neon(...)
#endif
#if HWY_TARGET == HWY_STATIC_TARGET
#define TPP_UK_HERE_portable(...) __VA_ARGS__
#else
#define TPP_UK_HERE_portable(...)
#endif
