/* The arithmetic of the learned order of leads (lead_net.pxd): rows of 16 small numbers are added up, cut off below 0
 * and above MZ_CLAMP, weighted and summed. AVX2 where the build has it; elsewhere plain loops, which compilers turn
 * into the vector instructions every CPU of the platform has. The numbers are loaded when the package is imported. */
#ifndef MIZERKA_LEAD_NET_H
#define MIZERKA_LEAD_NET_H
#include <stdint.h>
#define MZ_NETS 9
#define MZ_ROWS 2319
#define MZ_WIDTH 16
#define MZ_CLAMP 127

typedef struct {
  int8_t rows[MZ_ROWS][MZ_WIDTH];
  int16_t out[MZ_WIDTH];
} mz_net;
static mz_net mz_nets[MZ_NETS];

/* A recording build (MIZERKA_RECORD=1 for setup.py) remembers which rows were used. */
#if defined(MIZERKA_RECORD)
#define MZ_RECORD 1
static int mz_noted[16], mz_n_noted;
#define MZ_NOTE(row) (mz_noted[mz_n_noted++ & 15] = (row))
static inline int mz_note_count(void) { return mz_n_noted; }
static inline void mz_clear_notes(void) { mz_n_noted = 0; }
#else
#define MZ_RECORD 0
static int mz_noted[1];
#define MZ_NOTE(row) ((void)0)
static inline int mz_note_count(void) { return 0; }
static inline void mz_clear_notes(void) {}
#endif

#if defined(__AVX2__)
#include <immintrin.h>
typedef __m256i mz_sum;
static inline mz_sum mz_row(const mz_net *net, int row) {
  MZ_NOTE(row);
  return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)net->rows[row]));
}
static inline mz_sum mz_plus(mz_sum a, mz_sum b) { return _mm256_add_epi16(a, b); }
static inline int32_t mz_weigh(const mz_net *net, mz_sum a) {
  __m256i v = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(MZ_CLAMP));
  __m256i p = _mm256_madd_epi16(v, _mm256_loadu_si256((const __m256i *)net->out));
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(p), _mm256_extracti128_si256(p, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}
#elif defined(__SSE2__)
#include <emmintrin.h>
typedef struct {
  __m128i a, b;
} mz_sum;
static inline mz_sum mz_row(const mz_net *net, int row) {
  __m128i r = _mm_loadu_si128((const __m128i *)net->rows[row]);
  mz_sum s = {_mm_srai_epi16(_mm_unpacklo_epi8(r, r), 8), _mm_srai_epi16(_mm_unpackhi_epi8(r, r), 8)};
  MZ_NOTE(row);
  return s;
}
static inline mz_sum mz_plus(mz_sum x, mz_sum y) {
  mz_sum s = {_mm_add_epi16(x.a, y.a), _mm_add_epi16(x.b, y.b)};
  return s;
}
static inline int32_t mz_weigh(const mz_net *net, mz_sum x) {
  __m128i zero = _mm_setzero_si128(), most = _mm_set1_epi16(MZ_CLAMP), s;
  x.a = _mm_madd_epi16(_mm_min_epi16(_mm_max_epi16(x.a, zero), most), _mm_loadu_si128((const __m128i *)net->out));
  x.b = _mm_madd_epi16(_mm_min_epi16(_mm_max_epi16(x.b, zero), most), _mm_loadu_si128((const __m128i *)(net->out + 8)));
  s = _mm_add_epi32(x.a, x.b);
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}
#else
typedef struct {
  int16_t v[MZ_WIDTH];
} mz_sum;
static inline mz_sum mz_row(const mz_net *net, int row) {
  mz_sum a;
  int i;
  MZ_NOTE(row);
  for (i = 0; i < MZ_WIDTH; i++) a.v[i] = net->rows[row][i];
  return a;
}
static inline mz_sum mz_plus(mz_sum a, mz_sum b) {
  int i;
  for (i = 0; i < MZ_WIDTH; i++) a.v[i] = (int16_t)(a.v[i] + b.v[i]);
  return a;
}
static inline int32_t mz_weigh(const mz_net *net, mz_sum a) {
  int32_t sum = 0;
  int i;
  for (i = 0; i < MZ_WIDTH; i++) {
    int16_t v = a.v[i] < 0 ? 0 : a.v[i] > MZ_CLAMP ? MZ_CLAMP : a.v[i];
    sum += (int32_t)v * net->out[i];
  }
  return sum;
}
#endif
#endif
