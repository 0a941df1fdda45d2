#pragma once
/* Wraps the C++ library's <charconv>, because Swift's own conversions allocate memory and cannot write a fixed number
   of decimals. The results do not depend on the locale or the platform. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Buffer size that suffices for every number below. */
#define WAYMARK_NUMBER_ROOM 32

/* Writes the fewest digits that read back as the same double. The value must be finite. Returns the length. */
size_t waymark_number_shortest(double value, char *text);

/* Writes `decimals` (0 to 9) digits after the point. Rounds halves away from zero, and never writes "-0". Beyond 9e15
   units of the last digit, writes what waymark_number_shortest does. The value must be finite. Returns the length. */
size_t waymark_number_fixed(double value, int decimals, char *text);

size_t waymark_number_integer(int64_t value, char *text);

/* Reads a decimal number (or inf, nan) at the start of the text. Returns the number of bytes read, which is 0 if there
   is no number or if no double can hold it. */
size_t waymark_number_parse(const char *text, size_t length, double *value);

/* Does the same for an integer. */
size_t waymark_number_parse_integer(const char *text, size_t length, int64_t *value);

#ifdef __cplusplus
}
#endif
