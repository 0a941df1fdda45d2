/* Preloaded by scripts/daemon-load: paths of IIO in /sys and /dev lead into the folder WAYMARK_IIO_FILES instead, where
 * Tests/Support/iio_files.py has made-up devices. So libiio's own local backend reads samples, as on a board. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Together all paths of libiio's local backend: the machine's own devices are not seen. */
static const char *const prefixes[] = {"/sys/bus/iio", "/sys/kernel/debug/iio", "/dev/iio:"};

static const char *place(const char *path, char replaced[PATH_MAX]) {
    const char *folder = getenv("WAYMARK_IIO_FILES");
    for (size_t index = 0; folder && path && index < sizeof prefixes / sizeof *prefixes; index++) {
        if (strncmp(path, prefixes[index], strlen(prefixes[index]))) continue;
        return snprintf(replaced, PATH_MAX, "%s%s", folder, path) < PATH_MAX ? replaced : path;
    }
    return path;
}

/* Declares the next library's function of this name as `real`, and the path where the file is. */
#define FORWARD(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    char buffer[PATH_MAX]; \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name); \
    path = place(path, buffer)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        FORWARD(int, name, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return real(path, flags, mode); \
    }
#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        FORWARD(FILE *, name, const char *, const char *); \
        return real(path, mode); \
    }
#define STAT(name, type) \
    int name(const char *path, struct type *status) { \
        FORWARD(int, name, const char *, struct type *); \
        return real(path, status); \
    }

OPEN(open)
OPEN(open64)
FOPEN(fopen)
FOPEN(fopen64)
STAT(stat, stat)
STAT(stat64, stat64)

DIR *opendir(const char *path) {
    FORWARD(DIR *, opendir, const char *);
    return real(path);
}

int access(const char *path, int kind) {
    FORWARD(int, access, const char *, int);
    return real(path, kind);
}

char *realpath(const char *path, char *resolved) {
    FORWARD(char *, realpath, const char *, char *);
    return real(path, resolved);
}
