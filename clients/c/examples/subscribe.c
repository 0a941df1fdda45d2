/*
 * Prints poses as they come, one JSON text a line, from an event loop that could watch other descriptors too. A
 * restart of the daemon is survived. With a number it ends after as many poses.
 *
 *     cc subscribe.c $(pkg-config --cflags --libs waymark) -o subscribe && ./subscribe 10
 */
#include <waymark.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes all that is ready; false when the subscription or the number of poses is reached. */
static bool take(struct waymark_subscription *subscription, long *left)
{
    struct waymark_message message;
    for (;;) {
        switch (waymark_subscription_next(subscription, &message)) {
        case WAYMARK_EVENT_NONE:
            return true;
        case WAYMARK_EVENT_CONNECTED:
            fprintf(stderr, "subscribe: connected\n");
            break;
        case WAYMARK_EVENT_LOST:
            fprintf(stderr, "subscribe: %s; trying again\n", waymark_outcome_text(message.reason));
            break;
        case WAYMARK_EVENT_FAILED:
            fprintf(stderr, "subscribe: %s %s\n", message.error, message.parameters);
            return false;
        case WAYMARK_EVENT_REPLY:
            printf("%s\n", message.parameters);
            if (*left > 0 && --*left == 0)
                return false;
            break;
        case WAYMARK_EVENT_LAST_REPLY:
            return false;
        }
    }
}

int main(int count, char **arguments)
{
    long left = count > 1 ? strtol(arguments[1], NULL, 10) : -1;
    struct waymark_subscription *subscription;
    struct waymark_arguments parameters;
    enum waymark_outcome outcome;
    struct pollfd descriptor;

    waymark_arguments_begin(&parameters);
    waymark_arguments_number(&parameters, "rate", 20);
    outcome = waymark_subscription_new(
        NULL, WAYMARK_POSE_SUBSCRIBE, waymark_arguments_text(&parameters), &subscription);
    if (outcome != WAYMARK_OK) {
        fprintf(stderr, "subscribe: %s\n", waymark_outcome_text(outcome));
        return 1;
    }
    descriptor.fd = waymark_subscription_descriptor(subscription);
    descriptor.events = POLLIN;
    while (take(subscription, &left)) {
        fflush(stdout);
        poll(&descriptor, 1, -1);
    }
    waymark_subscription_free(subscription);
    return left == 0 ? 0 : 1;
}
