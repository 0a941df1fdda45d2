// What Swift's library asks of its runtime, which Embedded Swift does not bring, to make a number of a text.
#include <stdlib.h>

const char *_swift_stdlib_strtod_clocale(const char *text, double *value)
{
    char *end;
    // No locale is set here: it is the C locale.
    *value = strtod(text, &end);
    return end;
}
