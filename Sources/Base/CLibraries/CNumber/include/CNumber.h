#pragma once
/* Wraps the C++ library's <charconv>, because Swift's own conversions allocate and have no fixed number of decimals.
   Independent of the locale; the same digits on every platform. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Buffer size that suffices for every number below. */
#define WAYMARK_NUMBER_ROOM 32

/* The fewest digits that read back as the same double. The value is finite. Returns the length. */
size_t waymark_number_shortest(double value, char *text);

/* With `decimals` (0 to 9) digits after the point, halves away from zero, never "-0"; beyond 9e15 units of the last
   digit as waymark_number_shortest does. The value is finite. Returns the length. */
size_t waymark_number_fixed(double value, int decimals, char *text);

size_t waymark_number_integer(int64_t value, char *text);

/* Reads a decimal number (or inf, nan) at the start of the text. Returns the number of bytes read: 0 if there is
   no number, or one that no double can hold. */
size_t waymark_number_parse(const char *text, size_t length, double *value);

/* The same for an integer. */
size_t waymark_number_parse_integer(const char *text, size_t length, int64_t *value);

#ifdef __cplusplus
}
#endif
