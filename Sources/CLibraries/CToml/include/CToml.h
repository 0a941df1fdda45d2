#pragma once
/* A TOML text as a flat list of entries. The parser is toml++; no C++ exception leaves this shim. */
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

/* Bytes in UTF-8 that belong to the document; not terminated by a zero and possibly with one inside. */
typedef struct ctoml_bytes {
    const char *start;
    size_t count;
} ctoml_bytes;

typedef struct ctoml_entry {
    /* The table it stands in, empty at the top, and its key, empty for an array's element; quoted if need be. */
    ctoml_bytes section;
    ctoml_bytes key;
    ctoml_kind kind;
    /* Of CTOML_TEXT. */
    ctoml_bytes text;
    /* Of CTOML_INTEGER. */
    int64_t integer;
    /* Of CTOML_REAL, and of CTOML_INTEGER as the nearest number. */
    double real;
    /* Of CTOML_BOOLEAN. */
    bool boolean;
    /* Of CTOML_ARRAY: so many of the entries that follow are its elements. */
    size_t elements;
    /* Where the key stands, and where its value; from 1, 0 where unknown. */
    uint32_t key_line, key_column;
    uint32_t value_line, value_column;
} ctoml_entry;

typedef struct ctoml_document ctoml_document;

/* Parses `count` bytes; NULL only when there is no memory left. End with ctoml_free. */
ctoml_document *ctoml_parse(const char *text, size_t count);
void ctoml_free(ctoml_document *document);

/* What is wrong with the text, and where; count 0 when nothing is. */
ctoml_bytes ctoml_error(const ctoml_document *document);
uint32_t ctoml_error_line(const ctoml_document *document);
uint32_t ctoml_error_column(const ctoml_document *document);

/* Two levels of tables: what lies in a table below those is not listed, only that table itself is. */
const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index);

#ifdef __cplusplus
}
#endif
