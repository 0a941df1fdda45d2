/* Trackers of XR_ANDROID_geospatial; what they find is in earth.c. */
#include "earth.h"
#include "placements.h"

/* Handles of trackers are numbers that no runtime gives. */
#define FIRST_TRACKER UINT64_C(0x57415954524B0000)

static uint64_t trackers_made;

static void change_state(struct session *session, XrGeospatialTrackerStateANDROID state, XrTime now)
{
    struct tracker *tracker = &session->tracker;
    XrEventDataGeospatialTrackerStateChangedANDROID event = {
        .type = XR_TYPE_EVENT_DATA_GEOSPATIAL_TRACKER_STATE_CHANGED_ANDROID};
    event.geospatialTracker = (XrGeospatialTrackerANDROID)(size_t)tracker->handle;
    event.state = state;
    event.initializationResult = XR_SUCCESS;
    event.time = now;
    __atomic_store_n(&tracker->state, state, __ATOMIC_RELEASE);
    events_put(session, &event, sizeof event);
}

static void place(struct space *space, const void *context)
{
    struct placement placement;
    /* A list is not changed by a search. */
    struct placements *placements = (struct placements *)(size_t)context;
    const bool is_there = placements && placements_find(placements, space->id, &placement);
    placement_place_publish(&space->place, is_there ? &placement : NULL);
}

void geospatial_update(struct session *session, const struct waymark_ring_slot *pose, XrTime now)
{
    struct tracker *tracker = &session->tracker;
    const XrGeospatialTrackerStateANDROID state =
        is_on_earth(pose) ? XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID : XR_GEOSPATIAL_TRACKER_STATE_STOPPED_ANDROID;
    if (!tracker->handle)
        return;
    if (state != tracker->state)
        change_state(session, state, now);
    /* The daemon's next scene is taken when it is that of the spaces, too. */
    if (pose && now >= session->follower.snapshot.change && tracker->placements &&
        placements_update(tracker->placements))
        spaces_of_placements(session, place, tracker->placements);
}

void geospatial_end(struct session *session)
{
    struct tracker *tracker = &session->tracker;
    __atomic_store_n(&tracker->handle, 0, __ATOMIC_RELEASE);
    placements_free(tracker->placements);
    tracker->placements = NULL;
    spaces_of_placements(session, place, NULL);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_create_geospatial_tracker(
    XrSession handle, const XrGeospatialTrackerCreateInfoANDROID *info, XrGeospatialTrackerANDROID *made)
{
    struct session *session = session_find(handle);
    struct timespec now;
    XrTime time;
    XrResult result = XR_SUCCESS;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!info || info->type != XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID || !made)
        return XR_ERROR_VALIDATION_FAILURE;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (!session_is_tracked(session) ||
        XR_FAILED(the_instance.next.convert_timespec(the_instance.handle, &now, &time)))
        return XR_ERROR_FEATURE_UNSUPPORTED;
    (void)pthread_mutex_lock(&session->lock);
    if (session->tracker.handle) {
        result = XR_ERROR_LIMIT_REACHED;
    } else {
        session->tracker.placements = the_instance.has_placements ? placements_new() : NULL;
        if (the_instance.has_placements && !session->tracker.placements)
            result = XR_ERROR_OUT_OF_MEMORY;
    }
    if (XR_SUCCEEDED(result)) {
        const uint64_t number = FIRST_TRACKER + __atomic_add_fetch(&trackers_made, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&session->tracker.handle, number, __ATOMIC_RELEASE);
        *made = (XrGeospatialTrackerANDROID)(size_t)number;
        change_state(session, XR_GEOSPATIAL_TRACKER_STATE_STOPPED_ANDROID, time);
    }
    (void)pthread_mutex_unlock(&session->lock);
    return result;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_geospatial_tracker(XrGeospatialTrackerANDROID handle)
{
    struct session *session = session_of_tracker(handle);
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    (void)pthread_mutex_lock(&session->lock);
    geospatial_end(session);
    (void)pthread_mutex_unlock(&session->lock);
    return XR_SUCCESS;
}

bool geospatial_is_running(const struct session *session)
{
    return __atomic_load_n(&session->tracker.state, __ATOMIC_ACQUIRE) == XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID;
}
