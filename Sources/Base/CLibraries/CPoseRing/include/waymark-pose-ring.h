/*
 * The pose ring: the newest poses of the Waymark daemon in memory that it shares with render threads.
 *
 * A client connects to /run/waymark/pose-ring.sock (SOCK_SEQPACKET). The daemon answers with one packet, a struct
 * waymark_ring_offer. If its answer is WAYMARK_RING_GRANTED, two descriptors come with it: first the ring, which can
 * only be mapped for reading, and then the client's own doorbell, a struct waymark_ring_doorbell that the client may
 * write. The connection stays open; when it ends, so does the ring. Nothing else is ever sent in either direction, and
 * the daemon closes the connection of a client that sends anything.
 *
 * All numbers are in the byte order of the computer. A newer daemon may append fields to the header and to slots, so
 * step by header_size and slot_size, not by the sizes here. Do not read a ring with another layout_version, because its
 * layout differs.
 *
 * C99 and C++11 with the atomic built-ins of GCC and Clang, for 64-bit processors; link with -lm.
 */
#ifndef WAYMARK_POSE_RING_H
#define WAYMARK_POSE_RING_H

#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* unistd.h declares syscall only together with extensions of POSIX, which -std=c99 disables. */
#if !defined(__cplusplus) && !defined(_DEFAULT_SOURCE)
long syscall(long number, ...);
#endif

#define WAYMARK_RING_MAGIC "WAYMRING"
#define WAYMARK_RING_LAYOUT 1u
#define WAYMARK_RING_SLOTS 64u

/* Maximum number of waiting threads of one client that a pose wakes. If more threads wait, the next poses wake the
 * others, each pose up to this number. Every thread also checks by itself within 0.1 s. */
#define WAYMARK_RING_WAKES 64

/* Longest prediction. Unit: ns. */
#define WAYMARK_RING_PREDICTION_LIMIT 100000000

/* The daemon's answer to a connection. */
enum waymark_ring_answer {
    WAYMARK_RING_GRANTED,
    /* The number of clients, in total or of this user, has reached the limit in the settings. */
    WAYMARK_RING_TOO_MANY_CLIENTS,
    /* The daemon has no ring: service.pose_ring is false, or the system refused the memory. */
    WAYMARK_RING_OFF
};

struct waymark_ring_offer {
    /* WAYMARK_RING_MAGIC, without its final zero. */
    char magic[8];
    uint32_t layout_version;
    /* One of enum waymark_ring_answer. Any other value comes from a newer daemon and is a refusal. */
    uint32_t answer;
};

/* Page at which the threads of one client wait. Whatever else the client writes there affects only the client
 * itself. */
struct waymark_ring_doorbell {
    /* Set to 1 by a thread that is about to wait; cleared by the daemon before it wakes threads. */
    uint32_t waiting;
    /* Futex that processes share (not private). The daemon changes it each time before it wakes threads. */
    uint32_t futex;
};

struct waymark_ring_header {
    /* WAYMARK_RING_MAGIC, without its final zero. */
    char magic[8];
    uint32_t layout_version;
    /* Offset of the first slot. Unit: bytes. */
    uint32_t header_size;
    uint32_t slot_count;
    /* Distance from the start of one slot to the start of the next. Unit: bytes. */
    uint32_t slot_size;
    /* Clock of all times: 7, CLOCK_BOOTTIME. */
    int32_t clock;
    uint32_t reserved;
    /* The 16 bytes of /proc/sys/kernel/random/boot_id. Times from another boot are meaningless. */
    uint8_t boot_id[16];
    /* Differs with each start of the daemon. */
    uint64_t daemon_generation;
    uint64_t reserved_too;

    /* Number of the newest pose, in its own cache line; poses are counted from the daemon's start, but written only
     * while a client is connected. Slot of pose n: (n - 1) % slot_count. */
    uint64_t newest;
    uint8_t fill[56];

    /* A cache line of its own. */
    uint32_t reserved_last;
    /* 1 once the daemon has ended normally. */
    uint32_t ended;
    uint8_t fill_too[120];
};

/* Bits for the fields of a slot that are known. All other fields are zero. */
enum waymark_ring_field {
    WAYMARK_RING_HAS_UTC = 1 << 0,
    WAYMARK_RING_HAS_GEO = 1 << 1,
    WAYMARK_RING_HAS_HEADING = 1 << 2,
    WAYMARK_RING_HAS_COURSE = 1 << 3,
    WAYMARK_RING_HAS_SPEED = 1 << 4,
    WAYMARK_RING_HAS_MOTION = 1 << 5,
    WAYMARK_RING_HAS_HORIZONTAL_ACCURACY = 1 << 6,
    WAYMARK_RING_HAS_VERTICAL_ACCURACY = 1 << 7,
    WAYMARK_RING_HAS_YAW_ACCURACY = 1 << 8,
    WAYMARK_RING_HAS_HORIZONTAL_VELOCITY_ACCURACY = 1 << 9,
    WAYMARK_RING_HAS_VERTICAL_VELOCITY_ACCURACY = 1 << 10,
    WAYMARK_RING_HAS_ANGULAR_VELOCITY_ACCURACY = 1 << 11,
    /* The map: the published alignment of the scene with the earth. */
    WAYMARK_RING_HAS_MAP = 1 << 12
};

/* One pose. Frames and units are those of org.waymark.Pose (waymark-frames(7)); directions are in degrees. */
struct waymark_ring_slot {
    /* 2n if the slot contains the complete pose n; odd while a pose is being written. */
    uint64_t version;
    /* As `sequence` of org.waymark.Pose. */
    uint64_t sequence;
    /* CLOCK_BOOTTIME. Unit: ns. */
    int64_t time;
    /* UTC since 1970. Unit: ns. */
    int64_t utc;
    uint32_t fields;
    /* Number of the scene frame. */
    uint32_t generation;
    /* Values of enum waymark_localization_state, waymark_quality (twice), waymark_heading_reference,
     * waymark_motion_mode. */
    uint8_t state;
    uint8_t orientation_tracking;
    uint8_t position_tracking;
    uint8_t heading_reference;
    uint8_t motion_mode;
    uint8_t fill[3];
    double motion_probability;
    /* Sets of enum waymark_reason and of enum waymark_source. Bit i stands for value i. */
    uint64_t reasons;
    uint64_t sources;
    double position[3];
    /* x, y, z, w. */
    double orientation[4];
    double linear_velocity[3];
    double angular_velocity[3];
    /* For predictions: the angular velocity and its derivative in the body, from the line that the daemon fits to the
     * last samples; the mean acceleration in the scene. Units: rad/s, rad/s^2, m/s^2. */
    double turning_rate[3];
    double turning_acceleration[3];
    double acceleration[3];
    double latitude, longitude, height;
    double heading, course, speed;
    double horizontal_accuracy, vertical_accuracy, yaw_accuracy;
    double horizontal_velocity_accuracy, vertical_velocity_accuracy, angular_velocity_accuracy;
    /* Origin of the map's ENU frame, and the published alignment, with the same values as in frame messages. */
    double map_latitude, map_longitude, map_height;
    double map_yaw, map_east, map_north, map_up;
    /* For the accuracy of predictions: recent mean squares of the angular acceleration and of its derivative in the
     * scene, first about the vertical, then summed over all axes. Units: (rad/s^2)^2, (rad/s^3)^2. */
    double yaw_acceleration_square, yaw_jerk_square, turning_acceleration_square, turning_jerk_square;
    /* Recent mean squares of the acceleration and of its derivative, first summed over both horizontal axes, then
     * vertical. Units: (m/s^2)^2, (m/s^3)^2. */
    double horizontal_acceleration_square, horizontal_jerk_square, vertical_acceleration_square, vertical_jerk_square;
    /* Fills the slot up to 512 bytes. */
    uint8_t fill_too[48];
};

/* A mapped ring. Its header has been checked once, so that no later read leaves the mapping. */
struct waymark_ring {
    const struct waymark_ring_header *header;
    const uint8_t *slots;
    uint32_t slot_count;
    uint32_t slot_size;
};

enum waymark_ring_problem {
    WAYMARK_RING_READABLE,
    /* There is no ring, or its sizes do not fit into the mapping. */
    WAYMARK_RING_MALFORMED,
    /* The ring has another layout_version, which this header does not describe. */
    WAYMARK_RING_OTHER_LAYOUT
};

/* Checks a mapping of `size` bytes and fills in `ring`. A caller that stores times has to compare boot_id. */
static inline enum waymark_ring_problem waymark_ring_open(struct waymark_ring *ring, const void *mapping, size_t size)
{
    const struct waymark_ring_header *header = (const struct waymark_ring_header *)mapping;
    uint64_t header_size, slot_size, slot_count;
    if (size < sizeof *header || memcmp(header->magic, WAYMARK_RING_MAGIC, sizeof header->magic) != 0)
        return WAYMARK_RING_MALFORMED;
    if (header->layout_version != WAYMARK_RING_LAYOUT)
        return WAYMARK_RING_OTHER_LAYOUT;
    header_size = header->header_size;
    slot_size = header->slot_size;
    slot_count = header->slot_count;
    if (header_size < sizeof *header || header_size % 8 != 0 || header_size > size || slot_count == 0)
        return WAYMARK_RING_MALFORMED;
    if (slot_size < sizeof(struct waymark_ring_slot) || slot_size % 8 != 0 ||
        slot_count > (size - header_size) / slot_size)
        return WAYMARK_RING_MALFORMED;
    ring->header = header;
    ring->slots = (const uint8_t *)mapping + header_size;
    ring->slot_count = (uint32_t)slot_count;
    ring->slot_size = (uint32_t)slot_size;
    return WAYMARK_RING_READABLE;
}

/* Number of the newest pose; 0 before the first. */
static inline uint64_t waymark_ring_newest(const struct waymark_ring *ring)
{
    return __atomic_load_n(&ring->header->newest, __ATOMIC_ACQUIRE);
}

/* Whether the daemon has ended normally. If it was killed, only the end of the connection shows that. */
static inline bool waymark_ring_has_ended(const struct waymark_ring *ring)
{
    return __atomic_load_n(&ring->header->ended, __ATOMIC_ACQUIRE) != 0;
}

/* Copies the complete pose `number`. Returns false if the ring does not contain it yet, or no longer. */
static inline bool waymark_ring_read(const struct waymark_ring *ring, uint64_t number, struct waymark_ring_slot *pose)
{
    uint64_t words[sizeof *pose / sizeof(uint64_t)];
    const uint64_t *slot;
    size_t word;
    if (number == 0)
        return false;
    slot = (const uint64_t *)(const void *)(ring->slots + (number - 1) % ring->slot_count * ring->slot_size);
    if (__atomic_load_n(slot, __ATOMIC_ACQUIRE) != 2 * number)
        return false;
    words[0] = 2 * number;
    for (word = 1; word < sizeof words / sizeof *words; word++)
        words[word] = __atomic_load_n(slot + word, __ATOMIC_RELAXED);
    /* The words are read before the version is read again. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(slot, __ATOMIC_RELAXED) != 2 * number)
        return false;
    memcpy(pose, words, sizeof *pose);
    return true;
}

/* Copies the newest pose and returns its number; 0 before the first pose. Makes no system call and does not wait. It
 * retries only if the daemon wrote a whole round of slots while it copied one. */
static inline uint64_t waymark_ring_read_newest(const struct waymark_ring *ring, struct waymark_ring_slot *pose)
{
    int attempt;
    for (attempt = 0; attempt < 1000; attempt++) {
        uint64_t number = waymark_ring_newest(ring);
        if (number == 0)
            return 0;
        if (waymark_ring_read(ring, number, pose))
            return number;
    }
    return 0;
}

/* Copies the last pose at or before `time` and returns its number; 0 if all poses in the ring are later. */
static inline uint64_t waymark_ring_read_at(
    const struct waymark_ring *ring, int64_t time, struct waymark_ring_slot *pose)
{
    uint64_t newest = waymark_ring_newest(ring);
    uint64_t number = newest;
    for (; number > 0 && newest - number < ring->slot_count; number--)
        if (waymark_ring_read(ring, number, pose) && pose->time <= time)
            return number;
    return 0;
}

/* Predicts `pose` to `time` on CLOCK_BOOTTIME, with the daemon's own equations. Position, orientation, velocities,
 * acceleration, their accuracies, `time` and `utc` are predicted; all else is copied from `pose`. Returns whether
 * `time` is beyond the limit; the prediction is then for the limit. For a time before the pose, the result is the pose
 * itself. Makes no system call. */
static inline bool waymark_ring_predict(
    const struct waymark_ring_slot *pose, int64_t time, struct waymark_ring_slot *result)
{
    const double limit = WAYMARK_RING_PREDICTION_LIMIT * 1e-9;
    /* Duration of the past samples to which the daemon fits its line. Unit: s. */
    const double window = 0.010;
    /* Radii that contain 68 % of a Gaussian in two and in three dimensions, in standard deviations of one axis. */
    const double radius68 = 1.51, sphere68 = 1.87;
    struct waymark_ring_slot from = *pose;
    int64_t ahead;
    bool is_clamped;
    double span, share, fading, age, turn[3], square, factor, cosine, q[4], scale;
    double yaw, sphere, across, rise, way, rate;
    const double *p = from.orientation;
    int axis;
    *result = from;
    if (time <= from.time)
        return false;
    if (__builtin_sub_overflow(time, from.time, &ahead))
        ahead = INT64_MAX;
    is_clamped = ahead > WAYMARK_RING_PREDICTION_LIMIT;
    if (is_clamped)
        ahead = WAYMARK_RING_PREDICTION_LIMIT;
    span = (double)ahead * 1e-9;
    share = 1 - span / limit;
    result->time = from.time + ahead;
    if ((from.fields & WAYMARK_RING_HAS_UTC) && __builtin_add_overflow(from.utc, ahead, &result->utc)) {
        /* This cannot be a valid UTC, so it counts as unknown. */
        result->fields &= ~(uint32_t)WAYMARK_RING_HAS_UTC;
        result->utc = 0;
    }

    for (axis = 0; axis < 3; axis++) {
        double push = from.acceleration[axis] * share;
        turn[axis] = (from.turning_rate[axis] + from.turning_acceleration[axis] * (0.5 * share * span)) * span;
        result->angular_velocity[axis] = from.turning_rate[axis] + from.turning_acceleration[axis] * (share * span);
        result->position[axis] = from.position[axis] + (from.linear_velocity[axis] + push * (0.5 * span)) * span;
        result->linear_velocity[axis] = from.linear_velocity[axis] + push * span;
        result->acceleration[axis] = push;
    }
    square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    /* Below 1e-4 rad the series is exact, but the quotient is not. */
    factor = square > 1e-8 ? sin(sqrt(square) / 2) / sqrt(square) : 0.5 - square / 48;
    cosine = square > 1e-8 ? cos(sqrt(square) / 2) : 1 - square / 8;
    q[0] = p[3] * factor * turn[0] + p[0] * cosine + p[1] * factor * turn[2] - p[2] * factor * turn[1];
    q[1] = p[3] * factor * turn[1] - p[0] * factor * turn[2] + p[1] * cosine + p[2] * factor * turn[0];
    q[2] = p[3] * factor * turn[2] + p[0] * factor * turn[1] - p[1] * factor * turn[0] + p[2] * cosine;
    q[3] = p[3] * cosine - p[0] * factor * turn[0] - p[1] * factor * turn[1] - p[2] * factor * turn[2];
    scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (axis = 0; axis < 4; axis++)
        result->orientation[axis] = q[axis] * scale;

    fading = span / limit;
    age = share * (span / 3 + window / 2);
    fading *= fading;
    age *= age;
    yaw = sqrt(from.yaw_acceleration_square * fading + from.yaw_jerk_square * age);
    sphere = sphere68 * sqrt((from.turning_acceleration_square * fading + from.turning_jerk_square * age) / 3);
    across = radius68 * sqrt((from.horizontal_acceleration_square * fading + from.horizontal_jerk_square * age) / 2);
    rise = sqrt(from.vertical_acceleration_square * fading + from.vertical_jerk_square * age);
    way = 0.5 * span * span;
    /* Extrapolating a line through few rates amplifies their noise. */
    rate = (1 + share * span / window) * from.angular_velocity_accuracy / sphere68;
    if (from.fields & WAYMARK_RING_HAS_YAW_ACCURACY) {
        double degrees = 57.295779513082320876798154814105;
        result->yaw_accuracy = sqrt(
            from.yaw_accuracy * from.yaw_accuracy +
            degrees * degrees * (yaw * way * yaw * way + rate * span * rate * span));
        if (result->yaw_accuracy > 180)
            result->yaw_accuracy = 180;
    }
    if (from.fields & WAYMARK_RING_HAS_HORIZONTAL_ACCURACY)
        result->horizontal_accuracy = sqrt(
            from.horizontal_accuracy * from.horizontal_accuracy + across * way * across * way +
            from.horizontal_velocity_accuracy * span * from.horizontal_velocity_accuracy * span);
    if (from.fields & WAYMARK_RING_HAS_VERTICAL_ACCURACY)
        result->vertical_accuracy = sqrt(
            from.vertical_accuracy * from.vertical_accuracy + rise * way * rise * way +
            from.vertical_velocity_accuracy * span * from.vertical_velocity_accuracy * span);
    if (from.fields & WAYMARK_RING_HAS_HORIZONTAL_VELOCITY_ACCURACY)
        result->horizontal_velocity_accuracy = sqrt(
            from.horizontal_velocity_accuracy * from.horizontal_velocity_accuracy + across * span * across * span);
    if (from.fields & WAYMARK_RING_HAS_VERTICAL_VELOCITY_ACCURACY)
        result->vertical_velocity_accuracy = sqrt(
            from.vertical_velocity_accuracy * from.vertical_velocity_accuracy + rise * span * rise * span);
    if (from.fields & WAYMARK_RING_HAS_ANGULAR_VELOCITY_ACCURACY)
        result->angular_velocity_accuracy = sqrt(
            from.angular_velocity_accuracy * from.angular_velocity_accuracy + sphere * span * sphere * span);
    return is_clamped;
}

enum waymark_ring_wait_result {
    /* There is a pose after the known one. */
    WAYMARK_RING_NEWER,
    WAYMARK_RING_TIMED_OUT,
    /* The daemon has ended or has closed the connection. Connect again. */
    WAYMARK_RING_ENDED
};

/* Sets the doorbell for a thread that is about to wait. Returns the value that the futex had before, which
 * waymark_ring_sleep needs. Between the two calls, the thread checks whether there is already a pose or the daemon has
 * ended. */
static inline uint32_t waymark_ring_set_doorbell(struct waymark_ring_doorbell *doorbell)
{
    uint32_t before = __atomic_load_n(&doorbell->futex, __ATOMIC_ACQUIRE);
    __atomic_store_n(&doorbell->waiting, 1, __ATOMIC_RELAXED);
    /* The doorbell is set before the thread looks for a pose: see waymark_ring_wait. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return before;
}

/* The kernel's timespec, which time.h does not declare with -std=c99. */
struct waymark_ring_time {
    long seconds, nanoseconds;
};

/* Time of CLOCK_MONOTONIC. Unit: ns. */
static inline int64_t waymark_ring_clock(void)
{
    struct waymark_ring_time now = {0, 0};
    (void)syscall(SYS_clock_gettime, 1, &now);
    return (int64_t)now.seconds * 1000000000 + now.nanoseconds;
}

/* Sleeps until the daemon wakes the thread or a signal arrives; does not sleep if the value of the futex is no longer
 * `before`. Returns false if `span` (ns) elapses first. */
static inline bool waymark_ring_sleep(struct waymark_ring_doorbell *doorbell, uint32_t before, int64_t span)
{
    struct waymark_ring_time pause;
    pause.seconds = (long)(span / 1000000000);
    pause.nanoseconds = (long)(span % 1000000000);
    return syscall(SYS_futex, &doorbell->futex, FUTEX_WAIT, before, &pause, NULL, 0) == 0 || errno != ETIMEDOUT;
}

/* Waits until the ring has a pose after number `known`. Several threads of a client may wait at the same doorbell.
 *
 * No wake-up is lost. The thread (1) reads the futex, (2) sets the doorbell, (3) looks for the pose, and (4) sleeps if
 * the futex is still as in (1). The daemon (a) writes the pose, (b) looks at the doorbell, and if it is set, (c) clears
 * it, (d) changes the futex, and (e) wakes threads. When it ends, it does the same as for a pose.
 *
 * - Full fences stand between (2) and (3) and between (a) and (b), so the thread sees the pose, or the daemon sees that
 *   the doorbell was set.
 * - Only (c) of an earlier pose can have cleared the doorbell by then, and (d) follows each (c), by release and
 *   acquire. A thread that has read the futex after (d) also sees that pose, and sets the doorbell after (c). A thread
 *   that has read the futex before (d) does not fall asleep, or is woken by (e), and sets the doorbell again before it
 *   sleeps again. This holds for any number of threads at one doorbell.
 * - (e) wakes at most WAYMARK_RING_WAKES threads. If it wakes that many, the daemon sets the doorbell again itself, so
 *   that the next poses wake the others. If there is no next pose, they check when their sleep is over.
 *
 * A daemon that was killed wakes no thread, so `connection`, the client's socket, is checked ten times a second. With a
 * negative `timeout` (ns), there is no limit. */
static inline enum waymark_ring_wait_result waymark_ring_wait(
    const struct waymark_ring *ring, struct waymark_ring_doorbell *doorbell, int connection, uint64_t known,
    int64_t timeout)
{
    const int64_t look = 100000000;
    int64_t now = waymark_ring_clock(), end;
    if (timeout < 0 || __builtin_add_overflow(now, timeout, &end))
        end = INT64_MAX;
    for (;;) {
        char byte;
        ssize_t received;
        uint32_t before = waymark_ring_set_doorbell(doorbell);
        if (waymark_ring_newest(ring) > known)
            return WAYMARK_RING_NEWER;
        if (waymark_ring_has_ended(ring))
            return WAYMARK_RING_ENDED;
        received = recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR))
            return WAYMARK_RING_ENDED;
        if (end <= now)
            return WAYMARK_RING_TIMED_OUT;
        (void)waymark_ring_sleep(doorbell, before, end - now < look ? end - now : look);
        now = waymark_ring_clock();
    }
}
#endif
