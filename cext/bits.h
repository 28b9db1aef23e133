/* Bit counting for the compiled core: the only place with compiler intrinsics, each with a portable fallback.
 *
 * The core is built twice from the same sources (see setup.py). Built with -march=x86-64-v3 the builtins below
 * become single instructions (POPCNT, TZCNT, LZCNT); built portably the compiler emits what every CPU has.
 * The engine keeps hands on relative ranks all the time, so it needs no bit-extract (PEXT) anywhere. */
#ifndef MIZERKA_BITS_H
#define MIZERKA_BITS_H
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __inline int mz_ctz64(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
static __inline int mz_clz32(uint32_t x) { unsigned long i; _BitScanReverse(&i, x); return 31 - (int)i; }
static __inline int mz_msb64(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
#else
static inline int mz_ctz64(uint64_t x) { return __builtin_ctzll(x); }  /* x != 0 */
static inline int mz_clz32(uint32_t x) { return __builtin_clz(x); }    /* x != 0 */
static inline int mz_msb64(uint64_t x) { return 63 - __builtin_clzll(x); } /* x != 0 */
#endif

#if defined(__POPCNT__)
static inline int mz_popcount64(uint64_t x) { return __builtin_popcountll(x); }
#else
/* Hacker's Delight style sideways sum: a portable build must not call a library routine in the hot loop. */
static inline int mz_popcount64(uint64_t x) {
  x = x - ((x >> 1) & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return (int)((x * 0x0101010101010101ULL) >> 56);
}
#endif

/* Which of four table patterns (mask, owners a, owners b: four words each, one after the other) match a position?
 * Bit i is set if pattern i does. The inner loop of every probe. */
#if defined(__AVX2__)
#include <immintrin.h>
static inline int mz_match4(const uint64_t *mask, uint64_t a, uint64_t b) {
  __m256i m = _mm256_loadu_si256((const __m256i *)mask);
  __m256i x = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(mask + 4)), _mm256_set1_epi64x((long long)a));
  __m256i y = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(mask + 8)), _mm256_set1_epi64x((long long)b));
  __m256i differ = _mm256_and_si256(_mm256_or_si256(x, y), m);
  return _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(differ, _mm256_setzero_si256())));
}
#else
static inline int mz_match4(const uint64_t *mask, uint64_t a, uint64_t b) {
  int i, found = 0;
  for (i = 0; i < 4; i++) found |= ((((mask[4 + i] ^ a) | (mask[8 + i] ^ b)) & mask[i]) == 0) << i;
  return found;
}
#endif

/* May this machine run the x86-64-v3 build? Asked once, by the portable build, at import. */
static inline int mz_cpu_is_v3(void) {
#if (defined(__x86_64__) || defined(_M_X64)) && defined(__GNUC__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
#elif defined(_M_X64)
  int r[4];
  __cpuidex(r, 7, 0);
  return (r[1] & (1 << 5)) && (r[1] & (1 << 3)) && (r[1] & (1 << 8));
#else
  return 0;
#endif
}

/* Debug builds (MIZERKA_DEBUG=1 for setup.py) check every position the search reaches. */
#if defined(MIZERKA_DEBUG)
#define MZ_DEBUG 1
#else
#define MZ_DEBUG 0
#endif

#if defined(MIZERKA_V3)
#define MZ_BUILD "x86-64-v3"
#else
#define MZ_BUILD "portable"
#endif

#if defined(__GNUC__)
#define MZ_PREFETCH(p) __builtin_prefetch(p)
#else
#define MZ_PREFETCH(p) ((void)0)
#endif
#endif
