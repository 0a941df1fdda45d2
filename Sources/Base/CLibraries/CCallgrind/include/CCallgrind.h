#pragma once
/* A C function whose symbol name callgrind can match. Only the benchmark links it. */

/* Calls `work` with `context`. `valgrind --tool=callgrind --collect-atstart=no --toggle-collect=waymark_counted` counts
 * only the instructions of that call. */
void waymark_counted(void (*work)(void *), void *context);
