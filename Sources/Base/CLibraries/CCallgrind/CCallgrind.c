#include "include/CCallgrind.h"

/* This is C, because callgrind matches the symbol name, and Swift specializes functions under other names. Valgrind's
 * client requests would need its headers to build the benchmark. */
__attribute__((noinline)) void waymark_counted(void (*work)(void *), void *context) {
    work(context);
    /* Prevents a tail call, which would end this function before `work`. */
    __asm__ volatile("" ::: "memory");
}
