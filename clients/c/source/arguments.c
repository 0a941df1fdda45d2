/* Parameters of calls as JSON, in a buffer of fixed size. */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Without the final brace and zero byte, for which there is always room. */
static void append(struct waymark_arguments *arguments, const char *text, size_t length)
{
    if (arguments->is_invalid || length > sizeof arguments->text - 1 - arguments->length) {
        arguments->is_invalid = true;
        return;
    }
    arguments->length--;
    memcpy(arguments->text + arguments->length, text, length);
    arguments->length += length;
    memcpy(arguments->text + arguments->length, "}", 2);
    arguments->length++;
}

static void append_quoted(struct waymark_arguments *arguments, const char *text)
{
    if (!text || !wmk_is_utf8(text, strlen(text))) {
        arguments->is_invalid = true;
        return;
    }
    append(arguments, "\"", 1);
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20) {
            char escape[8];
            append(arguments, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)*text));
            continue;
        }
        if (*text == '"' || *text == '\\')
            append(arguments, "\\", 1);
        append(arguments, text, 1);
    }
    append(arguments, "\"", 1);
}

static void append_name(struct waymark_arguments *arguments, const char *name)
{
    if (arguments->length > 2)
        append(arguments, ",", 1);
    append_quoted(arguments, name);
    append(arguments, ":", 1);
}

void waymark_arguments_begin(struct waymark_arguments *arguments)
{
    memcpy(arguments->text, "{}", 3);
    arguments->length = 2;
    arguments->is_invalid = false;
}

void waymark_arguments_number(struct waymark_arguments *arguments, const char *name, double value)
{
    char text[40], *byte;
    int precision = 15;
    if (!isfinite(value)) {
        arguments->is_invalid = true;
        return;
    }
    /* The fewest digits that give the same number. */
    do
        (void)snprintf(text, sizeof text, "%.*g", precision, value);
    while (precision++ < 17 && strtod(text, NULL) != value);
    /* The program's locale may have a comma, or more than one byte. */
    for (byte = text; *byte; byte++) {
        if (strchr("0123456789+-e", *byte))
            continue;
        *byte = '.';
        while (byte[1] && !strchr("0123456789", byte[1]))
            memmove(byte + 1, byte + 2, strlen(byte + 1));
    }
    append_name(arguments, name);
    append(arguments, text, strlen(text));
}

void waymark_arguments_integer(struct waymark_arguments *arguments, const char *name, int64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%lld", (long long)value);
    append_name(arguments, name);
    append(arguments, text, (size_t)length);
}

void waymark_arguments_boolean(struct waymark_arguments *arguments, const char *name, bool value)
{
    const char *text = value ? "true" : "false";
    append_name(arguments, name);
    append(arguments, text, strlen(text));
}

void waymark_arguments_string(struct waymark_arguments *arguments, const char *name, const char *value)
{
    append_name(arguments, name);
    append_quoted(arguments, value);
}

void waymark_arguments_json(struct waymark_arguments *arguments, const char *name, const char *json)
{
    if (!json || wmk_json_skip(json, json + strlen(json)) != json + strlen(json)) {
        arguments->is_invalid = true;
        return;
    }
    append_name(arguments, name);
    append(arguments, json, strlen(json));
}

const char *waymark_arguments_text(const struct waymark_arguments *arguments)
{
    return arguments->is_invalid ? NULL : arguments->text;
}
