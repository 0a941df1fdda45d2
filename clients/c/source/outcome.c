#include "internal.h"

#include <errno.h>

#ifndef WAYMARK_VERSION
#error "WAYMARK_VERSION is defined by the Makefile"
#endif

static const char *const texts[] = {
    "success",
    "no pose or reply yet",
    "timed out",
    "the daemon cannot be reached: check that waymarkd runs, WAYMARK_SOCKET, and the permission to use its socket",
    "the daemon has ended",
    "the connection has ended without notice",
    "the daemon offers no pose ring: its setting service.pose_ring is false",
    "the limit of pose-ring clients is reached (service.max_clients, max_clients_per_user)",
    "the daemon refused the connection",
    "the pose ring has a layout of another version: update the client library",
    "the pose ring is of another boot or clock",
    "malformed data was received: the other side is no Waymark daemon, or is defective",
    "a message is too long",
    "the time is before the oldest pose of the ring",
    "the time is after the newest pose of the ring",
    "there is no pose near that time in the same scene frame",
    "the daemon answered with an error",
    "invalid argument",
    "memory or descriptors are exhausted",
};

/* Each result has a text: an array of negative size otherwise. */
typedef char texts_are_complete[sizeof texts / sizeof *texts == WAYMARK_OUTCOME_COUNT ? 1 : -1];

const char *waymark_outcome_text(enum waymark_outcome result)
{
    return (unsigned)result < WAYMARK_OUTCOME_COUNT ? texts[result] : "unknown result";
}

const char *waymark_version(void)
{
    return WAYMARK_VERSION;
}

enum waymark_outcome wmk_outcome_of_errno(int number)
{
    switch (number) {
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
        return WAYMARK_NO_RESOURCES;
    case EAGAIN:
        /* The daemon listens, and its queue of new connections is full. */
        return WAYMARK_TIMED_OUT;
    case ENAMETOOLONG:
        return WAYMARK_INVALID_ARGUMENT;
    default:
        return WAYMARK_UNREACHABLE;
    }
}
