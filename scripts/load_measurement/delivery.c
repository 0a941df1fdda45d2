/* Times at which poses reach the readers of Unix sockets and of the pose ring, for scripts/daemon-load.
 *
 *     delivery read SOCKET READERS RATE SECONDS CPU FILE
 *         subscribes READERS times to the poses of the daemon at SOCKET, at RATE Hz
 *     delivery ring SOCKET SECONDS CPU FILE
 *         waits for each pose of the ring at SOCKET
 *     delivery echo READERS RATE WAKES SECONDS BYTES CPU FILE
 *         has another process do the least that a daemon must: it is woken by a third one WAKES times a second, and
 *         writes BYTES to each of READERS sockets, at RATE Hz
 *
 * Writes one record for each message to FILE: when it began (stamp of the pose, or when the third process wrote) and
 * when it was read, in nanoseconds of CLOCK_BOOTTIME. Prints the scheduling that it was granted (it asks for
 * SCHED_FIFO on CPU alone, so that it measures the writer and not the wait for a processor) and then the processor time
 * that the echo used, in microseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <waymark.h>

enum { MOST_READERS = 1024, MOST_BYTES = 65536, PRIORITY = 50 };

struct record {
    int64_t began, read;
    int32_t reader, bytes;
};

struct reader {
    int socket;
    size_t filled;
    char buffer[MOST_BYTES];
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Begin of a pose's message; 0 if it is another. */
static int64_t stamp_of_pose(const char *message, size_t size) {
    static const char key[] = "\"time\":{\"sec\":";
    static const char rest[] = ",\"nsec\":";
    const char *found = memmem(message, size, key, sizeof key - 1);
    if (!found) return 0;
    char *end;
    int64_t seconds = strtoll(found + sizeof key - 1, &end, 10);
    if (strncmp(end, rest, sizeof rest - 1)) return 0;
    return seconds * 1000000000LL + strtoll(end + sizeof rest - 1, NULL, 10);
}

/* Begin of an echoed message: its first eight bytes. */
static int64_t stamp_of_echo(const char *message, size_t size) {
    int64_t began = 0;
    if (size >= sizeof began) memcpy(&began, message, sizeof began);
    return began;
}

static void prefer(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    const struct sched_param param = {.sched_priority = PRIORITY};
    int is_pinned = sched_setaffinity(0, sizeof set, &set) == 0;
    int is_first = sched_setscheduler(0, SCHED_FIFO, &param) == 0;
    printf("%s, %s\n", is_first ? "SCHED_FIFO" : "SCHED_OTHER", is_pinned ? "pinned" : "not pinned");
    fflush(stdout);
}

static void keep(FILE *file, int64_t began, int64_t read, int reader, size_t bytes) {
    struct record record = {began, read, reader, (int32_t)bytes};
    if (fwrite(&record, sizeof record, 1, file) != 1) fail("writing records");
}

/* Takes one part of the stream, and notes each message that it completes. With `length`, messages are this long;
 * otherwise each ends with a zero. */
static int take(struct reader *reader, int index, size_t length, FILE *file) {
    ssize_t count = recv(reader->socket, reader->buffer + reader->filled, MOST_BYTES - reader->filled, MSG_DONTWAIT);
    int64_t read = now();
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
    if (count <= 0) return 0;
    reader->filled += (size_t)count;
    char *start = reader->buffer;
    for (;;) {
        size_t left = reader->filled - (size_t)(start - reader->buffer), size;
        if (length) {
            if (left < length) break;
            size = length;
        } else {
            const char *end = memchr(start, 0, left);
            if (!end) break;
            size = (size_t)(end - start) + 1;
        }
        int64_t began = length ? stamp_of_echo(start, size) : stamp_of_pose(start, size);
        if (began) keep(file, began, read, index, size);
        start += size;
    }
    reader->filled -= (size_t)(start - reader->buffer);
    memmove(reader->buffer, start, reader->filled);
    return reader->filled < MOST_BYTES;
}

static void read_all(struct reader *readers, int count, double seconds, size_t length, FILE *file) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index < count; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, readers[index].socket, &event)) fail("epoll_ctl");
    }
    int64_t end = now() + (int64_t)(seconds * 1e9);
    struct epoll_event events[64];
    while (now() < end) {
        int ready = epoll_wait(poll, events, 64, 100);
        for (int event = 0; event < ready; event++) {
            int index = (int)events[event].data.u32;
            if (!take(&readers[index], index, length, file)) {
                fprintf(stderr, "delivery: reader %d was closed\n", index);
                exit(1);
            }
        }
    }
}

static void subscribe(struct reader *readers, int count, const char *path, const char *rate) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    char call[256];
    int size = snprintf(
        call, sizeof call, "{\"method\":\"org.waymark.Pose.Subscribe\",\"parameters\":{\"rate\":%s},\"more\":true}", rate);
    for (int index = 0; index < count; index++) {
        int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof address)) fail("connect");
        if (send(client, call, (size_t)size + 1, MSG_NOSIGNAL) != size + 1) fail("send");
        readers[index].socket = client;
    }
}

/* The third process: writes the time at `rate`. */
static void tick(int output, double rate) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        next.tv_nsec += (long)(1e9 / rate);
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec += 1;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        int64_t began = now();
        if (write(output, &began, sizeof began) != sizeof began) exit(0);
    }
}

/* The echo: writes to all when it is woken, or as often of these times as the rate asks for. */
static void echo(int input, const int *outputs, int count, size_t bytes, double rate, double wakes) {
    static char message[MOST_BYTES];
    double due = 0;
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, input, &event)) fail("epoll_ctl");
    while (epoll_wait(poll, &event, 1, -1) == 1) {
        if (read(input, message, sizeof(int64_t)) != sizeof(int64_t)) exit(0);
        if ((due += rate) < wakes) continue;
        due -= wakes;
        for (int index = 0; index < count; index++) send(outputs[index], message, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    exit(0);
}

static pid_t apart(void) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) exit(0);
    }
    return child;
}

static void begin_echo(
    struct reader *readers, int count, double rate, double wakes, size_t bytes, pid_t children[2]) {
    static int outputs[MOST_READERS];
    int ends[2], source[2];
    for (int index = 0; index < count; index++) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) fail("socketpair");
        outputs[index] = ends[0];
        readers[index].socket = ends[1];
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, source)) fail("socketpair");
    if ((children[0] = apart()) == 0) echo(source[0], outputs, count, bytes, rate, wakes);
    if ((children[1] = apart()) == 0) tick(source[1], wakes);
}

/* Ends a child that was begun; the processor time that it used. Unit: us. */
static long end(pid_t child) {
    struct rusage used = {0};
    if (child <= 0) return 0;
    kill(child, SIGKILL);
    if (wait4(child, NULL, 0, &used) < 0) fail("wait4");
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static int number_of_readers(const char *text) {
    int number = atoi(text);
    if (number < 1 || number > MOST_READERS) {
        fprintf(stderr, "delivery: 1 to %d readers\n", MOST_READERS);
        exit(2);
    }
    return number;
}

static struct reader *make_readers(int number) {
    struct reader *readers = calloc((size_t)number, sizeof *readers);
    if (!readers) fail("calloc");
    return readers;
}

static FILE *create(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) fail(path);
    return file;
}

static int measure_read(char **arguments) {
    int number = number_of_readers(arguments[1]);
    struct reader *readers = make_readers(number);
    FILE *file = create(arguments[5]);
    subscribe(readers, number, arguments[0], arguments[2]);
    prefer(atoi(arguments[4]));
    read_all(readers, number, atof(arguments[3]), 0, file);
    return fclose(file) ? 1 : 0;
}

static int measure_echo(char **arguments) {
    int number = number_of_readers(arguments[0]);
    size_t bytes = (size_t)atol(arguments[4]);
    if (bytes < sizeof(int64_t) || bytes > MOST_BYTES) return 2;
    struct reader *readers = make_readers(number);
    FILE *file = create(arguments[6]);
    pid_t children[2] = {0, 0};
    begin_echo(readers, number, atof(arguments[1]), atof(arguments[2]), bytes, children);
    prefer(atoi(arguments[5]));
    read_all(readers, number, atof(arguments[3]), bytes, file);
    end(children[1]);
    printf("%ld\n", end(children[0]));
    return fclose(file) ? 1 : 0;
}

static int measure_ring(char **arguments) {
    FILE *file = create(arguments[3]);
    struct waymark_reader *reader = waymark_reader_new(arguments[0]);
    struct waymark_reading reading = {0};
    if (!reader) fail("waymark_reader_new");
    prefer(atoi(arguments[2]));
    int64_t until = now() + (int64_t)(atof(arguments[1]) * 1e9);
    while (now() < until) {
        if (waymark_reader_wait(reader, &reading, 100) != WAYMARK_OK) continue;
        keep(file, reading.pose.time, now(), 0, sizeof reading.pose);
    }
    waymark_reader_free(reader);
    return fclose(file) ? 1 : 0;
}

int main(int count, char **arguments) {
    if (count == 8 && !strcmp(arguments[1], "read")) return measure_read(arguments + 2);
    if (count == 6 && !strcmp(arguments[1], "ring")) return measure_ring(arguments + 2);
    if (count == 9 && !strcmp(arguments[1], "echo")) return measure_echo(arguments + 2);
    fprintf(stderr, "usage: delivery read SOCKET READERS RATE SECONDS CPU FILE\n"
                    "       delivery ring SOCKET SECONDS CPU FILE\n"
                    "       delivery echo READERS RATE WAKES SECONDS BYTES CPU FILE\n");
    return 2;
}
