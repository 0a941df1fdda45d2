/* Wraps Expat, a streaming XML parser with limits against entity expansion. Swift calls it directly, except for the
 * functions that return the position of an event, because Expat 2.9 renames them and deprecates the former names. */
#include <expat.h>

#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define CEXPAT_LINE XML_GetCurrentLineNumber64
#define CEXPAT_COLUMN XML_GetCurrentColumnNumber64
#else
#define CEXPAT_LINE XML_GetCurrentLineNumber
#define CEXPAT_COLUMN XML_GetCurrentColumnNumber
#endif

/* Line of the current event, from 1. */
static inline unsigned long cexpat_line(XML_Parser parser) {
    return CEXPAT_LINE(parser);
}

/* Column of the current event, from 0. */
static inline unsigned long cexpat_column(XML_Parser parser) {
    return CEXPAT_COLUMN(parser);
}
