#include "CNumber.h"

#include <charconv>
#include <cmath>

size_t waymark_number_shortest(double value, char *text) {
    return std::to_chars(text, text + WAYMARK_NUMBER_ROOM, value).ptr - text;
}

size_t waymark_number_fixed(double value, int decimals, char *text) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double scaled = std::round(value * powers[decimals]);
    // Whole numbers up to this limit are exact in a double, and their digits fit into the buffer.
    if (!(std::fabs(scaled) < 9e15)) return waymark_number_shortest(value, text);

    int64_t rest = static_cast<int64_t>(scaled);
    const bool negative = rest < 0;
    if (negative) rest = -rest;
    // Writes from the last digit to the first, with at least one before the point.
    char reversed[WAYMARK_NUMBER_ROOM];
    size_t length = 0;
    for (int digit = 0; digit < decimals; ++digit, rest /= 10) reversed[length++] = static_cast<char>('0' + rest % 10);
    if (decimals > 0) reversed[length++] = '.';
    do reversed[length++] = static_cast<char>('0' + rest % 10); while ((rest /= 10) != 0);
    if (negative) reversed[length++] = '-';
    for (size_t index = 0; index < length; ++index) text[index] = reversed[length - 1 - index];
    return length;
}

size_t waymark_number_integer(int64_t value, char *text) {
    return std::to_chars(text, text + WAYMARK_NUMBER_ROOM, value).ptr - text;
}

size_t waymark_number_parse(const char *text, size_t length, double *value) {
    const auto result = std::from_chars(text, text + length, *value);
    return result.ec == std::errc() ? result.ptr - text : 0;
}

size_t waymark_number_parse_integer(const char *text, size_t length, int64_t *value) {
    const auto result = std::from_chars(text, text + length, *value);
    return result.ec == std::errc() ? result.ptr - text : 0;
}
