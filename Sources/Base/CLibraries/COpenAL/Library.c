#define _GNU_SOURCE
#include "Library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The periods are small, 5 ms at 48 kHz, so that a turn of the head is heard soon; three of them outlast a late
 * wake-up. The library's default is 20 ms. */
static const char settings[] = "[general]\nperiod_size = 256\nperiods = 3\n";

static openal_library functions;

/* The library reads the size of its periods only from files, one of which ALSOFT_CONF names. If the user has set this
 * variable, it is left unchanged. This function also keeps the library's error messages from the terminal. */
static void configure(void) {
    if (getenv("ALSOFT_CONF") != NULL) return;
    const int file = memfd_create("openal-settings", MFD_CLOEXEC);
    if (file < 0) return;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    setenv("ALSOFT_LOGLEVEL", "0", 0);
    if (write(file, settings, strlen(settings)) == (ssize_t)strlen(settings)) setenv("ALSOFT_CONF", path, 1);
}

static loaded_library library = LOADED_LIBRARY("libopenal.so.1", functions, OPENAL_FUNCTIONS, NULL);

const openal_library *openal_library_open(bool is_for_device, char *problem, size_t size) {
    /* The library is configured before it is opened, because it reads its settings only once. */
    if (is_for_device && !library.is_open) configure();
    return loaded_library_open(&library, problem, size) ? &functions : NULL;
}
