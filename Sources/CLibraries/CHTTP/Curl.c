#define _GNU_SOURCE
#include "Curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* From libcurl4 or libcurl4t64, the OpenSSL variant, which Debian's other programs load as well. */
#define LIBRARY "libcurl.so.4"

static curl_library library;
static bool is_open;
static char reason[256];

static bool find(void *handle) {
#define FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, #name); \
    if (library.name == NULL) return false;
    CURL_FUNCTIONS(FIND)
#undef FIND
    return library.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void open_once(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) is_open = find(handle);
    if (is_open) return;
    const char *said = handle == NULL ? dlerror() : NULL;
    snprintf(reason, sizeof reason, "%s", said != NULL ? said : LIBRARY ": too old, or it does not start");
}

const curl_library *curl_library_open(char *problem, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (is_open) return &library;
    snprintf(problem, size, "%s", reason);
    return NULL;
}
