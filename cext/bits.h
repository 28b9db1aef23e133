/* Bits and short vectors for the compiled core: the only place with compiler intrinsics, each with a portable fallback.
 *
 * The core is built twice from the same sources (see setup.py). Built with -march=x86-64-v3 the builtins below
 * become single instructions (POPCNT, TZCNT, LZCNT); built portably the compiler emits what every CPU has.
 * Hands are kept on relative ranks all the time, so bit-extract (PEXT) is needed only for mizerka's relations. */
#ifndef MIZERKA_BITS_H
#define MIZERKA_BITS_H
#include <stdint.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

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
  __m256i a = _mm256_loadu_si256((const __m256i *)mask), b = _mm256_loadu_si256((const __m256i *)(mask + 4));
  a = _mm256_and_si256(a, _mm256_loadu_si256((const __m256i *)position));
  b = _mm256_and_si256(b, _mm256_loadu_si256((const __m256i *)(position + 4)));
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

/* Vectors of 16 small numbers, for the learned order of leads: load 16 bytes, add, and a weighted sum of them, each cut
 * off below 0 and above `most`. Elsewhere than on x86 plain loops, which compilers turn into what the CPU has. */
#if defined(__AVX2__)
typedef __m256i mz_vector;
static inline mz_vector mz_load16(const int8_t *v) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)v));
}
static inline mz_vector mz_plus(mz_vector a, mz_vector b) { return _mm256_add_epi16(a, b); }
static inline int32_t mz_cut_and_weigh(mz_vector a, const int16_t *weights, int16_t most) {
  __m256i v = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(most));
  __m256i p = _mm256_madd_epi16(v, _mm256_loadu_si256((const __m256i *)weights));
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(p), _mm256_extracti128_si256(p, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}
#elif defined(__SSE2__)
typedef struct {
  __m128i a, b;
} mz_vector;
static inline mz_vector mz_load16(const int8_t *v) {
  __m128i r = _mm_loadu_si128((const __m128i *)v);
  mz_vector s = {_mm_srai_epi16(_mm_unpacklo_epi8(r, r), 8), _mm_srai_epi16(_mm_unpackhi_epi8(r, r), 8)};
  return s;
}
static inline mz_vector mz_plus(mz_vector x, mz_vector y) {
  mz_vector s = {_mm_add_epi16(x.a, y.a), _mm_add_epi16(x.b, y.b)};
  return s;
}
static inline int32_t mz_cut_and_weigh(mz_vector x, const int16_t *weights, int16_t most) {
  __m128i zero = _mm_setzero_si128(), top = _mm_set1_epi16(most), s;
  x.a = _mm_madd_epi16(_mm_min_epi16(_mm_max_epi16(x.a, zero), top), _mm_loadu_si128((const __m128i *)weights));
  x.b = _mm_madd_epi16(_mm_min_epi16(_mm_max_epi16(x.b, zero), top), _mm_loadu_si128((const __m128i *)(weights + 8)));
  s = _mm_add_epi32(x.a, x.b);
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}
#else
typedef struct {
  int16_t v[16];
} mz_vector;
static inline mz_vector mz_load16(const int8_t *v) {
  mz_vector a;
  int i;
  for (i = 0; i < 16; i++) a.v[i] = v[i];
  return a;
}
static inline mz_vector mz_plus(mz_vector a, mz_vector b) {
  int i;
  for (i = 0; i < 16; i++) a.v[i] = (int16_t)(a.v[i] + b.v[i]);
  return a;
}
static inline int32_t mz_cut_and_weigh(mz_vector a, const int16_t *weights, int16_t most) {
  int32_t sum = 0;
  int i;
  for (i = 0; i < 16; i++) {
    int16_t v = a.v[i] < 0 ? 0 : a.v[i] > most ? most : a.v[i];
    sum += (int32_t)v * weights[i];
  }
  return sum;
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
