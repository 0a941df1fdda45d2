#pragma once
/* A C function whose symbol name callgrind can match, for the benchmark, which alone links it. */

/* Calls `work` with `context`. Under `valgrind --tool=callgrind --collect-atstart=no --toggle-collect=waymark_counted`
 * the instructions of that call are counted, and no others. */
void waymark_counted(void (*work)(void *), void *context);
