#pragma once
/* Wraps toml++ (C++) to read TOML as a flat list of entries. No C++ exception leaves this shim. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ctoml_kind {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_TEXT,
    CTOML_INTEGER,
    CTOML_REAL,
    CTOML_BOOLEAN,
    CTOML_DATE
} ctoml_kind;

/* UTF-8 owned by the document; not zero-terminated, and may contain zero bytes. */
typedef struct ctoml_bytes {
    const char *start;
    size_t count;
} ctoml_bytes;

typedef struct ctoml_entry {
    /* Table, such as iio or iio.gyroscope, which is empty at the top level, and key, which is empty for an array's
       element. Both are quoted if necessary. */
    ctoml_bytes section;
    ctoml_bytes key;
    ctoml_kind kind;
    /* Value of CTOML_TEXT. */
    ctoml_bytes text;
    /* Value of CTOML_INTEGER. */
    int64_t integer;
    /* Value of CTOML_REAL, and of CTOML_INTEGER rounded to the nearest double. */
    double real;
    /* Value of CTOML_BOOLEAN. */
    bool boolean;
    /* For CTOML_ARRAY: number of the following entries that are its elements. */
    size_t elements;
    /* Positions of key and value, counted from 1; 0 if unknown. */
    uint32_t key_line, key_column;
    uint32_t value_line, value_column;
} ctoml_entry;

typedef struct ctoml_document ctoml_document;

/* Parses `count` bytes; returns NULL if out of memory. ctoml_free frees the result. */
ctoml_document *ctoml_parse(const char *text, size_t count);
void ctoml_free(ctoml_document *document);

/* Syntax error and its position. The text is empty if there is no error. */
ctoml_bytes ctoml_error(const ctoml_document *document);
uint32_t ctoml_error_line(const ctoml_document *document);
uint32_t ctoml_error_column(const ctoml_document *document);

/* Returns an entry of the list. Three levels of tables are listed, and the names of two are joined by a dot. A deeper
   table is listed without its contents. */
const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index);

#ifdef __cplusplus
}
#endif
