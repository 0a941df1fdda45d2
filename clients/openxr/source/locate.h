/* Where spaces are in the scene. */
#ifndef LOCATE_H
#define LOCATE_H

#include "instance.h"

/* The runtime's space in which it is asked where things are, and where that space lies in the scene. */
struct frame {
    XrSpace base;
    struct motion in_scene;
};

/* A moment of a session: how the head is tracked at it. The ring is read once, so that all that is located by it
 * agrees. */
struct moment {
    const struct session *session;
    XrTime time;
    struct snapshot snapshot;
    /* That of the time; TRACK_NONE while all spaces are the runtime's. */
    const struct track *track;
    bool has_frame;
    struct frame frame;
};

void moment_begin(struct moment *moment, const struct session *session, XrTime time);

const struct frame *moment_frame(struct moment *moment);

/* A space of the program in the scene. `handle` is a space of the runtime, where `space` is NULL. */
XrResult moment_locate(
    struct moment *moment, const struct space *space, XrSpace handle, struct motion *in_scene);

/* Where a space is, to a program; also its velocity where that is asked for. */
void location_fill(const struct motion *motion, XrSpaceLocation *location);

/* The place of a placement, in the scene, or in the head where it is locked to that; false where it is gone. */
bool moment_placement(const struct moment *moment, const struct space *space, struct pose *pose, bool *is_head_locked);

/* A pose of the scene in the runtime's space `local`, by which the runtime is given what is drawn. */
struct pose moment_runtime_from_scene(struct moment *moment);

#endif
