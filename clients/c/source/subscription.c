/* A call with `more` that outlives the daemon's restarts. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct waymark_subscription {
    struct wmk_place place;
    char *call;
    size_t call_length;
    struct wmk_stream stream;
    struct wmk_backoff backoff;
    /* The descriptor of the program; it watches the socket, and the timer between two connections. */
    int epoll, timer;
    bool is_over, watches_output, is_lost_reported;
    uint64_t connections;
    enum waymark_outcome reason;
    int error_number;
};

/* Makes the descriptor readable once the time has come. */
static void wake_at(struct waymark_subscription *subscription, int64_t time)
{
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    /* A time of zero would stop the timer. */
    if (time <= 0)
        time = 1;
    when.it_value.tv_sec = (time_t)(time / 1000000000);
    when.it_value.tv_nsec = (long)(time % 1000000000);
    (void)timerfd_settime(subscription->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void stop_timer(struct waymark_subscription *subscription)
{
    struct itimerspec never;
    memset(&never, 0, sizeof never);
    (void)timerfd_settime(subscription->timer, 0, &never, NULL);
}

/* False if the kernel has no memory for it. */
static bool watch(struct waymark_subscription *subscription, int operation, bool output)
{
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = output ? EPOLLIN | EPOLLOUT : EPOLLIN;
    subscription->watches_output = output;
    return epoll_ctl(subscription->epoll, operation, subscription->stream.socket, &event) == 0;
}

static bool open_descriptors(struct waymark_subscription *subscription)
{
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN;
    subscription->epoll = epoll_create1(EPOLL_CLOEXEC);
    subscription->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return subscription->epoll >= 0 && subscription->timer >= 0 &&
        epoll_ctl(subscription->epoll, EPOLL_CTL_ADD, subscription->timer, &event) == 0;
}

enum waymark_outcome waymark_subscription_new(
    const char *path, const char *method, const char *parameters, struct waymark_subscription **subscription)
{
    struct waymark_subscription *made;
    struct wmk_place place;
    enum waymark_outcome result;
    *subscription = NULL;
    if (!wmk_socket_place(&place, path))
        return WAYMARK_INVALID_ARGUMENT;
    made = calloc(1, sizeof *made);
    if (!made)
        return WAYMARK_NO_RESOURCES;
    made->place = place;
    made->epoll = made->timer = -1;
    wmk_stream_begin(&made->stream);
    wmk_backoff_begin(&made->backoff);
    made->call = wmk_call_text(method, parameters, true, &made->call_length, &result);
    if (result == WAYMARK_OK && !open_descriptors(made))
        result = WAYMARK_NO_RESOURCES;
    if (result != WAYMARK_OK) {
        waymark_subscription_free(made);
        return result;
    }
    wake_at(made, 0);
    *subscription = made;
    return WAYMARK_OK;
}

void waymark_subscription_free(struct waymark_subscription *subscription)
{
    if (!subscription)
        return;
    wmk_stream_end(&subscription->stream);
    if (subscription->epoll >= 0)
        (void)close(subscription->epoll);
    if (subscription->timer >= 0)
        (void)close(subscription->timer);
    free(subscription->call);
    free(subscription);
}

int waymark_subscription_descriptor(const struct waymark_subscription *subscription)
{
    return subscription->epoll;
}

/* Ends the connection and plans the next one. True if the program is to learn of it. */
static bool lose(struct waymark_subscription *subscription, enum waymark_outcome reason, int error_number)
{
    bool is_news = !subscription->is_lost_reported || reason != subscription->reason ||
        error_number != subscription->error_number;
    wmk_stream_disconnect(&subscription->stream);
    wmk_backoff_fail(&subscription->backoff);
    wake_at(subscription, subscription->backoff.due);
    subscription->reason = reason;
    subscription->error_number = error_number;
    subscription->is_lost_reported = true;
    return is_news;
}

static enum waymark_subscription_event lost(
    struct waymark_subscription *subscription, struct waymark_message *message, enum waymark_outcome reason, int number)
{
    if (!lose(subscription, reason, number))
        return WAYMARK_EVENT_NONE;
    message->reason = reason;
    message->error_number = number;
    return WAYMARK_EVENT_LOST;
}

static enum waymark_subscription_event try_to_connect(
    struct waymark_subscription *subscription, struct waymark_message *message)
{
    enum waymark_outcome result;
    if (wmk_monotonic() < subscription->backoff.due)
        return WAYMARK_EVENT_NONE;
    result = wmk_stream_connect(
        &subscription->stream, wmk_path(&subscription->place), subscription->call, subscription->call_length);
    if (result != WAYMARK_OK)
        return lost(subscription, message, result, errno);
    if (!watch(subscription, EPOLL_CTL_ADD, true))
        return lost(subscription, message, WAYMARK_NO_RESOURCES, errno);
    stop_timer(subscription);
    message->connections = ++subscription->connections;
    return WAYMARK_EVENT_CONNECTED;
}

static void end(struct waymark_subscription *subscription)
{
    wmk_stream_disconnect(&subscription->stream);
    subscription->is_over = true;
}

/* An error that a subscriber meets where another one, or its own former connection, has not gone yet. */
static bool may_pass(const struct waymark_subscription *subscription, const char *error)
{
    return subscription->connections > 1 && strcmp(error, WAYMARK_STATUS_ERROR_LIMIT_EXCEEDED) == 0;
}

static enum waymark_subscription_event take(
    struct waymark_subscription *subscription, char *text, size_t length, struct waymark_message *message)
{
    struct wmk_envelope envelope;
    if (!wmk_envelope_read(text, length, &envelope))
        return lost(subscription, message, WAYMARK_INVALID, 0);
    if (envelope.error && may_pass(subscription, envelope.error))
        return lost(subscription, message, WAYMARK_CALL_FAILED, 0);
    wmk_backoff_succeed(&subscription->backoff);
    subscription->is_lost_reported = false;
    if (envelope.parameters) {
        message->parameters = envelope.parameters;
        message->length = envelope.length;
    }
    if (envelope.error) {
        message->error = envelope.error;
        end(subscription);
        return WAYMARK_EVENT_FAILED;
    }
    if (envelope.continues)
        return WAYMARK_EVENT_REPLY;
    end(subscription);
    return WAYMARK_EVENT_LAST_REPLY;
}

static enum waymark_subscription_event next(struct waymark_subscription *subscription, struct waymark_message *message)
{
    char *text = NULL;
    size_t length = 0;
    enum waymark_outcome result;
    if (subscription->is_over)
        return WAYMARK_EVENT_NONE;
    if (subscription->stream.socket < 0)
        return try_to_connect(subscription, message);
    result = wmk_stream_next(&subscription->stream, &text, &length);
    if (result == WAYMARK_OK)
        return take(subscription, text, length, message);
    if (result != WAYMARK_NOT_READY)
        return lost(subscription, message, result, 0);
    if (subscription->watches_output && !wmk_stream_is_sending(&subscription->stream))
        (void)watch(subscription, EPOLL_CTL_MOD, false);
    return WAYMARK_EVENT_NONE;
}

enum waymark_subscription_event waymark_subscription_next(
    struct waymark_subscription *subscription, struct waymark_message *message)
{
    memset(message, 0, sizeof *message);
    message->parameters = "{}";
    message->length = 2;
    message->connections = subscription->connections;
    message->event = next(subscription, message);
    return message->event;
}
