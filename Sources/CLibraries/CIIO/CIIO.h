/* Wraps libiio 0.x, which reads local and networked devices of the Linux IIO subsystem by one interface. Swift calls it
 * directly; there is nothing to adapt. */
#include <iio.h>
