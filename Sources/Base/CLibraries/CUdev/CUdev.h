/* Wraps libudev, for device events and the mount matrices of its database. Swift calls it directly; there is nothing to
 * adapt. */
#include <libudev.h>
