/* Clocks, waiting times between attempts, and sockets. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Between attempts. Unit: ns. */
#define FIRST_PAUSE (100 * WMK_MILLISECOND)
#define LONGEST_PAUSE (5000 * WMK_MILLISECOND)

#define SYSTEM_SOCKET "/run/waymark/waymark.sock"
#define SYSTEM_RING "/run/waymark/pose-ring.sock"

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t wmk_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t waymark_now(void)
{
    return read_clock(CLOCK_BOOTTIME);
}

int64_t waymark_boottime(int64_t monotonic)
{
    int64_t narrowest = INT64_MAX, offset = 0;
    int attempt;
    /* The clocks are read one after the other: of several pairs the one counts in which least time went by. */
    for (attempt = 0; attempt < 5; attempt++) {
        int64_t begin = wmk_monotonic(), boot = waymark_now(), end = wmk_monotonic();
        if (end - begin < narrowest) {
            narrowest = end - begin;
            offset = boot - begin - (end - begin) / 2;
        }
    }
    return monotonic + offset;
}

void wmk_backoff_begin(struct wmk_backoff *backoff)
{
    backoff->failures = 0;
    backoff->due = 0;
    if (getrandom(&backoff->random, sizeof backoff->random, GRND_NONBLOCK) != sizeof backoff->random)
        backoff->random = (uint64_t)wmk_monotonic() ^ (uint64_t)getpid() << 32;
    backoff->random |= 1;
}

/* Xorshift: clients differ from each other, and nothing is secret. */
static uint64_t next_random(struct wmk_backoff *backoff)
{
    backoff->random ^= backoff->random << 13;
    backoff->random ^= backoff->random >> 7;
    backoff->random ^= backoff->random << 17;
    return backoff->random;
}

void wmk_backoff_fail(struct wmk_backoff *backoff)
{
    int64_t pause = FIRST_PAUSE;
    unsigned failure;
    for (failure = 0; failure < backoff->failures && pause < LONGEST_PAUSE; failure++)
        pause *= 2;
    if (pause > LONGEST_PAUSE)
        pause = LONGEST_PAUSE;
    else
        backoff->failures++;
    /* From three quarters to five quarters. */
    pause = pause / 4 * 3 + (int64_t)(next_random(backoff) % (uint64_t)(pause / 2));
    backoff->due = wmk_monotonic() + pause;
}

void wmk_backoff_succeed(struct wmk_backoff *backoff)
{
    backoff->failures = 0;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Whether a folder is this user's alone: in /tmp another user may have made one of that name. */
static bool is_private(const char *folder)
{
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
        (status.st_mode & 077) == 0;
}

static bool set_path(char path[WMK_PATH_SIZE], const char *first, const char *second)
{
    const int length = snprintf(path, WMK_PATH_SIZE, "%s%s", first, second);
    if (length >= 0 && length < WMK_PATH_SIZE)
        return true;
    path[0] = '\0';
    return false;
}

/* Value of a variable of the environment; NULL where it is not set or empty. */
static const char *value_of(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

static void find_folder(struct wmk_place *place)
{
    const char *folder = value_of("XDG_RUNTIME_DIR");
    if (folder && *folder == '/' && set_path(place->folder, folder, "") && is_private(place->folder))
        return;
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/waymark-%u", (unsigned)geteuid());
}

bool wmk_socket_place(struct wmk_place *place, const char *path)
{
    memset(place, 0, sizeof *place);
    if (!path)
        path = value_of("WAYMARK_SOCKET");
    if (path)
        return set_path(place->usual, path, "");
    find_folder(place);
    (void)set_path(place->demonstration, place->folder, "/waymark.sock");
    return set_path(place->usual, SYSTEM_SOCKET, "");
}

bool wmk_ring_place(struct wmk_place *place, const char *path)
{
    struct wmk_place of_socket;
    memset(place, 0, sizeof *place);
    if (!path)
        path = value_of("WAYMARK_POSE_RING");
    if (path)
        return set_path(place->usual, path, "");
    if (!wmk_socket_place(&of_socket, NULL))
        return false;
    *place = of_socket;
    if (*of_socket.demonstration)
        (void)set_path(place->demonstration, of_socket.demonstration, ".ring");
    if (strcmp(of_socket.usual, SYSTEM_SOCKET) == 0)
        return set_path(place->usual, SYSTEM_RING, "");
    return set_path(place->usual, of_socket.usual, ".ring");
}

const char *wmk_path(const struct wmk_place *place)
{
    const bool is_demonstration = *place->demonstration && !exists(SYSTEM_SOCKET) && is_private(place->folder) &&
        exists(place->demonstration);
    return is_demonstration ? place->demonstration : place->usual;
}

int wmk_connect(const char *path, int type)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    int made;
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length + 1);
    made = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return -1;
    if (connect(made, (const struct sockaddr *)&address, sizeof address) < 0) {
        int number = errno;
        (void)close(made);
        errno = number;
        return -1;
    }
    return made;
}
