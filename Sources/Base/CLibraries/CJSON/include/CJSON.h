#pragma once
/* Wraps RapidJSON (C++ headers) for untrusted JSON. Reads one value at a time into a flat list, within limits of every
   kind. Uses the iterative parser, so that deep nesting cannot exhaust the stack. As strict as RFC 8259: UTF-8 only, no
   NaN, no comments, no trailing commas. No C++ exception leaves this shim. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cjson_kind {
    CJSON_NULL,
    CJSON_FALSE,
    CJSON_TRUE,
    CJSON_NUMBER,
    CJSON_TEXT,
    CJSON_KEY,
    CJSON_ARRAY,
    CJSON_OBJECT
} cjson_kind;

/* A part of the reader's text: UTF-8 without a terminating zero. */
typedef struct cjson_span {
    uint32_t start;
    uint32_t count;
} cjson_span;

/* Values are in the order of the text. An array comes before its elements, and an object before its members, each of
   which is a CJSON_KEY followed by a value. */
typedef struct cjson_value {
    uint32_t kind;
    /* Index of the value after this one and its contents; 0 while this value is incomplete. */
    uint32_t next;
    union {
        double number;
        cjson_span text;
        /* Number of an array's elements or an object's members. */
        uint64_t count;
    };
} cjson_value;

typedef enum cjson_problem {
    CJSON_FINE,
    /* Syntax error, described by cjson_message. Nothing after it can be read. */
    CJSON_SYNTAX,
    /* A number that no double can represent. The problem's offset is that of its first byte. */
    CJSON_NUMBER_TOO_LARGE,
    CJSON_TOO_DEEP,
    /* The value was parsed and discarded; what follows it can be read. */
    CJSON_TOO_MANY_VALUES,
    CJSON_TOO_MUCH_TEXT,
    CJSON_LONE_SURROGATE,
    CJSON_NO_MEMORY
} cjson_problem;

typedef struct cjson_limits {
    /* At most CJSON_DEEPEST. */
    uint32_t depth;
    uint32_t values;
    /* Limit of the total size of all keys and strings in one value, in bytes. */
    uint32_t text;
} cjson_limits;

#define CJSON_DEEPEST 64

/* Fills the buffer with the next bytes and returns their number; 0 at the end. */
typedef size_t (*cjson_refill)(void *context, char *room, size_t capacity);

typedef struct cjson_reader cjson_reader;

/* NULL if out of memory. */
cjson_reader *cjson_new(cjson_limits limits);
void cjson_free(cjson_reader *reader);

/* Reads from a refill function; false if out of memory. */
bool cjson_pull(cjson_reader *reader, cjson_refill refill, void *context);
/* Reads from these bytes, which have to stay valid until they are read. */
void cjson_use(cjson_reader *reader, const char *bytes, size_t count);

/* Position of the reader, in bytes from the start of the input. */
uint64_t cjson_offset(const cjson_reader *reader);

/* Returns the next byte that is not white space, without consuming it; -1 at the end or before the delimiter. */
int cjson_peek(cjson_reader *reader);
void cjson_take(cjson_reader *reader);

/* Fills the buffer, and returns the bytes in it after the reader's position. */
size_t cjson_ahead(cjson_reader *reader, const char **bytes);

/* Makes the input appear to end before each byte `delimiter`; -1 disables that. */
void cjson_delimit(cjson_reader *reader, int delimiter);
/* Continues after the next delimiter; false if there is none. */
bool cjson_skip_past(cjson_reader *reader, int byte);

/* Reads one value, and discards the previous one. If the outermost object has a member with the stop key, reading ends
   after this key. Then cjson_stopped returns true, and the values are those before the key. */
cjson_problem cjson_read(cjson_reader *reader, const char *stop_key);
bool cjson_stopped(const cjson_reader *reader);

const cjson_value *cjson_values(const cjson_reader *reader, size_t *count);
const char *cjson_text(const cjson_reader *reader);
size_t cjson_text_count(const cjson_reader *reader);
/* After a problem, these return its description and its position in bytes from the start of the input. The position is
   exact for CJSON_SYNTAX and CJSON_NUMBER_TOO_LARGE; for other problems it is the beginning of the value. */
const char *cjson_message(const cjson_reader *reader);
uint64_t cjson_problem_offset(const cjson_reader *reader);

#ifdef __cplusplus
}
#endif
