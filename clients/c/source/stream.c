/* One Varlink connection that never waits: one call out at a time, replies in. */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of the buffer at first. Unit: bytes. */
#define FIRST_CAPACITY 4096

void wmk_stream_begin(struct wmk_stream *stream)
{
    memset(stream, 0, sizeof *stream);
    stream->socket = -1;
}

enum waymark_outcome wmk_stream_connect(struct wmk_stream *stream, const char *path, const char *call, size_t length)
{
    wmk_stream_disconnect(stream);
    stream->call = call;
    stream->call_length = length;
    stream->socket = wmk_connect(path, SOCK_STREAM);
    return stream->socket < 0 ? wmk_outcome_of_errno(errno) : WAYMARK_OK;
}

bool wmk_stream_is_sending(const struct wmk_stream *stream)
{
    return stream->socket >= 0 && stream->sent < stream->call_length;
}

void wmk_stream_send(struct wmk_stream *stream, const char *call, size_t length)
{
    stream->call = call;
    stream->call_length = length;
    stream->sent = 0;
}

/* Whatever the daemon has already sent is read even where it takes no more, so errors wait until there is none. */
static void send_call(struct wmk_stream *stream)
{
    while (wmk_stream_is_sending(stream)) {
        ssize_t sent =
            send(stream->socket, stream->call + stream->sent, stream->call_length - stream->sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        stream->sent += (size_t)sent;
    }
}

/* Room for more bytes; only what belongs to the message that is incomplete is kept. */
static enum waymark_outcome make_room(struct wmk_stream *stream)
{
    size_t capacity = stream->capacity ? stream->capacity * 2 : FIRST_CAPACITY;
    char *buffer;
    if (stream->begin > 0) {
        memmove(stream->buffer, stream->buffer + stream->begin, stream->length - stream->begin);
        stream->length -= stream->begin;
        stream->searched -= stream->begin;
        stream->begin = 0;
    }
    if (stream->length > WAYMARK_LONGEST_MESSAGE)
        return WAYMARK_TOO_LONG;
    if (stream->length < stream->capacity)
        return WAYMARK_OK;
    if (capacity > WAYMARK_LONGEST_MESSAGE + 1)
        capacity = WAYMARK_LONGEST_MESSAGE + 1;
    buffer = realloc(stream->buffer, capacity);
    if (!buffer)
        return WAYMARK_NO_RESOURCES;
    stream->buffer = buffer;
    stream->capacity = capacity;
    return WAYMARK_OK;
}

static enum waymark_outcome receive(struct wmk_stream *stream)
{
    enum waymark_outcome result = make_room(stream);
    ssize_t received;
    if (result != WAYMARK_OK)
        return result;
    do
        received = recv(stream->socket, stream->buffer + stream->length, stream->capacity - stream->length, 0);
    while (received < 0 && errno == EINTR);
    if (received > 0) {
        stream->length += (size_t)received;
        return WAYMARK_OK;
    }
    if (received < 0 && errno == EAGAIN)
        return WAYMARK_NOT_READY;
    return WAYMARK_DISCONNECTED;
}

enum waymark_outcome wmk_stream_next(struct wmk_stream *stream, char **message, size_t *length)
{
    if (stream->socket < 0)
        return WAYMARK_DISCONNECTED;
    send_call(stream);
    for (;;) {
        char *found = NULL;
        enum waymark_outcome result;
        if (stream->length > stream->searched)
            found = memchr(stream->buffer + stream->searched, 0, stream->length - stream->searched);
        if (found) {
            *message = stream->buffer + stream->begin;
            *length = (size_t)(found - *message);
            stream->begin = stream->searched = (size_t)(found - stream->buffer) + 1;
            return WAYMARK_OK;
        }
        stream->searched = stream->length;
        result = receive(stream);
        if (result != WAYMARK_OK)
            return result;
    }
}

enum waymark_outcome wmk_stream_await(const struct wmk_stream *stream, int64_t deadline)
{
    struct pollfd descriptor = {.fd = stream->socket, .events = POLLIN};
    int64_t left = deadline - wmk_monotonic();
    int pause = -1;
    if (wmk_stream_is_sending(stream))
        descriptor.events |= POLLOUT;
    if (deadline != INT64_MAX) {
        if (left <= 0)
            return WAYMARK_TIMED_OUT;
        /* Rounded up, so that the end is not awaited in rounds of no time. */
        pause = (int)((left + WMK_MILLISECOND - 1) / WMK_MILLISECOND);
    }
    return poll(&descriptor, 1, pause) < 0 && errno != EINTR ? WAYMARK_NO_RESOURCES : WAYMARK_OK;
}

void wmk_stream_disconnect(struct wmk_stream *stream)
{
    if (stream->socket >= 0)
        (void)close(stream->socket);
    stream->socket = -1;
    stream->sent = stream->length = stream->begin = stream->searched = 0;
}

void wmk_stream_end(struct wmk_stream *stream)
{
    wmk_stream_disconnect(stream);
    free(stream->buffer);
    stream->buffer = NULL;
    stream->capacity = 0;
}

static bool is_method(const char *method)
{
    const char *byte;
    for (byte = method; *byte; byte++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *byte))
            return false;
    return byte > method;
}

char *wmk_call_text(const char *method, const char *parameters, bool more, size_t *length, enum waymark_outcome *result)
{
    static const char begin[] = "{\"method\":\"", between[] = "\",\"parameters\":", end[] = "}";
    static const char flag[] = ",\"more\":true";
    size_t method_length, parameters_length;
    char *text, *byte;
    if (!parameters)
        parameters = "{}";
    *result = WAYMARK_INVALID_ARGUMENT;
    if (!method || !is_method(method) || !wmk_json_is_object(parameters, strlen(parameters)))
        return NULL;
    *result = WAYMARK_NO_RESOURCES;
    method_length = strlen(method);
    parameters_length = strlen(parameters);
    text = malloc(sizeof begin + method_length + sizeof between + parameters_length + sizeof flag + sizeof end);
    if (!text)
        return NULL;
    byte = text;
    memcpy(byte, begin, sizeof begin - 1);
    byte += sizeof begin - 1;
    memcpy(byte, method, method_length);
    byte += method_length;
    memcpy(byte, between, sizeof between - 1);
    byte += sizeof between - 1;
    memcpy(byte, parameters, parameters_length);
    byte += parameters_length;
    if (more) {
        memcpy(byte, flag, sizeof flag - 1);
        byte += sizeof flag - 1;
    }
    memcpy(byte, end, sizeof end);
    *length = (size_t)(byte - text) + sizeof end;
    *result = WAYMARK_OK;
    return text;
}
