#include "CLoadedLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static bool find(loaded_library *library, void *handle) {
    for (size_t index = 0; index < library->count; index++) {
        void *address = dlsym(handle, library->names[index]);
        if (address == NULL) return false;
        __atomic_store_n(&library->addresses[index], address, __ATOMIC_RELEASE);
    }
    return library->start == NULL || library->start();
}

static void open_now(loaded_library *library) {
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    library->is_open = handle != NULL && find(library, handle);
    if (library->is_open) return;
    const char *said = dlerror();
    if (said == NULL) said = "it does not start";
    snprintf(library->problem, sizeof library->problem, "%s", said);
}

bool loaded_library_open(loaded_library *library, char *problem, size_t size) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    if (!library->is_open) open_now(library);
    const bool is_open = library->is_open;
    if (!is_open) snprintf(problem, size, "%s", library->problem);
    pthread_mutex_unlock(&mutex);
    return is_open;
}

void *loaded_library_function(loaded_library *library, void *const *address) {
    void *function = __atomic_load_n(address, __ATOMIC_ACQUIRE);
    if (function != NULL) return function;
    char problem[sizeof library->problem];
    if (!loaded_library_open(library, problem, sizeof problem)) {
        /* Not stderr, which may be diverted on this thread. */
        dprintf(STDERR_FILENO, "waymark: cannot open a library that it needs: %s\n", problem);
        _exit(127);
    }
    return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
