#include <popt.h>

/* Swift imports neither the tag alone nor a macro-made table: one name for an entry. */
typedef struct poptOption popt_entry;
