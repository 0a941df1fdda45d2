#pragma once
/* Opens SQLite by dlopen at the first call. It stores places with a spatial index, and its data survives a loss of
 * power. Callers use the functions of its header; there is nothing to adapt. */
#include <sqlite3.h>
