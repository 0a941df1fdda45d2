#pragma once
#include <stdint.h>

/* What a program that links this target costs in memory traffic: its malloc and memcpy are counted, and then done by the
 * C library as ever. Only tests and the benchmark link it. */

/* How many blocks this thread has taken from the heap, or enlarged, since it began. */
uint64_t waymark_allocations(void);

/* How many copies of at least `waymark_large_copy` bytes this thread has made since it began. */
uint64_t waymark_large_copies(void);
static const uint64_t waymark_large_copy = 4096;

/* How many bytes all threads hold now, as the C library rounds them; 0 where they are not counted. */
uint64_t waymark_held_bytes(void);

/* Whether they are counted: not where a sanitizer has a malloc of its own. */
int waymark_counts_memory(void);
