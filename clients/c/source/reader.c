/*
 * Poses from shared memory, for any number of threads.
 *
 * A thread that reads or waits counts itself in `entering` while it looks which ring is the present one, and from then
 * on in `users` of that ring. So a ring that has been replaced is unmapped when it has no users at a moment after the
 * replacement at which no thread is entering. All else is behind `lock`, which reading does not take.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Largest ring that is accepted. Unit: bytes. */
#define LARGEST_RING (16 * 1024 * 1024)
/* Longest time in which the daemon answers a connection. Unit: ns. */
#define LONGEST_ANSWER (5000 * WMK_MILLISECOND)
/* Between two looks whether it has answered. Unit: ns. */
#define ANSWER_PAUSE (5 * WMK_MILLISECOND)
/* Within a wait, between two looks at the state. Unit: ns. */
#define LOOK (100 * WMK_MILLISECOND)

/* A ring with its doorbell and connection, until no thread uses it. */
struct attachment {
    struct waymark_ring ring;
    void *memory;
    size_t memory_size;
    struct waymark_ring_doorbell *doorbell;
    int connection;
    uint64_t daemon_generation;
    /* Number of threads that read it or wait at it. */
    unsigned users;
    struct attachment *next;
};

struct waymark_reader {
    struct wmk_place place;
    pthread_mutex_t lock;
    struct wmk_backoff backoff;
    /* A connection whose answer is awaited, until this time; -1: none. */
    int pending;
    int64_t answer_due;
    struct attachment *retired;
    /* The following are read without the lock. */
    struct attachment *current;
    unsigned entering;
    int result;
    int error_number;
    uint64_t connections;
    /* When the next update has something to do, without a ring. Of wmk_monotonic. */
    int64_t due;
};

struct waymark_reader *waymark_reader_new(const char *path)
{
    struct waymark_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->pending = -1;
    reader->result = wmk_ring_place(&reader->place, path) ? WAYMARK_NOT_READY : WAYMARK_INVALID_ARGUMENT;
    wmk_backoff_begin(&reader->backoff);
    if (pthread_mutex_init(&reader->lock, NULL) != 0) {
        free(reader);
        return NULL;
    }
    return reader;
}

const char *waymark_reader_path(const struct waymark_reader *reader)
{
    return wmk_path(&reader->place);
}

static void detach(struct attachment *attachment)
{
    if (attachment->memory)
        (void)munmap(attachment->memory, attachment->memory_size);
    if (attachment->doorbell)
        (void)munmap(attachment->doorbell, sizeof *attachment->doorbell);
    if (attachment->connection >= 0)
        (void)close(attachment->connection);
    free(attachment);
}

static void detach_retired(struct waymark_reader *reader)
{
    struct attachment **place = &reader->retired;
    if (__atomic_load_n(&reader->entering, __ATOMIC_SEQ_CST) != 0)
        return;
    /* All in the list were replaced before this moment at which no thread is entering: they get no more users. */
    while (*place) {
        struct attachment *found = *place;
        if (__atomic_load_n(&found->users, __ATOMIC_SEQ_CST) != 0) {
            place = &found->next;
            continue;
        }
        *place = found->next;
        detach(found);
    }
}

void waymark_reader_free(struct waymark_reader *reader)
{
    if (!reader)
        return;
    detach_retired(reader);
    if (reader->current)
        detach(reader->current);
    if (reader->pending >= 0)
        (void)close(reader->pending);
    (void)pthread_mutex_destroy(&reader->lock);
    free(reader);
}

/* The present ring, which stays until leave(); NULL before the first. */
static struct attachment *enter(struct waymark_reader *reader)
{
    struct attachment *found;
    (void)__atomic_fetch_add(&reader->entering, 1, __ATOMIC_SEQ_CST);
    found = __atomic_load_n(&reader->current, __ATOMIC_SEQ_CST);
    if (found)
        (void)__atomic_fetch_add(&found->users, 1, __ATOMIC_SEQ_CST);
    (void)__atomic_fetch_sub(&reader->entering, 1, __ATOMIC_SEQ_CST);
    return found;
}

static void leave(struct attachment *attachment)
{
    if (attachment)
        (void)__atomic_fetch_sub(&attachment->users, 1, __ATOMIC_SEQ_CST);
}

static enum waymark_outcome set_state(struct waymark_reader *reader, enum waymark_outcome result, int error_number)
{
    __atomic_store_n(&reader->error_number, error_number, __ATOMIC_RELAXED);
    __atomic_store_n(&reader->result, (int)result, __ATOMIC_RELEASE);
    return result;
}

static enum waymark_outcome state(const struct waymark_reader *reader)
{
    return (enum waymark_outcome)__atomic_load_n(&reader->result, __ATOMIC_ACQUIRE);
}

static enum waymark_outcome fail(struct waymark_reader *reader, enum waymark_outcome result, int error_number)
{
    if (reader->pending >= 0)
        (void)close(reader->pending);
    reader->pending = -1;
    wmk_backoff_fail(&reader->backoff);
    __atomic_store_n(&reader->due, reader->backoff.due, __ATOMIC_RELAXED);
    return set_state(reader, result, error_number);
}

/* Whether memory from the daemon has at least `size` bytes, and can never have fewer: a read beyond its end would end
 * the program. */
static bool has_lasting_size(int descriptor, size_t size, size_t *whole)
{
    struct stat status;
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(descriptor, &status) < 0)
        return false;
    if (status.st_size < (off_t)size || status.st_size > LARGEST_RING)
        return false;
    *whole = (size_t)status.st_size;
    return true;
}

/* Whether the ring's clock counts from the boot of this system; true where that cannot be known. */
static bool is_of_this_boot(const struct waymark_ring_header *header)
{
    char text[64] = "";
    uint8_t boot[sizeof header->boot_id];
    size_t count = 0;
    const char *byte;
    unsigned value;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!file)
        return true;
    if (!fgets(text, sizeof text, file))
        text[0] = '\0';
    (void)fclose(file);
    for (byte = text; count < sizeof boot && sscanf(byte, "%2x", &value) == 1; count++) {
        boot[count] = (uint8_t)value;
        byte += 2;
        if (*byte == '-')
            byte++;
    }
    return count < sizeof boot || memcmp(boot, header->boot_id, sizeof boot) == 0;
}

static enum waymark_outcome map(struct attachment *made, const int descriptors[2])
{
    size_t doorbell_size;
    const struct waymark_ring_header *header;
    if (!has_lasting_size(descriptors[0], sizeof(struct waymark_ring_header), &made->memory_size) ||
        !has_lasting_size(descriptors[1], sizeof *made->doorbell, &doorbell_size))
        return WAYMARK_INVALID;
    made->memory = mmap(NULL, made->memory_size, PROT_READ, MAP_SHARED, descriptors[0], 0);
    if (made->memory == MAP_FAILED) {
        made->memory = NULL;
        return WAYMARK_NO_RESOURCES;
    }
    made->doorbell = mmap(NULL, sizeof *made->doorbell, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[1], 0);
    if (made->doorbell == MAP_FAILED) {
        made->doorbell = NULL;
        return WAYMARK_NO_RESOURCES;
    }
    switch (waymark_ring_open(&made->ring, made->memory, made->memory_size)) {
    case WAYMARK_RING_READABLE:
        break;
    case WAYMARK_RING_OTHER_LAYOUT:
        return WAYMARK_OTHER_LAYOUT;
    default:
        return WAYMARK_INVALID;
    }
    header = made->ring.header;
    made->daemon_generation = header->daemon_generation;
    return header->clock == CLOCK_BOOTTIME && is_of_this_boot(header) ? WAYMARK_OK : WAYMARK_OTHER_BOOT;
}

/* Takes ownership of the pending connection where all is well. */
static enum waymark_outcome attach(struct waymark_reader *reader, const int descriptors[2])
{
    struct attachment *old = reader->current;
    struct attachment *made = calloc(1, sizeof *made);
    enum waymark_outcome result;
    if (!made)
        return fail(reader, WAYMARK_NO_RESOURCES, ENOMEM);
    made->connection = -1;
    errno = 0;
    result = map(made, descriptors);
    if (result != WAYMARK_OK) {
        int number = result == WAYMARK_NO_RESOURCES ? errno : 0;
        detach(made);
        return fail(reader, result, number);
    }
    made->connection = reader->pending;
    reader->pending = -1;
    wmk_backoff_succeed(&reader->backoff);
    (void)__atomic_fetch_add(&reader->connections, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&reader->current, made, __ATOMIC_SEQ_CST);
    if (old) {
        old->next = reader->retired;
        reader->retired = old;
    }
    return set_state(reader, WAYMARK_OK, 0);
}

static enum waymark_outcome check_offer(const struct waymark_ring_offer *offer, size_t length, int descriptors)
{
    if (length < sizeof *offer || memcmp(offer->magic, WAYMARK_RING_MAGIC, sizeof offer->magic) != 0)
        return WAYMARK_INVALID;
    switch (offer->answer) {
    case WAYMARK_RING_GRANTED:
        if (offer->layout_version != WAYMARK_RING_LAYOUT)
            return WAYMARK_OTHER_LAYOUT;
        return descriptors == 2 ? WAYMARK_OK : WAYMARK_INVALID;
    case WAYMARK_RING_TOO_MANY_CLIENTS:
        return WAYMARK_TOO_MANY_READERS;
    case WAYMARK_RING_OFF:
        return WAYMARK_RING_IS_OFF;
    default:
        return WAYMARK_REFUSED;
    }
}

/* Copies the descriptors of a message, at most as many as there is room for; returns their number. */
static int take_descriptors(struct msghdr *message, int *descriptors, int room)
{
    struct cmsghdr *header;
    int count = 0;
    for (header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        size_t bytes, offset;
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        bytes = header->cmsg_len - CMSG_LEN(0);
        for (offset = 0; offset + sizeof(int) <= bytes; offset += sizeof(int)) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + offset, sizeof descriptor);
            if (count < room)
                descriptors[count++] = descriptor;
            else
                (void)close(descriptor);
        }
    }
    return count;
}

static enum waymark_outcome receive_offer(struct waymark_reader *reader)
{
    struct waymark_ring_offer offer;
    /* More than the two that are expected, so that a wrong number is noticed; the kernel closes what has no room. */
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct iovec part = {.iov_base = &offer, .iov_len = sizeof offer};
    struct msghdr message;
    int descriptors[8], count, index;
    enum waymark_outcome result;
    ssize_t received;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    received = recvmsg(reader->pending, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) {
        const int64_t now = wmk_monotonic();
        __atomic_store_n(&reader->due, now + ANSWER_PAUSE, __ATOMIC_RELAXED);
        return now < reader->answer_due ? state(reader) : fail(reader, WAYMARK_TIMED_OUT, 0);
    }
    if (received <= 0)
        return fail(reader, WAYMARK_DISCONNECTED, received < 0 ? errno : 0);
    count = take_descriptors(&message, descriptors, 8);
    /* A newer daemon may append to its offer: a longer packet is cut. */
    result = check_offer(&offer, (size_t)received, count);
    result = result == WAYMARK_OK ? attach(reader, descriptors) : fail(reader, result, 0);
    for (index = 0; index < count; index++)
        (void)close(descriptors[index]);
    return result;
}

static enum waymark_outcome connect_if_due(struct waymark_reader *reader)
{
    const int64_t now = wmk_monotonic();
    if (state(reader) == WAYMARK_INVALID_ARGUMENT)
        __atomic_store_n(&reader->due, INT64_MAX, __ATOMIC_RELAXED);
    if (now < reader->backoff.due || state(reader) == WAYMARK_INVALID_ARGUMENT)
        return state(reader);
    reader->pending = wmk_connect(wmk_path(&reader->place), SOCK_SEQPACKET);
    if (reader->pending < 0)
        return fail(reader, wmk_outcome_of_errno(errno), errno);
    reader->answer_due = now + LONGEST_ANSWER;
    return receive_offer(reader);
}

static bool has_ended(const struct attachment *attachment)
{
    char byte;
    ssize_t received = recv(attachment->connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR);
}

static enum waymark_outcome update(struct waymark_reader *reader)
{
    struct attachment *current = reader->current;
    detach_retired(reader);
    if (state(reader) == WAYMARK_OK) {
        bool in_order = waymark_ring_has_ended(&current->ring);
        if (!in_order && !has_ended(current))
            return WAYMARK_OK;
        /* A daemon that ends in order says so before it closes. */
        in_order = waymark_ring_has_ended(&current->ring);
        return fail(reader, in_order ? WAYMARK_ENDED : WAYMARK_DISCONNECTED, 0);
    }
    return reader->pending >= 0 ? receive_offer(reader) : connect_if_due(reader);
}

enum waymark_outcome waymark_reader_update(struct waymark_reader *reader)
{
    enum waymark_outcome result;
    /* Another thread is at it. */
    if (pthread_mutex_trylock(&reader->lock) != 0)
        return state(reader);
    result = update(reader);
    (void)pthread_mutex_unlock(&reader->lock);
    return result;
}

static bool are_finite(const double *values, size_t count)
{
    size_t index;
    for (index = 0; index < count; index++)
        if (!isfinite(values[index]))
            return false;
    return true;
}

/* Whether a pose can be calculated with. */
static bool is_sound(const struct waymark_ring_slot *pose)
{
    const double *q = pose->orientation;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    /* All numbers from `position` to the last of the squares lie side by side. */
    const size_t first = offsetof(struct waymark_ring_slot, position);
    const size_t last = offsetof(struct waymark_ring_slot, fill_too);
    double numbers[(offsetof(struct waymark_ring_slot, fill_too) - offsetof(struct waymark_ring_slot, position)) /
        sizeof(double)];
    size_t index = (offsetof(struct waymark_ring_slot, yaw_acceleration_square) - first) / sizeof(double);
    memcpy(numbers, (const char *)pose + first, last - first);
    /* Roots are taken of the squares. */
    for (; index < sizeof numbers / sizeof *numbers; index++)
        if (numbers[index] < 0)
            return false;
    return are_finite(numbers, sizeof numbers / sizeof *numbers) && isfinite(pose->motion_probability) &&
        square > 0.99 && square < 1.01;
}

/* The result of reading while there is a ring. */
static enum waymark_outcome state_with_ring(const struct waymark_reader *reader, const struct attachment *attachment)
{
    enum waymark_outcome result = state(reader);
    if (waymark_ring_has_ended(&attachment->ring))
        return WAYMARK_ENDED;
    return result == WAYMARK_OK ? WAYMARK_OK : WAYMARK_DISCONNECTED;
}

static enum waymark_outcome read_newest(
    const struct waymark_reader *reader, const struct attachment *attachment, struct waymark_reading *reading)
{
    reading->number = waymark_ring_read_newest(&attachment->ring, &reading->pose);
    if (reading->number == 0) {
        memset(&reading->pose, 0, sizeof reading->pose);
        /* Poses are there, and none can be read: the ring is defective. */
        return waymark_ring_newest(&attachment->ring) == 0 ? WAYMARK_NOT_READY : WAYMARK_INVALID;
    }
    if (!is_sound(&reading->pose)) {
        memset(reading, 0, sizeof *reading);
        return WAYMARK_INVALID;
    }
    reading->daemon_generation = attachment->daemon_generation;
    return state_with_ring(reader, attachment);
}

enum waymark_outcome waymark_reader_newest(struct waymark_reader *reader, struct waymark_reading *reading)
{
    struct attachment *attachment = enter(reader);
    enum waymark_outcome result;
    memset(reading, 0, sizeof *reading);
    result = attachment ? read_newest(reader, attachment, reading) : state(reader);
    leave(attachment);
    return result;
}

static int64_t smaller(int64_t first, int64_t second)
{
    return first < second ? first : second;
}

/* Waits until the next update has something to do. */
static void wait_without_ring(const struct waymark_reader *reader, int64_t left)
{
    const int64_t due = __atomic_load_n(&reader->due, __ATOMIC_RELAXED) - wmk_monotonic();
    struct timespec pause;
    left = smaller(left, due > WMK_MILLISECOND ? due : WMK_MILLISECOND);
    pause.tv_sec = (time_t)(left / 1000000000);
    pause.tv_nsec = (long)(left % 1000000000);
    (void)nanosleep(&pause, NULL);
}

/* Waits at the ring. WAYMARK_OK with a new pose, WAYMARK_NOT_READY if there is none yet, or the daemon's end. */
static enum waymark_outcome wait_with_ring(
    struct waymark_reader *reader, const struct attachment *attachment, struct waymark_reading *known, int64_t left)
{
    struct waymark_reading reading;
    const uint64_t seen = known->daemon_generation == attachment->daemon_generation ? known->number : 0;
    enum waymark_outcome result;
    switch (waymark_ring_wait(
        &attachment->ring, attachment->doorbell, attachment->connection, seen, smaller(left, LOOK))) {
    case WAYMARK_RING_TIMED_OUT:
        return WAYMARK_NOT_READY;
    case WAYMARK_RING_ENDED:
        /* Found again, and reported, by the update that follows. */
        return WAYMARK_NOT_READY;
    default:
        break;
    }
    memset(&reading, 0, sizeof reading);
    result = read_newest(reader, attachment, &reading);
    if (reading.number > 0)
        *known = reading;
    return reading.number > 0 ? WAYMARK_OK : result;
}

enum waymark_outcome waymark_reader_wait(struct waymark_reader *reader, struct waymark_reading *known, int timeout)
{
    const int64_t deadline = timeout < 0 ? INT64_MAX : wmk_monotonic() + timeout * WMK_MILLISECOND;
    enum waymark_outcome before = state(reader);
    for (;;) {
        const enum waymark_outcome now = waymark_reader_update(reader);
        const int64_t left = deadline == INT64_MAX ? INT64_MAX : deadline - wmk_monotonic();
        enum waymark_outcome result;
        /* A path that is too long never becomes another. */
        if ((before == WAYMARK_OK && now != WAYMARK_OK) || now == WAYMARK_INVALID_ARGUMENT)
            return now;
        before = now;
        if (now == WAYMARK_OK) {
            struct attachment *attachment = enter(reader);
            result = wait_with_ring(reader, attachment, known, left > 0 ? left : 0);
            leave(attachment);
            if (result != WAYMARK_NOT_READY)
                return result;
        } else if (left > 0) {
            wait_without_ring(reader, left);
        }
        if (left <= 0)
            return now == WAYMARK_OK ? WAYMARK_TIMED_OUT : now;
    }
}

void waymark_reader_state(struct waymark_reader *reader, struct waymark_reader_state *found)
{
    struct attachment *attachment = enter(reader);
    memset(found, 0, sizeof *found);
    found->result = state(reader);
    if (found->result == WAYMARK_OK && attachment && waymark_ring_has_ended(&attachment->ring))
        found->result = WAYMARK_ENDED;
    found->error_number = __atomic_load_n(&reader->error_number, __ATOMIC_RELAXED);
    found->connections = __atomic_load_n(&reader->connections, __ATOMIC_RELAXED);
    found->daemon_generation = attachment ? attachment->daemon_generation : 0;
    leave(attachment);
}

/* Reads the pose at or before a time, and the two around it where there are such. */
static enum waymark_outcome read_around(
    const struct waymark_ring *ring, int64_t time, struct wmk_neighbours *found, uint64_t *number)
{
    uint64_t newest = waymark_ring_newest(ring);
    *number = waymark_ring_read_at(ring, time, &found->first);
    if (newest == 0)
        return WAYMARK_NOT_READY;
    if (*number == 0)
        return WAYMARK_TOO_EARLY;
    if (!is_sound(&found->first))
        return WAYMARK_INVALID;
    if (found->first.time == time)
        return WAYMARK_OK;
    if (*number >= newest)
        return WAYMARK_TOO_LATE;
    if (!waymark_ring_read(ring, *number + 1, &found->second))
        return WAYMARK_TOO_EARLY;
    if (!is_sound(&found->second) || found->second.time <= time)
        return WAYMARK_INVALID;
    found->has_third = waymark_ring_read(ring, *number + 2, &found->third) && is_sound(&found->third) &&
        found->third.generation == found->second.generation;
    return WAYMARK_OK;
}

enum waymark_outcome waymark_reader_at(struct waymark_reader *reader, int64_t time, struct waymark_reading *reading)
{
    struct attachment *attachment = enter(reader);
    struct wmk_neighbours neighbours;
    enum waymark_outcome result;
    uint64_t number = 0;
    memset(reading, 0, sizeof *reading);
    if (!attachment) {
        leave(attachment);
        return state(reader);
    }
    result = read_around(&attachment->ring, time, &neighbours, &number);
    if (result == WAYMARK_OK)
        result = wmk_interpolate(&neighbours, time, &reading->pose);
    if (result == WAYMARK_OK) {
        reading->number = number;
        reading->daemon_generation = attachment->daemon_generation;
    }
    leave(attachment);
    return result;
}
