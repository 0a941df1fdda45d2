/* Wraps C/C++ MINPACK, whose Levenberg-Marquardt method fits calibrations. Swift calls it directly; there is nothing to
 * adapt. */
#include <cminpack.h>
