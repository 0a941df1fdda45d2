/* Wraps Zstandard, which compresses the chunks of recordings. Swift calls it directly; there is nothing to adapt. */
#include <zstd.h>
