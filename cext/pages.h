/* Memory for big tables. On Linux it is asked for in huge pages: a search that jumps all over a table of 100 MB
 * otherwise spends much of its time on address translation. Release with free(). */
#ifndef MIZERKA_PAGES_H
#define MIZERKA_PAGES_H
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

static inline void* mz_pages(size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const size_t page = (size_t)1 << 21;
  if (bytes >= page) {
    void* p = NULL;
    if (posix_memalign(&p, page, bytes)) return NULL;
    madvise(p, bytes, MADV_HUGEPAGE); /* a wish; without it the memory is as good, only slower */
    return p;
  }
#endif
  return malloc(bytes);
}

static inline void* mz_zeroed(size_t bytes) {
  void* p = mz_pages(bytes);
  return p ? memset(p, 0, bytes) : NULL;
}
#endif
