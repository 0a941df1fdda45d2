#include "include/CCallgrind.h"

/* In C, for callgrind meets its name as it is written here: Swift makes other versions of a function, under other names.
 * valgrind's own requests would need its headers where the benchmark is built. */
__attribute__((noinline)) void waymark_counted(void (*work)(void *), void *context) {
    work(context);
    /* Lest the call become a jump, with which this function would have ended. */
    __asm__ volatile("" ::: "memory");
}
