/// Stands before glibc's allocator (LD_PRELOAD), and counts what is asked of it.

#include <errno.h>
#include <stddef.h>

#include "counts.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count(allocations);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(allocations);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(allocations);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(allocations);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    count(allocations);
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}
