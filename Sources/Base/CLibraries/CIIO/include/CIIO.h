#pragma once
/* Wraps libiio 0.x, which reads local and networked devices of the Linux IIO subsystem through one interface. The
 * functions keep libiio's names and documentation, but call a library that `ciio_open` opens at run time: libiio loads
 * seven other libraries, which programs that read no sensors do not need. */
#include <iio.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens libiio unless it is open. May be called from any thread, and has to succeed before any other function is
 * called. Returns false on failure, with the reason in `problem`. */
bool ciio_open(char *problem, size_t size);

#ifdef __cplusplus
}
#endif
