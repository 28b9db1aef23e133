/* What the two searches may use: the one list of each, from which the constants, "all of them" and the names that
 * Python knows are made. Nothing here changes an answer; tests switch each flag off. A flag's bit is its place. */
#ifndef MIZERKA_FLAGS_H
#define MIZERKA_FLAGS_H

#define MZ_ENGINE_FLAGS(FLAG) \
  FLAG(USE_TABLE, "table") \
  FLAG(USE_MERGE, "merge")               /* equivalent (touching) cards are one move */ \
  FLAG(USE_SKIP, "skip")                 /* a card that failed for a reason true of others as well stands for them */ \
  FLAG(USE_SURE_TRUMPS, "sure_trumps")   \
  FLAG(USE_QUICK_LONE, "quick_lone")     \
  FLAG(USE_QUICK_PAIR, "quick_pair")     \
  FLAG(USE_LATER_LONE, "later_lone")     \
  FLAG(USE_LATER_PAIR, "later_pair")     \
  FLAG(USE_SAFE_SUITS, "safe_suits")     /* mizerka */ \
  FLAG(USE_ONE_LOSER, "one_loser")       /* mizerka */ \
  FLAG(USE_EXITS, "exits")               /* mizerka */ \
  FLAG(USE_CUT_CARD, "cut_card")         /* order: the bucket's last cut */ \
  FLAG(USE_EITHER_LEADS, "either_leads") /* mizerka: answers that hold whichever of the pair leads */ \
  FLAG(USE_LATER_TRUMPS, "later_trumps")

#define MZ_EQUILIBRIUM_FLAGS(FLAG) \
  FLAG(FLAG_MERGE_TOUCHING, "merge_touching") /* touching cards of a hand are one class */ \
  FLAG(FLAG_PREFETCH, "prefetch")             /* index slots are asked for before they are looked at */

#define MZ_PLACE(flag, name) MZ_PLACE_##flag,
#define MZ_BIT(flag, name) flag = 1 << MZ_PLACE_##flag,
#define MZ_NAME(flag, name) name,

enum { MZ_ENGINE_FLAGS(MZ_PLACE) N_ENGINE_FLAGS };
enum { MZ_ENGINE_FLAGS(MZ_BIT) USE_ALL = (1 << N_ENGINE_FLAGS) - 1 };
static const char *const ENGINE_FLAG_NAMES[] = {MZ_ENGINE_FLAGS(MZ_NAME)};

enum { MZ_EQUILIBRIUM_FLAGS(MZ_PLACE) N_EQUILIBRIUM_FLAGS };
enum { MZ_EQUILIBRIUM_FLAGS(MZ_BIT) FLAG_ALL = (1 << N_EQUILIBRIUM_FLAGS) - 1 };
static const char *const EQUILIBRIUM_FLAG_NAMES[] = {MZ_EQUILIBRIUM_FLAGS(MZ_NAME)};
#endif
