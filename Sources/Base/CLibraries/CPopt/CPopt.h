/* Wraps popt, which parses command lines and formats help texts, because getopt_long only parses. */
#include <popt.h>

/* Name for an entry, because Swift imports neither the bare struct tag nor tables that macros make. */
typedef struct poptOption popt_entry;
