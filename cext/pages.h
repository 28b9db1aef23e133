/* Memory for big tables. From MZ_MAPPED bytes on a block is the system's own pages where there is mmap: released, it
 * goes back at once, whatever else the thread has allocated since; the allocator would keep it for the thread, and
 * several threads would take more than their limits together. On Linux huge pages are asked for: a search that jumps all
 * over a table of 100 MB otherwise spends much of its time on address translation. Release with mz_release(). */
#ifndef MIZERKA_PAGES_H
#define MIZERKA_PAGES_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define MZ_MAPPED ((size_t)1 << 18)
#define MZ_HUGE_PAGE ((size_t)1 << 21)

/* Zeroed if *is_zero is set on return. */
static inline void* mz_take(size_t bytes, int* is_zero) {
#if defined(__linux__)
  if (bytes >= MZ_MAPPED) {
    const size_t slack = bytes >= MZ_HUGE_PAGE ? MZ_HUGE_PAGE : 0; /* to begin where a huge page begins */
    uint8_t* p = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    if (slack) {
      /* Give back what lies before and after; both ends are page boundaries. */
      const size_t page = 1 << 12, end = (bytes + page - 1) & ~(page - 1);
      const size_t before = (MZ_HUGE_PAGE - (uintptr_t)p % MZ_HUGE_PAGE) % MZ_HUGE_PAGE;
      const size_t whole = (bytes + slack + page - 1) & ~(page - 1);
      if (before) munmap(p, before);
      if (whole > before + end) munmap(p + before + end, whole - before - end);
      p += before;
#if defined(MADV_HUGEPAGE)
      madvise(p, bytes, MADV_HUGEPAGE); /* a wish; without it the memory is as good, only slower */
#endif
    }
    *is_zero = 1;
    return p;
  }
#endif
  *is_zero = 0;
  return malloc(bytes);
}

static inline void* mz_pages(size_t bytes) {
  int is_zero;
  return mz_take(bytes, &is_zero);
}

static inline void* mz_zeroed(size_t bytes) {
  int is_zero;
  void* p = mz_take(bytes, &is_zero);
  return p && !is_zero ? memset(p, 0, bytes) : p;
}

/* bytes: as asked for. */
static inline void mz_release(void* p, size_t bytes) {
#if defined(__linux__)
  if (p && bytes >= MZ_MAPPED) {
    munmap(p, bytes);
    return;
  }
#endif
  (void)bytes;
  free(p);
}
#endif
