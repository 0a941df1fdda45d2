#pragma once
#include <stdint.h>

/* Wraps glibc's malloc and memcpy with counters. Only the tests and the benchmark link it. */

/* Number of blocks that this thread has allocated or enlarged since its start. */
uint64_t waymark_allocations(void);

/* Number of blocks that all threads have allocated or enlarged. */
uint64_t waymark_allocations_of_all(void);

/* Number of copies of at least `waymark_large_copy` bytes that this thread has made since its start. */
uint64_t waymark_large_copies(void);
static const uint64_t waymark_large_copy = 4096;

/* Number of bytes that all threads hold now, as rounded by the C library; 0 if they are not counted. */
uint64_t waymark_held_bytes(void);

/* Whether memory is counted: false under a sanitizer, which has its own malloc. */
int waymark_counts_memory(void);
