/* Where spaces are in the scene. */
#ifndef LOCATE_H
#define LOCATE_H

#include "instance.h"

/* A moment of a session: how the head is tracked at it. */
struct moment {
    const struct session *session;
    XrTime time;
    struct snapshot snapshot;
    /* That of the time; TRACK_NONE while all spaces are the runtime's. */
    const struct track *track;
};

void moment_begin(struct moment *moment, const struct session *session, XrTime time);

/* The runtime's space in which it is asked where things are, and where that space lies in the scene. */
struct frame {
    XrSpace base;
    struct motion in_scene;
};

struct frame moment_frame(const struct moment *moment);

/* A space of the program in the scene. `handle` is a space of the runtime, where `space` is NULL. */
XrResult moment_locate(
    const struct moment *moment, const struct space *space, XrSpace handle, struct motion *in_scene);

/* A pose of the scene in the runtime's space `local`, by which the runtime is given what is drawn. */
struct pose moment_runtime_from_scene(const struct moment *moment);

#endif
