#pragma once
/* Opens libudev by dlopen at the first call. It reports device events and has the mount matrices in its database. Callers
 * use the functions of its header; there is nothing to adapt. */
#include <libudev.h>
