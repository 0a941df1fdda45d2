#pragma once
/* JSON from outside, one value at a time, into a flat list that is bounded in every way. The parser is RapidJSON's
   iterative one: no depth of nesting can exhaust the stack. Strict as RFC 8259: UTF-8 only, no NaN, no comments, no
   trailing commas. No C++ exception leaves this shim. */
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

/* Values stand in the order of the text: an array before its elements, an object before its members, each of which is
   a CJSON_KEY and a value. */
typedef struct cjson_value {
    uint32_t kind;
    /* Index after this value and all that is in it; 0 while it is still open. */
    uint32_t next;
    union {
        double number;
        cjson_span text;
        /* Of an array's elements or an object's members. */
        uint64_t count;
    };
} cjson_value;

typedef enum cjson_problem {
    CJSON_FINE,
    /* Against the grammar; cjson_message says how. Nothing after it can be read. */
    CJSON_SYNTAX,
    CJSON_TOO_DEEP,
    /* The value was read to its end and thrown away; what follows it can be read. */
    CJSON_TOO_MANY_VALUES,
    CJSON_TOO_MUCH_TEXT,
    CJSON_LONE_SURROGATE,
    CJSON_NO_MEMORY
} cjson_problem;

typedef struct cjson_limits {
    /* At most CJSON_DEEPEST. */
    uint32_t depth;
    uint32_t values;
    /* Of all keys and strings of one value together, in bytes. */
    uint32_t text;
} cjson_limits;

#define CJSON_DEEPEST 64

/* Fills the room with the next bytes and returns how many; 0 at the end. */
typedef size_t (*cjson_refill)(void *context, char *room, size_t capacity);

typedef struct cjson_reader cjson_reader;

/* NULL only when there is no memory left. */
cjson_reader *cjson_new(cjson_limits limits);
void cjson_free(cjson_reader *reader);

/* Reads what the refill gives; false when there is no memory left. */
bool cjson_pull(cjson_reader *reader, cjson_refill refill, void *context);
/* Reads from these bytes, which have to stay until they are read. */
void cjson_use(cjson_reader *reader, const char *bytes, size_t count);

/* Where the reader stands, in bytes from the start of the input. */
uint64_t cjson_offset(const cjson_reader *reader);

/* The next byte that is not space, without taking it; -1 at the end, or before the delimiter. */
int cjson_peek(cjson_reader *reader);
void cjson_take(cjson_reader *reader);

/* What is in the buffer beyond the reader's place, after filling it. */
size_t cjson_ahead(cjson_reader *reader, const char **bytes);

/* From here on the input looks as if it ended before each byte `delimiter`; -1 takes that back. */
void cjson_delimit(cjson_reader *reader, int delimiter);
/* Goes on after the next such byte; false when there is none. */
bool cjson_skip_past(cjson_reader *reader, int byte);

/* Reads one value; what was read before is gone. With a stop key, reading ends behind that key where it stands in the
   outermost object, and cjson_stopped tells so: the values are then the part before it. */
cjson_problem cjson_read(cjson_reader *reader, const char *stop_key);
bool cjson_stopped(const cjson_reader *reader);

const cjson_value *cjson_values(const cjson_reader *reader, size_t *count);
const char *cjson_text(const cjson_reader *reader);
size_t cjson_text_count(const cjson_reader *reader);
/* What is wrong, in words, after a problem; and where, in bytes from the start of the input: after CJSON_SYNTAX exactly,
   else where the value begins. */
const char *cjson_message(const cjson_reader *reader);
uint64_t cjson_problem_offset(const cjson_reader *reader);

#ifdef __cplusplus
}
#endif
