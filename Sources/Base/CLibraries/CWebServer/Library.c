#include "Library.h"

/* The structures that are passed to the library differ between its versions, so its version has to be that of the
   headers. */
#if LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 1
#define LIBRARY "libwebsockets.so.17"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 2
#define LIBRARY "libwebsockets.so.18"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 3
#define LIBRARY "libwebsockets.so.19"
#else
#error "libwebsockets 4.1 to 4.3 is needed; for another version, add its soname here and run Tests/WebTests"
#endif

static websockets_library functions;
static loaded_library library = LOADED_LIBRARY(LIBRARY, functions, WEBSOCKETS_FUNCTIONS, NULL);

const websockets_library *websockets_library_open(char *problem, size_t size) {
    return loaded_library_open(&library, problem, size) ? &functions : NULL;
}
