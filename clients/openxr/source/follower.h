/* Once a frame: looks at the daemon and at the runtime, and decides where the head's pose comes from. */
#ifndef FOLLOWER_H
#define FOLLOWER_H

#include "snapshot.h"

#include <waymark.h>

struct session;

/* The runtime has announced that its LOCAL changes. */
struct runtime_change {
    /* Not yet provided for; not yet counted for the daemon, whose offers are of the present. */
    bool is_pending, is_counted_later;
    bool has_pose;
    XrTime time;
    /* The new LOCAL in the present one. */
    struct pose pose;
};

/* Behind the session's lock, but for what is said. */
struct follower {
    struct snapshot snapshot;
    /* Of CLOCK_MONOTONIC from XrTime. Unit: ns. */
    int64_t monotonic_offset;
    XrTime last_update, last_offer;
    /* The last pose of the scene in use, and the head by the track in use at the time it was looked at. */
    struct waymark_ring_slot last_pose;
    struct pose last_head;
    /* The alignment is that of the track in use: the runtime had a head when it was made. */
    bool is_aligned;
    struct waymark_aid *aid;
    bool has_complained;
    XrTime last_refusal;
    uint32_t runtime_resets;
    struct runtime_change runtime_change;
    /* When the newest frame is displayed, and for how long; of the threads that wait for frames and end them. */
    XrTime display_time;
    int64_t display_period;
};

/* False: times cannot be converted, and the session is left to the runtime. */
bool follower_begin(struct session *session);
void follower_end(struct session *session);

/* Any thread, as often as it likes; never waits. */
void follower_update(struct session *session);

/* Notes a change of the runtime's spaces; true where the program is not to know of it. */
bool follower_take_change(struct session *session, const XrEventDataReferenceSpaceChangePending *event);

/* The head by a pose of the daemon, predicted to a time; the flags say how well it is tracked. */
struct motion follower_head(const struct snapshot *snapshot, const struct waymark_ring_slot *pose, XrTime time);

/* The head in the runtime's LOCAL; flags of 0 where the runtime has none. */
struct motion follower_runtime_head(const struct session *session, XrTime time);

#endif
