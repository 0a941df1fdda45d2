#include "include/CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WAYMARK_SANITIZED 1
#endif
#endif

static _Thread_local uint64_t allocations;
static _Thread_local uint64_t large_copies;
static _Atomic uint64_t allocations_of_all;

uint64_t waymark_allocations(void) { return allocations; }
uint64_t waymark_allocations_of_all(void) { return atomic_load_explicit(&allocations_of_all, memory_order_relaxed); }
uint64_t waymark_large_copies(void) { return large_copies; }

#if defined(__GLIBC__) && !defined(WAYMARK_SANITIZED)

#include <malloc.h>

/* glibc's internal entry points, for programs that replace the public ones. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void count_allocation(void) {
    allocations++;
    atomic_fetch_add_explicit(&allocations_of_all, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_allocation();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_allocation();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count_allocation();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_allocation();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    count_allocation();
    void *taken = __libc_memalign(alignment, size);
    if (taken == NULL) return ENOMEM;
    *block = taken;
    return 0;
}

/* memmove is called through a pointer, so that the compiler cannot turn the call into one of memcpy. */
void *memmove(void *target, const void *source, size_t size);
static void *(*volatile move)(void *, const void *, size_t) = memmove;

void *memcpy(void *target, const void *source, size_t size) {
    if (size >= waymark_large_copy) large_copies++;
    return move(target, source, size);
}

/* Large blocks have mappings of their own outside of the heap. */
uint64_t waymark_held_bytes(void) {
    struct mallinfo2 held = mallinfo2();
    return held.uordblks + held.hblkhd;
}

int waymark_counts_memory(void) { return 1; }

#else

uint64_t waymark_held_bytes(void) { return 0; }

int waymark_counts_memory(void) { return 0; }

#endif
