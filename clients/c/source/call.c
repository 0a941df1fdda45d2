/* Single calls. */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

/* A daemon whose queue of new connections is full gets some time to take them. */
static enum waymark_outcome connect_patiently(
    struct wmk_stream *stream, const char *path, const char *call, size_t length, int64_t deadline)
{
    const int pause = 10;
    for (;;) {
        enum waymark_outcome result = wmk_stream_connect(stream, path, call, length);
        if (result == WAYMARK_OK || errno != EAGAIN)
            return result;
        if (wmk_monotonic() >= deadline)
            return WAYMARK_TIMED_OUT;
        (void)poll(NULL, 0, pause);
    }
}

static enum waymark_outcome take(struct wmk_stream *stream, char *text, size_t length, struct waymark_reply *reply)
{
    struct wmk_envelope envelope;
    if (!wmk_envelope_read(text, length, &envelope))
        return WAYMARK_INVALID;
    /* The texts lie in the buffer, which is the reply's from now on. */
    reply->memory = stream->buffer;
    stream->buffer = NULL;
    stream->capacity = 0;
    reply->parameters = envelope.parameters ? envelope.parameters : "{}";
    reply->length = envelope.parameters ? envelope.length : 2;
    reply->error = envelope.error;
    return envelope.error ? WAYMARK_CALL_FAILED : WAYMARK_OK;
}

static enum waymark_outcome converse(struct wmk_stream *stream, int64_t deadline, struct waymark_reply *reply)
{
    char *text = NULL;
    size_t length = 0;
    for (;;) {
        enum waymark_outcome result = wmk_stream_next(stream, &text, &length);
        if (result == WAYMARK_OK)
            return take(stream, text, length, reply);
        if (result == WAYMARK_NOT_READY)
            result = wmk_stream_await(stream, deadline);
        if (result != WAYMARK_OK)
            return result;
    }
}

enum waymark_outcome waymark_call(
    const char *path, const char *method, const char *parameters, int timeout, struct waymark_reply *reply)
{
    int64_t deadline = timeout < 0 ? INT64_MAX : wmk_monotonic() + timeout * WMK_MILLISECOND;
    enum waymark_outcome result;
    struct wmk_stream stream;
    struct wmk_place place;
    size_t length;
    char *call = wmk_call_text(method, parameters, false, &length, &result);
    memset(reply, 0, sizeof *reply);
    if (!call)
        return result;
    wmk_stream_begin(&stream);
    errno = ENAMETOOLONG;
    result = wmk_socket_place(&place, path) ?
        connect_patiently(&stream, wmk_path(&place), call, length, deadline) : WAYMARK_INVALID_ARGUMENT;
    if (result != WAYMARK_OK)
        reply->error_number = errno;
    else
        result = converse(&stream, deadline, reply);
    wmk_stream_end(&stream);
    free(call);
    return result;
}

void waymark_reply_free(struct waymark_reply *reply)
{
    free(reply->memory);
    memset(reply, 0, sizeof *reply);
}
