/* Wraps zlib, for the CRC-32 of the MCAP format and tables compressed by gzip. Swift calls it directly; there is
 * nothing to adapt. */
#include <zlib.h>
