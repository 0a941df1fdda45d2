/* Wraps popt, which parses command lines and formats help texts, because getopt_long only parses. */
#include <popt.h>

/* Swift imports neither the bare struct tag nor a table made by macros, hence a name for an entry. */
typedef struct poptOption popt_entry;
