# cython: language_level=3
"""What the searches may use, all on by default. Values and names are made from the lists in flags.h."""

cdef extern from "flags.h" nogil:
    enum:
        USE_TABLE
        USE_MERGE
        USE_SKIP
        USE_SURE_TRUMPS
        USE_QUICK_LONE
        USE_QUICK_PAIR
        USE_LATER_LONE
        USE_LATER_PAIR
        USE_SAFE_SUITS
        USE_ONE_LOSER
        USE_EXITS
        USE_CUT_CARD
        USE_EITHER_LEADS
        USE_LATER_TRUMPS
        USE_ALL
        N_ENGINE_FLAGS
    const char* const* ENGINE_FLAG_NAMES
    enum:
        FLAG_MERGE_TOUCHING
        FLAG_PREFETCH
        FLAG_ALL
        N_EQUILIBRIUM_FLAGS
    const char* const* EQUILIBRIUM_FLAG_NAMES
