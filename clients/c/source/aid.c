/* A source of measurements: offers that never wait, over the daemon's restarts. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer than any name that the daemon takes, with its zero byte: it is the daemon that names the error. */
#define SOURCE_SIZE 64
/* What a call has besides its parameters. Unit: bytes. */
#define ENVELOPE_SIZE 128

struct waymark_aid {
    struct wmk_place place;
    char source[SOURCE_SIZE];
    /* The call of Open, from malloc. */
    char *open_call;
    size_t open_length;
    struct waymark_arguments arguments;
    char call[sizeof ((struct waymark_arguments *)0)->text + ENVELOPE_SIZE];
    struct wmk_stream stream;
    struct wmk_backoff backoff;
    struct waymark_aid_state state;
};

/* Components by name, such as {"x":1,"y":2,"z":3}. */
static void add_components(
    struct waymark_arguments *arguments, const char *name, const double *values, const char *const names[], int count)
{
    struct waymark_arguments object;
    int index;
    waymark_arguments_begin(&object);
    for (index = 0; index < count; index++)
        waymark_arguments_number(&object, names[index], values[index]);
    waymark_arguments_json(arguments, name, waymark_arguments_text(&object));
}

static void add_axes(struct waymark_arguments *arguments, const char *name, const double *values, int count)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    add_components(arguments, name, values, axes, count);
}

static void add_point(
    struct waymark_arguments *arguments, const char *name, double latitude, double longitude, bool has_height,
    double height)
{
    static const char *const names[] = {"latitude", "longitude", "height"};
    const double values[] = {latitude, longitude, height};
    add_components(arguments, name, values, names, has_height ? 3 : 2);
}

static void add_location(struct waymark_arguments *arguments, const char *name, const struct waymark_location *location)
{
    add_point(arguments, name, location->latitude, location->longitude, location->has_height, location->height);
}

static void add_mount(struct waymark_arguments *arguments, const struct waymark_aid_mount *mount)
{
    struct waymark_arguments object;
    waymark_arguments_begin(&object);
    if (mount->has_rotation) {
        const double rotation[] = {mount->rotation.x, mount->rotation.y, mount->rotation.z, mount->rotation.w};
        add_axes(&object, "rotation", rotation, 4);
    }
    if (mount->has_lever_arm) {
        const double lever_arm[] = {mount->lever_arm.x, mount->lever_arm.y, mount->lever_arm.z};
        add_axes(&object, "leverArm", lever_arm, 3);
    }
    waymark_arguments_json(arguments, "bodyFromSensor", waymark_arguments_text(&object));
}

static void add_kinds(struct waymark_arguments *arguments, uint64_t kinds)
{
    char text[16 * WAYMARK_AID_KIND_COUNT] = "[";
    size_t length = 1;
    int kind;
    for (kind = 0; kind < WAYMARK_AID_KIND_COUNT; kind++)
        if (kinds & UINT64_C(1) << kind)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%s\"", length > 1 ? "," : "",
                                       waymark_aid_kind_word((enum waymark_aid_kind)kind));
    (void)snprintf(text + length, sizeof text - length, "]");
    waymark_arguments_json(arguments, "kinds", text);
}

static enum waymark_outcome write_open_call(struct waymark_aid *aid, const struct waymark_aid_description *description)
{
    struct waymark_arguments arguments;
    const char *text;
    enum waymark_outcome result;
    waymark_arguments_begin(&arguments);
    waymark_arguments_string(&arguments, "source", description->source);
    add_kinds(&arguments, description->kinds);
    add_mount(&arguments, &description->mount);
    waymark_arguments_number(&arguments, "latency", description->latency);
    text = waymark_arguments_text(&arguments);
    if (!text)
        return WAYMARK_INVALID_ARGUMENT;
    aid->open_call = wmk_call_text(WAYMARK_AID_OPEN, text, false, &aid->open_length, &result);
    return result;
}

enum waymark_outcome waymark_aid_new(
    const char *path, const struct waymark_aid_description *description, struct waymark_aid **aid)
{
    struct waymark_aid *made;
    struct wmk_place place;
    enum waymark_outcome result;
    *aid = NULL;
    if (!wmk_socket_place(&place, path) || !description->source || strlen(description->source) >= SOURCE_SIZE)
        return WAYMARK_INVALID_ARGUMENT;
    made = calloc(1, sizeof *made);
    if (!made)
        return WAYMARK_NO_RESOURCES;
    made->place = place;
    memcpy(made->source, description->source, strlen(description->source) + 1);
    made->state.result = WAYMARK_NOT_READY;
    wmk_stream_begin(&made->stream);
    wmk_backoff_begin(&made->backoff);
    result = write_open_call(made, description);
    if (result != WAYMARK_OK) {
        waymark_aid_free(made);
        return result;
    }
    *aid = made;
    return WAYMARK_OK;
}

void waymark_aid_free(struct waymark_aid *aid)
{
    if (!aid)
        return;
    wmk_stream_end(&aid->stream);
    free(aid->open_call);
    free(aid);
}

void waymark_aid_state(const struct waymark_aid *aid, struct waymark_aid_state *state)
{
    *state = aid->state;
}

/* Ends the connection, and plans the next one. */
static void lose(struct waymark_aid *aid, enum waymark_outcome reason, int error_number)
{
    wmk_stream_disconnect(&aid->stream);
    wmk_backoff_fail(&aid->backoff);
    aid->state.result = reason;
    aid->state.error_number = error_number;
    aid->state.unanswered = 0;
}

static void connect_if_due(struct waymark_aid *aid)
{
    enum waymark_outcome result;
    if (wmk_monotonic() < aid->backoff.due)
        return;
    result = wmk_stream_connect(&aid->stream, wmk_path(&aid->place), aid->open_call, aid->open_length);
    if (result != WAYMARK_OK) {
        lose(aid, result, errno);
        return;
    }
    aid->state.result = WAYMARK_NOT_READY;
    aid->state.error_number = 0;
    aid->state.connections++;
}

/* The daemon may not have noticed the end of the former connection yet. */
static bool may_pass(const struct waymark_aid *aid)
{
    return aid->state.connections > 1 && (strcmp(aid->state.error, WAYMARK_AID_ERROR_ALREADY_OPEN) == 0 ||
                                          strcmp(aid->state.error, WAYMARK_STATUS_ERROR_LIMIT_EXCEEDED) == 0);
}

static void refuse_source(struct waymark_aid *aid)
{
    if (may_pass(aid)) {
        lose(aid, WAYMARK_NOT_READY, 0);
        return;
    }
    wmk_stream_disconnect(&aid->stream);
    aid->state.result = WAYMARK_CALL_FAILED;
}

/* The reply to Open, or to the oldest offer without one. */
static void take(struct waymark_aid *aid, char *text, size_t length)
{
    struct wmk_envelope envelope;
    bool is_open = aid->state.result == WAYMARK_OK;
    if (!wmk_envelope_read(text, length, &envelope) || envelope.continues || (is_open && !aid->state.unanswered)) {
        lose(aid, WAYMARK_INVALID, 0);
        return;
    }
    if (envelope.error)
        memcpy(aid->state.error, envelope.error, strlen(envelope.error) + 1);
    if (is_open) {
        aid->state.unanswered--;
        if (envelope.error)
            aid->state.refused++;
        else
            aid->state.accepted++;
    } else if (envelope.error) {
        refuse_source(aid);
    } else {
        wmk_backoff_succeed(&aid->backoff);
        aid->state.result = WAYMARK_OK;
    }
}

/* Connects where that is due, sends what is left to send, and takes all replies that have come. Never waits. */
static enum waymark_outcome update(struct waymark_aid *aid)
{
    if (aid->state.result != WAYMARK_CALL_FAILED && aid->stream.socket < 0)
        connect_if_due(aid);
    while (aid->stream.socket >= 0) {
        char *text = NULL;
        size_t length = 0;
        enum waymark_outcome result = wmk_stream_next(&aid->stream, &text, &length);
        if (result == WAYMARK_NOT_READY)
            break;
        if (result == WAYMARK_OK)
            take(aid, text, length);
        else
            lose(aid, result, 0);
    }
    return aid->state.result;
}

enum waymark_outcome waymark_aid_wait(struct waymark_aid *aid, int timeout)
{
    int64_t deadline = timeout < 0 ? INT64_MAX : wmk_monotonic() + timeout * WMK_MILLISECOND;
    for (;;) {
        enum waymark_outcome result = update(aid);
        int64_t until = deadline;
        if (result == WAYMARK_CALL_FAILED || (result == WAYMARK_OK && !aid->state.unanswered))
            return result;
        if (wmk_monotonic() >= deadline)
            return result == WAYMARK_OK || result == WAYMARK_NOT_READY ? WAYMARK_TIMED_OUT : result;
        if (aid->stream.socket < 0 && aid->backoff.due < until)
            until = aid->backoff.due;
        if (wmk_stream_await(&aid->stream, until) == WAYMARK_NO_RESOURCES)
            return WAYMARK_NO_RESOURCES;
    }
}

static struct waymark_arguments *begin_offer(struct waymark_aid *aid, int64_t time)
{
    char text[64];
    waymark_arguments_begin(&aid->arguments);
    waymark_arguments_string(&aid->arguments, "source", aid->source);
    /* Before the beginning of the clock there is no time. */
    aid->arguments.is_invalid |= time < 0;
    (void)snprintf(text, sizeof text, "{\"sec\":%lld,\"nsec\":%lld}", (long long)(time / 1000000000),
                   (long long)(time % 1000000000));
    waymark_arguments_json(&aid->arguments, "time", text);
    return &aid->arguments;
}

static enum waymark_outcome offer(struct waymark_aid *aid, const char *method)
{
    const char *parameters = waymark_arguments_text(&aid->arguments);
    enum waymark_outcome result;
    int length;
    if (!parameters)
        return WAYMARK_INVALID_ARGUMENT;
    result = update(aid);
    if (result != WAYMARK_OK)
        return result;
    if (wmk_stream_is_sending(&aid->stream))
        return WAYMARK_TIMED_OUT;
    length = snprintf(aid->call, sizeof aid->call, "{\"method\":\"%s\",\"parameters\":%s}", method, parameters);
    wmk_stream_send(&aid->stream, aid->call, (size_t)length + 1);
    aid->state.unanswered++;
    return update(aid);
}

enum waymark_outcome waymark_aid_offer_odometry(
    struct waymark_aid *aid, int64_t time, const double position[3], const double orientation[4], uint32_t reset,
    double tracking)
{
    struct waymark_arguments *arguments = begin_offer(aid, time);
    add_axes(arguments, "position", position, 3);
    add_axes(arguments, "orientation", orientation, 4);
    waymark_arguments_integer(arguments, "reset", reset);
    waymark_arguments_number(arguments, "tracking", tracking);
    return offer(aid, WAYMARK_AID_OFFER_ODOMETRY);
}

enum waymark_outcome waymark_aid_offer_position(
    struct waymark_aid *aid, int64_t time, const struct waymark_location *position, double horizontal_accuracy,
    double vertical_accuracy)
{
    struct waymark_arguments *arguments = begin_offer(aid, time);
    add_location(arguments, "position", position);
    waymark_arguments_number(arguments, "horizontalAccuracy", horizontal_accuracy);
    if (vertical_accuracy != 0)
        waymark_arguments_number(arguments, "verticalAccuracy", vertical_accuracy);
    return offer(aid, WAYMARK_AID_OFFER_POSITION);
}

enum waymark_outcome waymark_aid_offer_sighting(
    struct waymark_aid *aid, int64_t time, const double direction[3], const struct waymark_location *point,
    double accuracy)
{
    struct waymark_arguments *arguments = begin_offer(aid, time);
    add_axes(arguments, "direction", direction, 3);
    if (point)
        add_location(arguments, "point", point);
    else
        waymark_arguments_boolean(arguments, "sun", true);
    waymark_arguments_number(arguments, "accuracy", accuracy);
    return offer(aid, WAYMARK_AID_OFFER_SIGHTING);
}

enum waymark_outcome waymark_aid_offer_range(
    struct waymark_aid *aid, int64_t time, const struct waymark_geo *beacon, double range, double accuracy)
{
    struct waymark_arguments *arguments = begin_offer(aid, time);
    add_point(arguments, "beacon", beacon->latitude, beacon->longitude, true, beacon->height);
    waymark_arguments_number(arguments, "range", range);
    waymark_arguments_number(arguments, "accuracy", accuracy);
    return offer(aid, WAYMARK_AID_OFFER_RANGE);
}

/* A measurement of one number. */
static enum waymark_outcome offer_number(
    struct waymark_aid *aid, const char *method, int64_t time, const char *name, double value, double accuracy)
{
    struct waymark_arguments *arguments = begin_offer(aid, time);
    waymark_arguments_number(arguments, name, value);
    waymark_arguments_number(arguments, "accuracy", accuracy);
    return offer(aid, method);
}

enum waymark_outcome waymark_aid_offer_heading(struct waymark_aid *aid, int64_t time, double heading, double accuracy)
{
    return offer_number(aid, WAYMARK_AID_OFFER_HEADING, time, "heading", heading, accuracy);
}

enum waymark_outcome waymark_aid_offer_height(struct waymark_aid *aid, int64_t time, double height, double accuracy)
{
    return offer_number(aid, WAYMARK_AID_OFFER_HEIGHT, time, "height", height, accuracy);
}
