/* Wraps Expat, the XML parser, for GPX: a streaming parser with limits against entity expansion. Swift calls it
 * directly; there is nothing to adapt. */
#include <expat.h>
