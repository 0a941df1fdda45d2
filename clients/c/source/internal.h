/* Parts that the files of the library share; programs see waymark.h alone. */
#ifndef WAYMARK_INTERNAL_H
#define WAYMARK_INTERNAL_H

#include "waymark.h"

/* Clock of all waiting: CLOCK_MONOTONIC. Unit: ns. */
int64_t wmk_monotonic(void);

#define WMK_MILLISECOND INT64_C(1000000)

/* When the next attempt to connect is due. */
struct wmk_backoff {
    unsigned failures;
    /* Of wmk_monotonic; 0: at once. */
    int64_t due;
    uint64_t random;
};

void wmk_backoff_begin(struct wmk_backoff *backoff);
/* Sets `due` after an attempt that failed or a connection that ended. */
void wmk_backoff_fail(struct wmk_backoff *backoff);
/* The other side works: the next attempt after its end is made soon. */
void wmk_backoff_succeed(struct wmk_backoff *backoff);

/* Longest path of a Unix socket, with its zero byte. */
#define WMK_PATH_SIZE 108

/* Where a daemon listens: docs/protocol.md, "Connecting". The environment is read once: another thread may change it. */
struct wmk_place {
    /* The path that was named, or that of the system's daemon. */
    char usual[WMK_PATH_SIZE];
    /* That of a demonstration of this user, and its folder; empty where a path was named. */
    char demonstration[WMK_PATH_SIZE], folder[WMK_PATH_SIZE];
};

/* The daemon's socket, or its pose ring's, at the path that the program gave, or NULL. False: a path is too long. */
bool wmk_socket_place(struct wmk_place *place, const char *path);
bool wmk_ring_place(struct wmk_place *place, const char *path);
/* The path to be tried now. */
const char *wmk_path(const struct wmk_place *place);

/* A connected socket that never waits, of type SOCK_STREAM or SOCK_SEQPACKET; -1 with errno. */
int wmk_connect(const char *path, int type);

/* Result and error number of a system call that failed. */
enum waymark_outcome wmk_outcome_of_errno(int number);

/* Skips one JSON value with white space around it. NULL where the text is no JSON, no UTF-8 or nested too deeply. */
const char *wmk_json_skip(const char *text, const char *end);
bool wmk_json_is_object(const char *text, size_t length);
bool wmk_is_utf8(const char *text, size_t length);

/* A reply without its zero byte, taken apart in place: zero bytes are written behind its parts. */
struct wmk_envelope {
    char *parameters;
    size_t length;
    /* NULL if the reply is no error. */
    char *error;
    bool continues;
};

/* False if the text is no reply. */
bool wmk_envelope_read(char *text, size_t length, struct wmk_envelope *envelope);

/* A Varlink connection that never waits: one call out at a time, replies in. */
struct wmk_stream {
    int socket;
    const char *call;
    size_t call_length, sent;
    char *buffer;
    size_t capacity;
    /* Bytes received; where the message begins that comes next; up to where no zero byte was found. */
    size_t length, begin, searched;
};

void wmk_stream_begin(struct wmk_stream *stream);
/* Connects, for a call with its zero byte that stays where it is. */
enum waymark_outcome wmk_stream_connect(struct wmk_stream *stream, const char *path, const char *call, size_t length);
/* Sends what is left of the call, and takes what has arrived until a whole message is there. WAYMARK_OK with the
 * message, WAYMARK_NOT_READY, or why the connection is useless. The message is valid until the next call. */
enum waymark_outcome wmk_stream_next(struct wmk_stream *stream, char **message, size_t *length);
bool wmk_stream_is_sending(const struct wmk_stream *stream);
/* Sends another call with its zero byte, which stays where it is; only where the one before has been sent. */
void wmk_stream_send(struct wmk_stream *stream, const char *call, size_t length);
/* Waits until the stream can go on, or without a connection until the time of wmk_monotonic; INT64_MAX: without end. */
enum waymark_outcome wmk_stream_await(const struct wmk_stream *stream, int64_t deadline);
void wmk_stream_disconnect(struct wmk_stream *stream);
void wmk_stream_end(struct wmk_stream *stream);

/* A pose, and the one or two after it where they are needed and there. */
struct wmk_neighbours {
    struct waymark_ring_slot first, second, third;
    bool has_third;
};

/* The pose at a time from that of `first` to that of `second`. WAYMARK_OK or WAYMARK_IN_GAP. */
enum waymark_outcome wmk_interpolate(
    const struct wmk_neighbours *neighbours, int64_t time, struct waymark_ring_slot *pose);

/* A call as one message with its zero byte, from malloc; NULL with `result`. */
char *wmk_call_text(
    const char *method, const char *parameters, bool more, size_t *length, enum waymark_outcome *result);

#endif
