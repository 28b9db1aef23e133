/* Bit counting for the compiled core: the only place with compiler intrinsics, each with a portable fallback.
 *
 * The core is built twice from the same sources (see setup.py). Built with -march=x86-64-v3 the builtins below
 * become single instructions (POPCNT, TZCNT, LZCNT); built portably the compiler emits what every CPU has.
 * Hands are kept on relative ranks all the time, so bit-extract (PEXT) is needed only for mizerka's relations. */
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

/* How many bits are set in a mask with bits in one lane only, the one that starts at bit `start`. */
#if defined(__POPCNT__)
static inline int mz_count_lane(uint64_t x, int start) { return (void)start, mz_popcount64(x); }
#else
/* Four copies, 15 bits apart; of them every fourth bit, which is each bit once; and the sum of the nibbles. */
static inline int mz_count_lane(uint64_t x, int start) {
  x = ((x >> start) * 0x200040008001ULL) & 0x0111111111111111ULL;
  return (int)((x * 0x1111111111111111ULL) >> 60);
}
#endif

/* How many bits are set, counted up to three. */
#if defined(__POPCNT__)
static inline int mz_up_to_3(uint64_t x) { int n = mz_popcount64(x); return n < 3 ? n : 3; }
#else
static inline int mz_up_to_3(uint64_t x) {
  uint64_t y = x & (x - 1);
  return (x != 0) + (y != 0) + ((y & (y - 1)) != 0);
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

/* Words of relations (relations.pxd): bits taken out, and put back empty. `out` is a small set, so the portable loop is
 * over its bits. */
#if defined(__BMI2__)
static inline uint64_t mz_squeeze(uint64_t word, uint64_t out) { return _pext_u64(word, ~out); }
static inline uint64_t mz_stretch(uint64_t word, uint64_t out) { return _pdep_u64(word, ~out); }
#else
/* A stretch of neighbouring bits at a time: what is taken out are rows and columns. */
static inline uint64_t mz_squeeze(uint64_t word, uint64_t out) {
  while (out) {
    int start = mz_ctz64(out), n = mz_ctz64(~(out >> start));
    uint64_t low = ((uint64_t)1 << start) - 1;
    word = (word & low) | ((word >> n) & ~low);
    out = (out >> n) & ~low;
  }
  return word;
}
static inline uint64_t mz_stretch(uint64_t word, uint64_t out) {
  while (out) {
    int start = mz_ctz64(out), n = mz_ctz64(~(out >> start));
    uint64_t low = ((uint64_t)1 << start) - 1;
    word = (word & low) | ((word & ~low) << n);
    out &= out + low + 1;
  }
  return word;
}
#endif
static const uint64_t EVERY[14] = {1, ~(uint64_t)0, 0x5555555555555555u, 0x9249249249249249u, 0x1111111111111111u,
    0x1084210842108421u, 0x1041041041041041u, 0x8102040810204081u, 0x0101010101010101u, 0x8040201008040201u,
    0x1004010040100401u, 0x0080100200400801u, 0x1001001001001001u, 0x0010008004002001u};

/* Which of up to seven patterns hold: bit i of the result says (position[i] & mask[i]) == value[i], i < 8. */
#if defined(__AVX2__)
static inline int mz_match8(const uint64_t *mask, const uint64_t *value, const uint64_t *position) {
  __m256i a = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)mask), _mm256_loadu_si256((const __m256i *)position));
  __m256i b = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(mask + 4)), _mm256_loadu_si256((const __m256i *)(position + 4)));
  a = _mm256_cmpeq_epi64(a, _mm256_loadu_si256((const __m256i *)value));
  b = _mm256_cmpeq_epi64(b, _mm256_loadu_si256((const __m256i *)(value + 4)));
  return _mm256_movemask_pd(_mm256_castsi256_pd(a)) | _mm256_movemask_pd(_mm256_castsi256_pd(b)) << 4;
}
#else
static inline int mz_match8(const uint64_t *mask, const uint64_t *value, const uint64_t *position) {
  int i, found = 0;
  for (i = 0; i < 8; i++) found |= ((position[i] & mask[i]) == value[i]) << i;
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
