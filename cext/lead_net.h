/* The nets that order leads (lead_net.pxd): rows of 16 small numbers are added up, cut off below 0 and above MZ_CLAMP,
 * weighted and summed. The vector arithmetic is in bits.h; the numbers are loaded when the package is imported. */
#ifndef MIZERKA_LEAD_NET_H
#define MIZERKA_LEAD_NET_H
#include "bits.h"
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

static inline mz_vector mz_row(const mz_net *net, int row) {
  MZ_NOTE(row);
  return mz_load16(net->rows[row]);
}
static inline int32_t mz_weigh(const mz_net *net, mz_vector a) { return mz_cut_and_weigh(a, net->out, MZ_CLAMP); }
#endif
