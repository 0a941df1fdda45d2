/* Clocks, waiting times between attempts, and sockets. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Between attempts. Unit: ns. */
#define FIRST_PAUSE (100 * WMK_MILLISECOND)
#define LONGEST_PAUSE (5000 * WMK_MILLISECOND)

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

const char *wmk_choose_path(const char *path, const char *variable, const char *otherwise)
{
    if (path)
        return path;
    path = getenv(variable);
    return path && *path ? path : otherwise;
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
