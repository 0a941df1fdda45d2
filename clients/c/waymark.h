/*
 * Client library of the Waymark daemon: poses from shared memory, measurements for the daemon's estimator, subscriptions
 * for programs with an event loop of their own, and single calls. Link with -lwaymark, or by
 * `pkg-config --cflags --libs waymark`.
 *
 * C99 and C++11, for Linux with GCC or Clang. Needs nothing but the C library. The library starts no thread, installs no
 * signal handler, never raises SIGPIPE, and writes to no stream.
 *
 * Outcomes: functions that can fail return an enum waymark_outcome; waymark_outcome_text() describes each. Everything
 * from the daemon is checked: lengths, sizes, sealed memory, JSON, and that numbers of poses are finite. What is
 * malformed gives WAYMARK_INVALID, and the connection is made anew.
 *
 * Reconnection: after the end of a connection, the next attempt is made after 0.1 s, then after twice as long each
 * time, up to 5 s, each varied at random by a quarter, so that the clients of a restarted daemon do not return all at
 * once.
 *
 * JSON: messages are JSON texts, which the program reads with the JSON library that it already has. waymark-interface.h
 * has their structures, words and names.
 *
 * Reference: waymark-client(3), waymark-protocol(7), waymark-frames(7).
 */
#ifndef WAYMARK_H
#define WAYMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waymark-interface.h"
#include "waymark-pose-ring.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Longest message that is accepted from the daemon, without its zero byte. Unit: bytes. */
#define WAYMARK_LONGEST_MESSAGE (16 * 1024 * 1024)

/* Deepest nesting of arrays and objects in a message that is accepted. */
#define WAYMARK_DEEPEST_MESSAGE 64

enum waymark_outcome {
    WAYMARK_OK,
    /* No pose has been published yet, or the connection is still being made: try again. */
    WAYMARK_NOT_READY,
    /* The time given for it has passed, or the daemon takes no more connections for the moment. */
    WAYMARK_TIMED_OUT,
    /* No daemon at the socket, or no permission: see the error number. */
    WAYMARK_UNREACHABLE,
    /* The daemon has ended in order. */
    WAYMARK_ENDED,
    /* The connection has ended without notice: the daemon crashed or was killed, or it disconnected this client. */
    WAYMARK_DISCONNECTED,
    /* The daemon offers no pose ring: its setting service.pose_ring is false. */
    WAYMARK_RING_IS_OFF,
    /* The limit of pose-ring clients is reached (service.max_clients, max_clients_per_user). */
    WAYMARK_TOO_MANY_READERS,
    /* The daemon refused for a reason that this version does not know. */
    WAYMARK_REFUSED,
    /* The ring has a layout_version that this version does not know: update this library. */
    WAYMARK_OTHER_LAYOUT,
    /* The ring is of another boot or clock: its times mean nothing here. */
    WAYMARK_OTHER_BOOT,
    /* What was received is malformed: no Waymark daemon, or a defective one. */
    WAYMARK_INVALID,
    /* A message is longer than WAYMARK_LONGEST_MESSAGE. */
    WAYMARK_TOO_LONG,
    /* The time is before the oldest pose of the ring. */
    WAYMARK_TOO_EARLY,
    /* The time is after the newest pose of the ring: predict instead, or try again. */
    WAYMARK_TOO_LATE,
    /* The time is between two poses that are more than 0.1 s apart or belong to different scene frames. */
    WAYMARK_IN_GAP,
    /* The daemon answered with an error: see its name. */
    WAYMARK_CALL_FAILED,
    /* An argument of the function: no method name, no JSON object, or a path that is too long for a socket. */
    WAYMARK_INVALID_ARGUMENT,
    /* Memory or descriptors are exhausted: see the error number. */
    WAYMARK_NO_RESOURCES,
    WAYMARK_OUTCOME_COUNT
};

/* Description of a result in English, never NULL. Any thread. */
const char *waymark_outcome_text(enum waymark_outcome result);

/* Version of this library, such as "0.1.0". Any thread. */
const char *waymark_version(void);

/* The present time of CLOCK_BOOTTIME, the clock of all poses. Unit: ns. Any thread. */
int64_t waymark_now(void);

/* The time of CLOCK_BOOTTIME at a time of CLOCK_MONOTONIC since the computer slept last: V4L2, GStreamer and OpenXR use
 * that clock, which stands still while the computer sleeps. Unit: ns. Any thread. */
int64_t waymark_boottime(int64_t monotonic);

/*
 * Poses from shared memory: see waymark-pose-ring.h for the layout, and for the meaning of the fields of a pose.
 *
 * Threads: all functions on a reader but waymark_reader_free may be called by any number of threads at once.
 * waymark_reader_newest, _at and _state make no system call, take no lock and never wait.
 */
struct waymark_reader;

/* A pose and where it comes from. */
struct waymark_reading {
    /* Number of the run of the daemon: it differs after a restart, when poses, numbers and scene frames begin anew. */
    uint64_t daemon_generation;
    /* Number of the pose in this run, from 1; 0 in a reading that has none. */
    uint64_t number;
    struct waymark_ring_slot pose;
};

struct waymark_reader_state {
    /* WAYMARK_OK while the daemon publishes; WAYMARK_NOT_READY while a connection is being made, else why it is not. */
    enum waymark_outcome result;
    /* Error number of errno.h, or 0. */
    int error_number;
    /* Number of connections that were granted, this one included. */
    uint64_t connections;
    /* That of the present ring, or of the last one; 0 before the first. */
    uint64_t daemon_generation;
};

/* Makes a reader, which is not connected yet. `path` is the socket of the ring: NULL for $WAYMARK_POSE_RING, or where
 * that is empty the ring beside the socket that waymark_call finds. NULL if memory is exhausted. */
struct waymark_reader *waymark_reader_new(const char *path);

/* The path to which the reader connects at present, for messages. Valid as long as the reader. Any thread. */
const char *waymark_reader_path(const struct waymark_reader *reader);

/* Frees a reader, and its connection. No other thread may use the reader any more. */
void waymark_reader_free(struct waymark_reader *reader);

/* Connects where that is due, takes the daemon's answer, and notices the end of the daemon. Returns the state's result.
 * Never waits. A program that does not call waymark_reader_wait calls this often, as before each frame (one system
 * call), or whenever poses become old. */
enum waymark_outcome waymark_reader_update(struct waymark_reader *reader);

/* The newest pose. Where there is none, `reading` has the number 0, and the result says why. After the end of the
 * daemon the result is WAYMARK_ENDED or WAYMARK_DISCONNECTED, and `reading` has the last pose. */
enum waymark_outcome waymark_reader_newest(struct waymark_reader *reader, struct waymark_reading *reading);

/* Waits until there is a pose after `known`, and replaces it with the newest one. Begin with a reading of zeros.
 * Connects and reconnects meanwhile. Negative `timeout` (ms): without end.
 *
 * WAYMARK_OK: `known` is new. Otherwise it is unchanged, and the result is that of the state, or WAYMARK_TIMED_OUT if
 * the daemon runs. The end of the daemon is returned at once, and later calls wait for its successor. A pose wakes 64
 * threads at most that wait with the same reader; others return within 0.1 s of it. */
enum waymark_outcome waymark_reader_wait(
    struct waymark_reader *reader, struct waymark_reading *known, int timeout);

/* The pose at `time` (ns) of CLOCK_BOOTTIME, within the ring: at least the last 63 poses. Position, orientation and
 * velocities are interpolated as the daemon does for GetPose with `time`; all else is that of the pose at or before
 * `time`, and so is `number`. For older poses call org.waymark.Pose.GetPose. */
enum waymark_outcome waymark_reader_at(struct waymark_reader *reader, int64_t time, struct waymark_reading *reading);

/* What the reader does, without any system call. */
void waymark_reader_state(struct waymark_reader *reader, struct waymark_reader_state *state);

/* The pose at the `time` (ns) of CLOCK_BOOTTIME at which it will be displayed, predicted from `pose` over at most 0.1 s
 * by the equations of the daemon. Returns whether `time` is beyond that, and the prediction is that of 0.1 s. A time
 * before the pose gives the pose itself. Any thread; no system call. `predicted` may be `pose`. */
bool waymark_predict(const struct waymark_ring_slot *pose, int64_t time, struct waymark_ring_slot *predicted);

/*
 * Parameters of a call: a flat JSON object, written into a buffer of its own. It is invalid, and waymark_arguments_text
 * NULL, once it became longer than the buffer, a number was not finite, or a text was no UTF-8.
 */
struct waymark_arguments {
    char text[4096];
    size_t length;
    bool is_invalid;
};

void waymark_arguments_begin(struct waymark_arguments *arguments);
void waymark_arguments_number(struct waymark_arguments *arguments, const char *name, double value);
void waymark_arguments_integer(struct waymark_arguments *arguments, const char *name, int64_t value);
void waymark_arguments_boolean(struct waymark_arguments *arguments, const char *name, bool value);
void waymark_arguments_string(struct waymark_arguments *arguments, const char *name, const char *value);
/* `json` is a JSON value, such as the text of other parameters. */
void waymark_arguments_json(struct waymark_arguments *arguments, const char *name, const char *json);
/* The object as a text, valid as long as `arguments` is unchanged. */
const char *waymark_arguments_text(const struct waymark_arguments *arguments);

/*
 * Subscriptions and other calls with `more`, for programs with an event loop: one descriptor to poll, and one function
 * that never waits. After the end of a connection the subscription connects and calls again by itself.
 *
 * Threads: a subscription belongs to one thread at a time.
 */
struct waymark_subscription;

enum waymark_subscription_event {
    /* Nothing is ready: poll the descriptor. */
    WAYMARK_EVENT_NONE,
    /* A reply: `parameters`. */
    WAYMARK_EVENT_REPLY,
    /* A connection was made, and the call is being sent. Replies begin as in a new subscription, as by a snapshot. */
    WAYMARK_EVENT_CONNECTED,
    /* The connection has ended or could not be made: `reason` and `error_number`. The next attempt follows by itself.
     * This is reported once for a series of attempts that fail for the same reason. */
    WAYMARK_EVENT_LOST,
    /* The daemon answered with an error: its name `error` and its `parameters`. The subscription has ended. */
    WAYMARK_EVENT_FAILED,
    /* The last reply: `parameters`. The subscription has ended. */
    WAYMARK_EVENT_LAST_REPLY
};

struct waymark_message {
    enum waymark_subscription_event event;
    /* JSON object, with a zero byte behind it, valid until the next call on the subscription. "{}" if there is none. */
    const char *parameters;
    /* Without the zero byte. */
    size_t length;
    /* Such as WAYMARK_POSE_ERROR_NOT_READY; NULL if the event is not WAYMARK_EVENT_FAILED. */
    const char *error;
    enum waymark_outcome reason;
    int error_number;
    /* Number of connections so far. */
    uint64_t connections;
};

/* Makes a subscription, which connects at the first waymark_subscription_next. `path` is the daemon's socket: NULL for
 * $WAYMARK_SOCKET, or where that is empty the system's, or else that of `waymarkd --demo` of this user. `parameters` is a JSON object, or NULL for none.
 * On failure `subscription` is NULL. */
enum waymark_outcome waymark_subscription_new(
    const char *path, const char *method, const char *parameters, struct waymark_subscription **subscription);

void waymark_subscription_free(struct waymark_subscription *subscription);

/* The descriptor to poll for POLLIN, the same as long as the subscription lives. It is readable when
 * waymark_subscription_next has something to do, which includes the next attempt to connect. */
int waymark_subscription_descriptor(const struct waymark_subscription *subscription);

/* The next event; call it until it gives WAYMARK_EVENT_NONE, and then poll. Never waits. After the last event of a
 * subscription that has ended it is WAYMARK_EVENT_NONE for ever. */
enum waymark_subscription_event waymark_subscription_next(
    struct waymark_subscription *subscription, struct waymark_message *message);

/* A reply to a single call; free it with waymark_reply_free, whatever the result. */
struct waymark_reply {
    /* JSON object, with a zero byte behind it; NULL if there is no reply. */
    const char *parameters;
    size_t length;
    /* Name of the error with WAYMARK_CALL_FAILED, else NULL. */
    const char *error;
    int error_number;
    /* Memory of the texts. */
    char *memory;
};

/* Calls a method on a connection of its own and waits for the reply, at most `timeout` ms in all; negative: without
 * end. WAYMARK_OK, or WAYMARK_CALL_FAILED with the name of the daemon's error, or why there is no reply. `path` and
 * `parameters` are those of waymark_subscription_new. Any thread. */
enum waymark_outcome waymark_call(
    const char *path, const char *method, const char *parameters, int timeout, struct waymark_reply *reply);

void waymark_reply_free(struct waymark_reply *reply);

/*
 * Aids: measurements of this program, such as a camera's odometry, that correct the daemon's estimate. Axes, accuracies
 * and what becomes of the measurements: docs/aiding.md; limits and errors: org.waymark.Aid in waymark-protocol(7).
 * Offering needs membership in the group waymark-aid.
 *
 * Offers never wait and allocate nothing: each is sent at once, and the replies to earlier ones are taken. After the end
 * of a connection, the offers connect and open the source again, as the pauses of reconnection allow; those made
 * meanwhile are dropped.
 *
 * Threads: an aid belongs to one thread at a time.
 */
struct waymark_aid;

/* What is opened. Begin with zeros. */
struct waymark_aid_description {
    /* Name of the source: 1 to 16 of the characters a-z, 0-9, hyphen, underscore and dot, the first a letter. */
    const char *source;
    /* Kinds of measurement that are offered, at least one: bits 1 << WAYMARK_AID_KIND_... */
    uint64_t kinds;
    /* Zeros: axes and position of the sensor are those of the board. */
    struct waymark_aid_mount mount;
    /* Time by which the stamps are late, 0 to 1; it is subtracted from each. Unit: s. */
    double latency;
};

struct waymark_aid_state {
    /* WAYMARK_OK while the source is open; WAYMARK_NOT_READY while it is being opened; WAYMARK_CALL_FAILED if the daemon
     * refuses to open it, for good; else why there is no connection. */
    enum waymark_outcome result;
    /* Error number of errno.h, or 0. */
    int error_number;
    /* Number of connections so far. */
    uint64_t connections;
    /* Numbers of offers that the daemon has accepted, that it has refused, and whose reply is still to come. */
    uint64_t accepted, refused, unanswered;
    /* Name of the last refusal, of an offer or of the source, such as WAYMARK_AID_ERROR_TOO_OLD; empty if none. */
    char error[256];
};

/* Makes an aid, which connects at the first offer or wait. `path` is that of waymark_subscription_new. WAYMARK_OK,
 * WAYMARK_INVALID_ARGUMENT or WAYMARK_NO_RESOURCES, with which `aid` is NULL. */
enum waymark_outcome waymark_aid_new(
    const char *path, const struct waymark_aid_description *description, struct waymark_aid **aid);

/* Closes the source. Offers that are unanswered may be lost: wait for them first. */
void waymark_aid_free(struct waymark_aid *aid);

/* Waits until the source is open and no offer is unanswered, at most `timeout` ms; negative: without end. Connects
 * meanwhile. WAYMARK_OK, WAYMARK_CALL_FAILED if the daemon refuses to open the source, else why it is not open, or
 * WAYMARK_TIMED_OUT. Of use before the first offer, for offers that are rare, and before the end. */
enum waymark_outcome waymark_aid_wait(struct waymark_aid *aid, int timeout);

/* State and counts by the replies that were taken, without any system call. */
void waymark_aid_state(const struct waymark_aid *aid, struct waymark_aid_state *state);

/*
 * Offers. `time` is the moment of the measurement by CLOCK_BOOTTIME (ns), of a camera the middle of the exposure: see
 * waymark_now and waymark_boottime.
 *
 * WAYMARK_OK: the offer is on its way; whether the daemon accepts it is counted in the state by a later call. Otherwise
 * it was dropped: WAYMARK_NOT_READY while the source is being opened, WAYMARK_TIMED_OUT while the daemon reads nothing,
 * WAYMARK_INVALID_ARGUMENT for a number that is not finite, else the result of the state.
 */

/* The pose of the sensor in an upright frame of its own, y up. `position` x, y, z (m); `orientation` x, y, z, w, from the
 * sensor's axes into that frame; another number `reset` whenever the frame has changed; `tracking` from 0 (lost) to 1
 * (normal). */
enum waymark_outcome waymark_aid_offer_odometry(
    struct waymark_aid *aid, int64_t time, const double position[3], const double orientation[4], uint32_t reset,
    double tracking);

/* The position of the board. `horizontal_accuracy` is the radius of 68 %, `vertical_accuracy` one standard deviation, 0
 * for twice the horizontal one (m). */
enum waymark_outcome waymark_aid_offer_position(
    struct waymark_aid *aid, int64_t time, const struct waymark_location *position, double horizontal_accuracy,
    double vertical_accuracy);

/* The direction in which a point is seen, or with NULL the sun: `direction` x, y, z from the sensor, in its axes, of
 * length 1; `accuracy` one standard deviation per axis (degrees). */
enum waymark_outcome waymark_aid_offer_sighting(
    struct waymark_aid *aid, int64_t time, const double direction[3], const struct waymark_location *point,
    double accuracy);

/* The distance of the board from a known point, with one standard deviation (m). */
enum waymark_outcome waymark_aid_offer_range(
    struct waymark_aid *aid, int64_t time, const struct waymark_geo *beacon, double range, double accuracy);

/* The azimuth of the body's -z over ground, clockwise from true north, with one standard deviation (degrees). */
enum waymark_outcome waymark_aid_offer_heading(struct waymark_aid *aid, int64_t time, double heading, double accuracy);

/* The height of the board above the ellipsoid, with one standard deviation (m). */
enum waymark_outcome waymark_aid_offer_height(struct waymark_aid *aid, int64_t time, double height, double accuracy);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
