#pragma once
/* Wraps toml++ (C++): a TOML text as a flat list of entries. No C++ exception leaves this shim. */
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
    /* Table, such as iio or iio.gyroscope, empty at the top level, and key, empty for an array's element; quoted if
       necessary. */
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

/* Parses `count` bytes; NULL if out of memory. To be freed by ctoml_free. */
ctoml_document *ctoml_parse(const char *text, size_t count);
void ctoml_free(ctoml_document *document);

/* Syntax error and its position; count 0 if there is none. */
ctoml_bytes ctoml_error(const ctoml_document *document);
uint32_t ctoml_error_line(const ctoml_document *document);
uint32_t ctoml_error_column(const ctoml_document *document);

/* Lists three levels of tables, the names of two joined by a dot; a deeper table is listed without its contents. */
const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index);

#ifdef __cplusplus
}
#endif
