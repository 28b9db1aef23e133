/* How the core is compiled: what the drawings of memory say is checked, and where the search is inlined. */
#ifndef MIZERKA_LAYOUT_H
#define MIZERKA_LAYOUT_H

/* An error of the compiler unless `condition` holds. (No C compiler for Python has _Static_assert in an expression.) */
#define MZ_CHECK(condition) ((void)sizeof(char[(condition) ? 1 : -1]))

/* A *rung* is a function by which the search calls itself. Each stays a function of its own in the machine code, and
 * all that it calls, down to the next rung, is compiled into it: most of the speed is there. Used as the C type of what
 * a rung answers, yes or no, which is where Cython lets an attribute stand. */
#if defined(MIZERKA_NO_FLATTEN)
#define MZ_RUNG __attribute__((noinline)) int
#elif defined(__GNUC__)
#define MZ_RUNG __attribute__((noinline, flatten)) int
#else
#define MZ_RUNG int
#endif
#endif
