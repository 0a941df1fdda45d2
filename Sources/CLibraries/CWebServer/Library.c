#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* The structures that it is handed differ between its versions, so it has to be the version of the headers. */
#if LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 1
#define LIBRARY "libwebsockets.so.17"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 2
#define LIBRARY "libwebsockets.so.18"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 3
#define LIBRARY "libwebsockets.so.19"
#else
#error "libwebsockets 4.1 to 4.3 is needed; for another version, add its soname here and run Tests/WebTests"
#endif

static websockets_library library;
static bool is_open;
static char reason[256];

static bool find(void *handle) {
#define FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, #name); \
    if (library.name == NULL) return false;
    WEBSOCKETS_FUNCTIONS(FIND)
#undef FIND
    return true;
}

static void open_once(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) is_open = find(handle);
    if (is_open) return;
    const char *said = handle == NULL ? dlerror() : NULL;
    snprintf(reason, sizeof reason, "%s", said != NULL ? said : LIBRARY ": functions are missing");
}

const websockets_library *websockets_library_open(char *problem, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (is_open) return &library;
    snprintf(problem, size, "%s", reason);
    return NULL;
}
