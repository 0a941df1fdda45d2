/* The program's instance and what it has made: sessions, spaces and trackers.
 *
 * OpenXR's loader allows one instance at a time. Everything lies in memory of its own that is never given back, so
 * that a handle that was destroyed names nothing, and leads nowhere. Finding a handle takes no lock. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "follower.h"
#include "geospatial.h"
#include "placements.h"
#include "settings.h"

#include <pthread.h>
#include <string.h>

/* More are refused with XR_ERROR_LIMIT_REACHED. */
#define MOST_SESSIONS 8
#define MOST_SPACES 4096
#define MOST_EVENTS 32

typedef XrResult(XRAPI_PTR *locate_spaces_function)(
    XrSession session, const XrSpacesLocateInfo *locateInfo, XrSpaceLocations *spaceLocations);

/* The functions of what lies below the layer; NULL where it has none. */
struct next_functions {
    PFN_xrGetInstanceProcAddr get_instance_proc_addr;
    PFN_xrDestroyInstance destroy_instance;
    PFN_xrGetSystemProperties get_system_properties;
    PFN_xrPollEvent poll_event;
    PFN_xrCreateSession create_session;
    PFN_xrDestroySession destroy_session;
    PFN_xrCreateReferenceSpace create_reference_space;
    PFN_xrDestroySpace destroy_space;
    PFN_xrGetReferenceSpaceBoundsRect get_bounds;
    PFN_xrLocateSpace locate_space;
    locate_spaces_function locate_spaces, locate_spaces_khr;
    PFN_xrLocateViews locate_views;
    PFN_xrWaitFrame wait_frame;
    PFN_xrEndFrame end_frame;
    PFN_xrLocateHandJointsEXT locate_hand_joints;
    PFN_xrConvertTimespecTimeToTimeKHR convert_timespec;
    PFN_xrPollFutureEXT poll_future;
    PFN_xrCancelFutureEXT cancel_future;
};

/* What a space of the program is in the layer's eyes; the runtime has one of the same handle for each. */
enum space_kind {
    /* LOCAL, STAGE and the like: fixed in the scene. */
    SPACE_SCENE,
    /* VIEW: fixed to the head. */
    SPACE_HEAD,
    SPACE_PLACEMENT
};

/* Types of reference spaces that are the scene, as bits. */
enum scene_type {
    SCENE_LOCAL = 1 << 0,
    SCENE_STAGE = 1 << 1,
    SCENE_LOCAL_FLOOR = 1 << 2,
    SCENE_UNBOUNDED = 1 << 3
};

/* 0 for other types. */
uint32_t scene_type_of(XrReferenceSpaceType type);

struct session;

struct space {
    enum space_kind kind;
    struct session *session;
    /* The pose in the reference space. */
    struct pose offset;
    /* Of a placement: its id, and its place as the daemon had it last. */
    char id[XR_MAX_PLACEMENT_ID_SIZE_WAYMARK];
    struct placement_place place;
};

struct event_queue {
    pthread_mutex_t lock;
    unsigned first, count;
    struct {
        const struct session *session;
        XrEventDataBuffer event;
    } entries[MOST_EVENTS];
};

struct session {
    /* XR_NULL_HANDLE: not in use. */
    XrSession handle;
    /* Never automatic: that is decided by the session's system. Off also where the layer cannot follow. */
    enum layer_mode mode;
    /* Of what changes once a frame, and ends with the session: nothing that locates takes it. */
    pthread_mutex_t lock;
    /* The runtime's own VIEW and LOCAL, which the program does not see. */
    XrSpace view, local;
    struct waymark_reader *reader;
    struct snapshots snapshots;
    /* The scene's types of reference spaces that the program has made: bits of enum scene_type. */
    uint32_t scene_types;
    /* Bit i: future number i is asked for and not yet completed. */
    uint64_t futures;
    struct follower follower;
    struct tracker tracker;
    /* For the layers of frames: see frame.c. */
    pthread_mutex_t frame_lock;
    struct frame_memory *frame;
};

struct instance {
    XrInstance handle;
    struct settings settings;
    struct next_functions next;
    /* While instances below are made. */
    bool is_being_made;
    bool has_geospatial, has_placements, has_future;
    struct event_queue events;
    struct session sessions[MOST_SESSIONS];
};

extern struct instance the_instance;

static inline bool session_is_tracked(const struct session *session)
{
    return __atomic_load_n(&session->mode, __ATOMIC_ACQUIRE) != LAYER_MODE_OFF;
}

/* NULL for a handle that is not known, or no more. */
struct session *session_find(XrSession handle);
/* The same for a session that the layer tracks. */
struct session *session_find_tracked(XrSession handle);
struct space *space_find(XrSpace handle);
struct session *session_of_tracker(XrGeospatialTrackerANDROID handle);

/* False where there is no room. */
bool space_add(XrSpace handle, const struct space *space);
void space_remove(XrSpace handle);
/* Forgets all spaces of a session, of all sessions with NULL. */
void spaces_forget(const struct session *session);
/* Calls `visit` for each placement's space of a session. */
void spaces_of_placements(
    const struct session *session, void (*visit)(struct space *space, const void *context), const void *context);

/* Drops the events of a session. */
void events_forget(const struct session *session);
/* A full queue loses the event. `event` is as large as XrEventDataBuffer at most. */
void events_put(const struct session *session, const void *event, size_t size);
bool events_take(XrEventDataBuffer *event);

/* What programs call. */
XRAPI_ATTR XrResult XRAPI_CALL layer_get_system_properties(
    XrInstance instance, XrSystemId system, XrSystemProperties *properties);
XRAPI_ATTR XrResult XRAPI_CALL layer_poll_event(XrInstance instance, XrEventDataBuffer *event);
XRAPI_ATTR XrResult XRAPI_CALL layer_create_session(
    XrInstance instance, const XrSessionCreateInfo *info, XrSession *session);
XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_session(XrSession session);
XRAPI_ATTR XrResult XRAPI_CALL layer_create_reference_space(
    XrSession session, const XrReferenceSpaceCreateInfo *info, XrSpace *space);
XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_space(XrSpace space);
XRAPI_ATTR XrResult XRAPI_CALL layer_get_bounds(XrSession session, XrReferenceSpaceType type, XrExtent2Df *bounds);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_space(XrSpace space, XrSpace base, XrTime time, XrSpaceLocation *location);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_spaces(
    XrSession session, const XrSpacesLocateInfo *info, XrSpaceLocations *locations);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_views(
    XrSession session, const XrViewLocateInfo *info, XrViewState *state, uint32_t capacity, uint32_t *count,
    XrView *views);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_hand_joints(
    XrHandTrackerEXT tracker, const XrHandJointsLocateInfoEXT *info, XrHandJointLocationsEXT *locations);
XRAPI_ATTR XrResult XRAPI_CALL layer_wait_frame(
    XrSession session, const XrFrameWaitInfo *info, XrFrameState *state);
XRAPI_ATTR XrResult XRAPI_CALL layer_end_frame(XrSession session, const XrFrameEndInfo *info);
XRAPI_ATTR XrResult XRAPI_CALL layer_create_geospatial_tracker(
    XrSession session, const XrGeospatialTrackerCreateInfoANDROID *info, XrGeospatialTrackerANDROID *tracker);
XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_geospatial_tracker(XrGeospatialTrackerANDROID tracker);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_geospatial_pose_from_pose(
    XrGeospatialTrackerANDROID tracker, const XrGeospatialPoseFromPoseLocateInfoANDROID *info,
    XrGeospatialPoseResultANDROID *result);
XRAPI_ATTR XrResult XRAPI_CALL layer_locate_geospatial_pose(
    XrGeospatialTrackerANDROID tracker, const XrGeospatialPoseLocateInfoANDROID *info, XrSpaceLocation *location);
XRAPI_ATTR XrResult XRAPI_CALL layer_check_vps_availability(
    XrSession session, double latitude, double longitude, XrFutureEXT *future);
XRAPI_ATTR XrResult XRAPI_CALL layer_complete_vps_availability(
    XrSession session, XrFutureEXT future, XrVPSAvailabilityCheckCompletionANDROID *completion);
XRAPI_ATTR XrResult XRAPI_CALL layer_poll_future(
    XrInstance instance, const XrFuturePollInfoEXT *info, XrFuturePollResultEXT *result);
XRAPI_ATTR XrResult XRAPI_CALL layer_cancel_future(XrInstance instance, const XrFutureCancelInfoEXT *info);
XRAPI_ATTR XrResult XRAPI_CALL layer_enumerate_placements(
    XrGeospatialTrackerANDROID tracker, uint32_t capacity, uint32_t *count, XrPlacementWAYMARK *placements);
XRAPI_ATTR XrResult XRAPI_CALL layer_create_placement_space(
    XrGeospatialTrackerANDROID tracker, const XrPlacementSpaceCreateInfoWAYMARK *info, XrSpace *space);

#endif
