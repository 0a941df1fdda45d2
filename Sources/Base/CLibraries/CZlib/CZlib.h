/* Wraps zlib, which is used for the CRC-32 of the MCAP format and for tables compressed by gzip. Swift calls it
 * directly; there is nothing to adapt. */
#include <zlib.h>
