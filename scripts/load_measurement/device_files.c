/* Preloaded by scripts/daemon-load: paths of IIO in /sys and /dev lead into the folder WAYMARK_IIO_FILES instead, where
 * Tests/Support/iio_files.py has made-up devices. So libiio's own local backend reads samples, as on a board. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

enum { DESCRIPTORS = 1024 };
static char is_device[DESCRIPTORS];

static int is_node(const char *path) {
    const char *name = path ? strrchr(path, '/') : NULL;
    return name && !strncmp(name, "/iio:", 5) && strstr(path, "/dev/");
}

/* Reading a device changes no file, whereas that of a FIFO marks its time of access for the disk. */
static int flag_of_node(const char *path) { return is_node(path) ? O_NOATIME : 0; }

/* Notes whether an opened descriptor is one of a device's FIFO. */
static int note(const char *path, int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) is_device[descriptor] = (char)is_node(path);
    return descriptor;
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
        return note(path, real(path, flags | flag_of_node(path), mode)); \
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

/* A read of an odd number of bytes, which no samples have, fails as that of a device that was unplugged: a test writes
 * one byte into the FIFO of a device. */
ssize_t read(int descriptor, void *bytes, size_t size) {
    static ssize_t (*real)(int, void *, size_t);
    if (!real) real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    ssize_t count = real(descriptor, bytes, size);
    struct stat status;
    if (count <= 0 || count % 2 == 0 || descriptor >= DESCRIPTORS || !is_device[descriptor]) return count;
    /* The number may belong to a socket by now. */
    if (fstat(descriptor, &status) || !S_ISFIFO(status.st_mode)) return count;
    errno = ENODEV;
    return -1;
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

/* Writes samples into the FIFO of a device, for iio_files.py, whose own way from the clock to the call takes ten times as
 * long. Returns the time just before, in nanoseconds of CLOCK_BOOTTIME, or the negative error. */
int64_t waymark_send_samples(int descriptor, const void *bytes, size_t size) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    if (write(descriptor, bytes, size) < 0) return -errno;
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
