/* Wraps SQLite, which stores places with a spatial index, and whose data survives a loss of power. Swift calls it
 * directly; there is nothing to adapt. */
#include <sqlite3.h>
