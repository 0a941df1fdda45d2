/* Prints each event of a subscription as a line, and how often its descriptor was ready; ends when its input does. */
#include "outcomes.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

static const char *const events[] = {"none", "reply", "connected", "lost", "failed", "last"};

int main(int count, char **arguments)
{
    struct waymark_subscription *subscription;
    enum waymark_outcome outcome = waymark_subscription_new(
        arguments[1], arguments[2], count > 3 ? arguments[3] : NULL, &subscription);
    struct pollfd descriptors[2] = {{.fd = 0, .events = POLLIN}, {.events = POLLIN}};
    if (outcome != WAYMARK_OK) {
        printf("%s\n", name_of(outcome));
        return 1;
    }
    descriptors[1].fd = waymark_subscription_descriptor(subscription);
    while (!descriptors[0].revents) {
        struct waymark_message message;
        while (waymark_subscription_next(subscription, &message) != WAYMARK_EVENT_NONE) {
            printf("%s %" PRIu64 " %s %s %zu %s\n", events[message.event], message.connections, name_of(message.reason),
                   message.error ? message.error : "-", message.length,
                   message.length > 60000 ? "long" : message.parameters);
        }
        fflush(stdout);
        poll(descriptors, 2, -1);
    }
    waymark_subscription_free(subscription);
    return 0;
}
