#pragma once

/* Calls `work` with `context`. Under `valgrind --tool=callgrind --collect-atstart=no --toggle-collect=waymark_counted`
 * the instructions of that call are counted, and no others. Only the benchmark links it. */
void waymark_counted(void (*work)(void *), void *context);
