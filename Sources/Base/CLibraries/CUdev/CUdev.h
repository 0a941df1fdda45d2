/* Wraps libudev, which reports device events and has the mount matrices in its database. Swift calls it directly; there
 * is nothing to adapt. */
#include <libudev.h>
