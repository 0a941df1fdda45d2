/* XR_ANDROID_geospatial and XR_WAYMARK_placements. */
#ifndef GEOSPATIAL_H
#define GEOSPATIAL_H

#include "openxr.h"

#include <waymark.h>

struct session;

/* What every session has, whether it is used or not. */
struct tracker {
    /* XR_NULL_HANDLE: there is none. */
    uint64_t handle;
    XrGeospatialTrackerStateANDROID state;
    struct placements *placements;
};

/* Once a frame, with the daemon's newest pose; NULL while there is none. */
void geospatial_update(struct session *session, const struct waymark_ring_slot *pose, XrTime now);

/* The session has a tracker, and the daemon knows where the scene lies on the earth. */
bool geospatial_is_running(const struct session *session);

/* Ends the session's tracker. */
void geospatial_end(struct session *session);

#endif
