#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define LIBRARY "libmosquitto.so.1"

static mosquitto_library library;
static bool is_open;
static char reason[256];

static bool find(void *handle) {
#define FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, #name); \
    if (library.name == NULL) return false;
    MOSQUITTO_FUNCTIONS(FIND)
#undef FIND
    return library.mosquitto_lib_init() == MOSQ_ERR_SUCCESS;
}

static void open_once(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) is_open = find(handle);
    if (is_open) return;
    const char *said = handle == NULL ? dlerror() : NULL;
    snprintf(reason, sizeof reason, "%s", said != NULL ? said : LIBRARY ": too old, or it does not start");
}

const mosquitto_library *mosquitto_library_open(char *problem, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (is_open) return &library;
    snprintf(problem, size, "%s", reason);
    return NULL;
}
