/* JSON as far as envelopes need it: where a value ends, and whether all of it is JSON. Strict, as RFC 8259. */
#include "internal.h"

static const char *skip_space(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r'))
        text++;
    return text;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hexadecimal(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* One character beyond ASCII, without overlong forms, surrogates and what is beyond Unicode. */
static const char *skip_wide(const char *text, const char *end)
{
    unsigned char first = (unsigned char)*text++;
    unsigned char lowest = 0x80, highest = 0xBF;
    int more;
    if (first >= 0xC2 && first <= 0xDF) {
        more = 1;
    } else if (first >= 0xE0 && first <= 0xEF) {
        more = 2;
        if (first == 0xE0)
            lowest = 0xA0;
        if (first == 0xED)
            highest = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
        more = 3;
        if (first == 0xF0)
            lowest = 0x90;
        if (first == 0xF4)
            highest = 0x8F;
    } else {
        return NULL;
    }
    for (; more > 0; more--) {
        if (text == end || (unsigned char)*text < lowest || (unsigned char)*text > highest)
            return NULL;
        text++;
        lowest = 0x80;
        highest = 0xBF;
    }
    return text;
}

static const char *skip_escape(const char *text, const char *end)
{
    int digit;
    if (text == end)
        return NULL;
    if (*text != 'u')
        return memchr("\"\\/bfnrt", *text, 8) ? text + 1 : NULL;
    for (digit = 1; digit <= 4; digit++)
        if (text + digit >= end || !is_hexadecimal(text[digit]))
            return NULL;
    return text + 5;
}

static const char *skip_string(const char *text, const char *end)
{
    if (text == end || *text++ != '"')
        return NULL;
    while (text && text < end) {
        if (*text == '"')
            return text + 1;
        if (*text == '\\')
            text = skip_escape(text + 1, end);
        else if ((unsigned char)*text >= 0x80)
            text = skip_wide(text, end);
        else
            text = (unsigned char)*text >= 0x20 ? text + 1 : NULL;
    }
    return NULL;
}

static const char *skip_digits(const char *text, const char *end)
{
    const char *begin = text;
    while (text < end && is_digit(*text))
        text++;
    return text > begin ? text : NULL;
}

static const char *skip_number(const char *text, const char *end)
{
    if (text < end && *text == '-')
        text++;
    if (text < end && *text == '0')
        text++;
    else if (!(text = skip_digits(text, end)))
        return NULL;
    if (text < end && *text == '.' && !(text = skip_digits(text + 1, end)))
        return NULL;
    if (text < end && (*text == 'e' || *text == 'E')) {
        text++;
        if (text < end && (*text == '+' || *text == '-'))
            text++;
        text = skip_digits(text, end);
    }
    return text;
}

static const char *skip_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0 ? text + length : NULL;
}

static const char *skip_plain(const char *text, const char *end)
{
    switch (*text) {
    case '"':
        return skip_string(text, end);
    case 't':
        return skip_word(text, end, "true");
    case 'f':
        return skip_word(text, end, "false");
    case 'n':
        return skip_word(text, end, "null");
    default:
        return skip_number(text, end);
    }
}

/* The name of a member and its colon. */
static const char *skip_name(const char *text, const char *end)
{
    text = skip_string(skip_space(text, end), end);
    if (!text)
        return NULL;
    text = skip_space(text, end);
    return text < end && *text == ':' ? text + 1 : NULL;
}

const char *wmk_json_skip(const char *text, const char *end)
{
    /* The closing bracket of each array and object that is open: no recursion, whatever is received. */
    char closing[WAYMARK_DEEPEST_MESSAGE];
    size_t depth = 0;
    for (;;) {
        text = skip_space(text, end);
        if (text == end)
            return NULL;
        if (*text == '[' || *text == '{') {
            char close = *text == '[' ? ']' : '}';
            if (depth == sizeof closing)
                return NULL;
            closing[depth++] = close;
            text = skip_space(text + 1, end);
            if (text == end)
                return NULL;
            if (*text != close) {
                if (close == '}' && !(text = skip_name(text, end)))
                    return NULL;
                continue;
            }
        } else {
            text = skip_plain(text, end);
            if (!text)
                return NULL;
        }
        /* A value or an opening bracket is behind; now come closing brackets, and then a comma or the end. */
        for (;;) {
            text = skip_space(text, end);
            if (depth == 0)
                return text;
            if (text == end)
                return NULL;
            if (*text == closing[depth - 1]) {
                depth--;
                text++;
                continue;
            }
            if (*text++ != ',')
                return NULL;
            if (closing[depth - 1] == '}' && !(text = skip_name(text, end)))
                return NULL;
            break;
        }
    }
}

bool wmk_json_is_object(const char *text, size_t length)
{
    const char *end = text + length;
    const char *begin = skip_space(text, end);
    return begin < end && *begin == '{' && wmk_json_skip(text, end) == end;
}

bool wmk_is_utf8(const char *text, size_t length)
{
    const char *end = text + length;
    while (text && text < end)
        text = (unsigned char)*text >= 0x80 ? skip_wide(text, end) : text + 1;
    return text != NULL;
}

/* Names of errors have only these, so that they need no decoding. */
static bool is_error_name(const char *text, size_t length)
{
    size_t index;
    if (length == 0 || length > 255)
        return false;
    for (index = 0; index < length; index++) {
        char byte = text[index];
        if (!is_digit(byte) && !(byte >= 'a' && byte <= 'z') && !(byte >= 'A' && byte <= 'Z') && byte != '.' &&
            byte != '-' && byte != '_')
            return false;
    }
    return true;
}

static bool is_name(const char *name, const char *end, const char *expected)
{
    size_t length = strlen(expected);
    return (size_t)(end - name) == length + 2 && memcmp(name + 1, expected, length) == 0;
}

/* One member of the envelope; members that are not known are left alone. */
static bool take_member(struct wmk_envelope *envelope, const char *name, const char *name_end, char *value, char *end)
{
    if (is_name(name, name_end, "parameters")) {
        /* Some services have null where there are none. */
        if (*value == 'n')
            return true;
        if (*value != '{' || envelope->parameters)
            return false;
        envelope->parameters = value;
        envelope->length = (size_t)(end - value);
        return true;
    }
    if (is_name(name, name_end, "error")) {
        if (*value != '"' || envelope->error || !is_error_name(value + 1, (size_t)(end - value) - 2))
            return false;
        envelope->error = value + 1;
        return true;
    }
    if (is_name(name, name_end, "continues")) {
        if (*value != 't' && *value != 'f')
            return false;
        envelope->continues = *value == 't';
    }
    return true;
}

bool wmk_envelope_read(char *text, size_t length, struct wmk_envelope *envelope)
{
    char *end = text + length;
    memset(envelope, 0, sizeof *envelope);
    if (!wmk_json_is_object(text, length))
        return false;
    text = (char *)skip_space(text, end) + 1;
    for (;;) {
        char *name, *name_end, *value, *value_end;
        text = (char *)skip_space(text, end);
        if (*text == '}')
            break;
        if (*text == ',')
            text = (char *)skip_space(text + 1, end);
        name = text;
        name_end = (char *)skip_string(name, end);
        value = (char *)skip_space(skip_space(name_end, end) + 1, end);
        text = (char *)wmk_json_skip(value, end);
        for (value_end = text; strchr(" \t\n\r", value_end[-1]); value_end--)
            continue;
        if (!take_member(envelope, name, name_end, value, value_end))
            return false;
    }
    if (envelope->parameters)
        envelope->parameters[envelope->length] = '\0';
    if (envelope->error)
        *strchr(envelope->error, '"') = '\0';
    return true;
}
