#include "geodesy.h"
#include "locate.h"
#include "placements.h"

#include <stdlib.h>

#define DEGREE (3.14159265358979323846 / 180)
/* Handles of trackers, and futures, are numbers that no runtime gives. */
#define FIRST_TRACKER UINT64_C(0x57415954524B0000)
#define FIRST_FUTURE UINT64_C(0x5741594655540000)
/* Of a session, asked for and not yet completed: bits of a word. */
#define MOST_FUTURES 64

#define POSE_VALID (XR_GEOSPATIAL_POSE_POSITION_VALID_BIT_ANDROID | XR_GEOSPATIAL_POSE_ORIENTATION_VALID_BIT_ANDROID)

static uint64_t trackers_made;

/* The daemon knows where the scene lies on the earth, and how well. */
static bool is_on_earth(const struct waymark_ring_slot *pose)
{
    const uint32_t wanted = WAYMARK_RING_HAS_MAP | WAYMARK_RING_HAS_GEO | WAYMARK_RING_HAS_HORIZONTAL_ACCURACY |
        WAYMARK_RING_HAS_VERTICAL_ACCURACY | WAYMARK_RING_HAS_YAW_ACCURACY;
    return pose && (pose->fields & wanted) == wanted &&
        pose->heading_reference == WAYMARK_HEADING_REFERENCE_TRUE_NORTH;
}

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

/* The earth at a moment, by the alignment that the daemon publishes. */
struct earth {
    struct waymark_ring_slot pose;
    struct pose earth_from_scene;
    struct vector head;
    /* How far the program's head may be from the daemon's best estimate of it. Units: m, m, degrees. */
    double across, rise, yaw;
};

/* What the published alignment still lacks of the estimate, whose latitude, longitude and heading the pose has. */
static void add_alignment(struct earth *earth, const struct waymark_ring_slot *pose)
{
    const struct quaternion orientation = {
        pose->orientation[0], pose->orientation[1], pose->orientation[2], pose->orientation[3]};
    const struct vector position = {pose->position[0], pose->position[1], pose->position[2]};
    const struct vector sight = quaternion_turned(orientation, (struct vector){0, 0, -1});
    const struct pose estimate =
        earth_from_east_up_south((struct geographic){pose->latitude, pose->longitude, pose->height});
    const struct vector apart = pose_applied(pose_inverse(estimate), pose_applied(earth->earth_from_scene, position));
    earth->across += hypot(apart.x, apart.z);
    earth->rise += fabs(apart.y);
    /* Looking up or down has no heading. */
    if ((pose->fields & WAYMARK_RING_HAS_HEADING) && hypot(sight.x, sight.z) > 0.2)
        earth->yaw += fabs(remainder(atan2(sight.x, -sight.z) / DEGREE - pose->map_yaw - pose->heading, 360));
}

/* What a slew, or the runtime's own tracking, puts between the head of the program and that of the daemon. */
static void add_tracking(struct earth *earth, struct pose head, struct pose daemon_head)
{
    const struct vector apart = vector_difference(head.position, daemon_head.position);
    earth->across += hypot(apart.x, apart.z);
    earth->rise += fabs(apart.y);
    earth->yaw += fabs(remainder(
        quaternion_yaw(quaternion_product(head.orientation, quaternion_conjugate(daemon_head.orientation))) / DEGREE,
        360));
}

static bool find_earth(struct moment *moment, struct earth *earth)
{
    const struct space view = {.kind = SPACE_HEAD, .offset = NO_POSE};
    const struct waymark_ring_slot *pose = &earth->pose;
    struct waymark_reading reading;
    struct motion head;
    (void)waymark_reader_newest(moment->session->reader, &reading);
    if (reading.number == 0 || !is_on_earth(&reading.pose) || moment->track->source == TRACK_NONE ||
        reading.daemon_generation != moment->track->daemon_generation ||
        reading.pose.generation != moment->track->scene_generation ||
        XR_FAILED(moment_locate(moment, &view, moment->session->view, &head)))
        return false;
    (void)waymark_predict(&reading.pose, snapshot_boottime(&moment->snapshot, moment->time), &earth->pose);
    earth->earth_from_scene = pose_product(
        earth_from_east_up_south((struct geographic){pose->map_latitude, pose->map_longitude, pose->map_height}),
        (struct pose){
            quaternion_of_yaw(pose->map_yaw * DEGREE), {pose->map_east, pose->map_up, -pose->map_north}});
    earth->head = head.pose.position;
    earth->across = earth->rise = earth->yaw = 0;
    add_alignment(earth, &reading.pose);
    add_tracking(earth, head.pose, follower_head(&moment->snapshot, &reading.pose, moment->time).pose);
    return true;
}

static bool is_running(const struct session *session)
{
    return __atomic_load_n(&session->tracker.state, __ATOMIC_ACQUIRE) == XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID;
}

static XrGeospatialPoseANDROID geospatial_of_scene(const struct earth *earth, struct pose in_scene)
{
    const struct pose on_earth = pose_product(earth->earth_from_scene, in_scene);
    const struct geographic point = geographic_of_earth(on_earth.position);
    const struct quaternion level = earth_from_east_up_south(point).orientation;
    return (XrGeospatialPoseANDROID){
        quaternion_to_xr(quaternion_product(quaternion_conjugate(level), on_earth.orientation)), point.latitude,
        point.longitude, point.height};
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_geospatial_pose_from_pose(
    XrGeospatialTrackerANDROID handle, const XrGeospatialPoseFromPoseLocateInfoANDROID *info,
    XrGeospatialPoseResultANDROID *result)
{
    const struct session *session = session_of_tracker(handle);
    const struct space *space;
    struct moment moment;
    struct earth earth;
    struct motion in_scene;
    struct vector away;
    double distance, yaw;
    XrResult outcome;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!info || info->type != XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID || !result ||
        result->type != XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID)
        return XR_ERROR_VALIDATION_FAILURE;
    if (!pose_is_sound(info->pose))
        return XR_ERROR_POSE_INVALID;
    if (info->time <= 0)
        return XR_ERROR_TIME_INVALID;
    result->poseFlags = 0;
    moment_begin(&moment, session, info->time);
    if (!is_running(session) || !find_earth(&moment, &earth))
        return XR_ERROR_GEOSPATIAL_TRACKER_NOT_RUNNING_ANDROID;
    space = space_find(info->space);
    if (space && space->session != session)
        return XR_ERROR_HANDLE_INVALID;
    outcome = moment_locate(&moment, space, info->space, &in_scene);
    if (XR_FAILED(outcome) || (in_scene.location & LOCATED) != LOCATED)
        return outcome;
    in_scene.pose = pose_product(in_scene.pose, pose_of_xr(info->pose));
    result->geospatialPose = geospatial_of_scene(&earth, in_scene.pose);
    away = vector_difference(in_scene.pose.position, earth.head);
    distance = hypot(away.x, away.z);
    yaw = hypot(earth.pose.yaw_accuracy, earth.yaw);
    result->horizontalAccuracy = hypot(
        hypot(earth.pose.horizontal_accuracy, earth.across), distance * 2 * sin(fmin(yaw, 180) * DEGREE / 2));
    result->verticalAccuracy = hypot(earth.pose.vertical_accuracy, earth.rise);
    result->orientationYawAccuracy = fmin(yaw, 180);
    result->poseFlags = POSE_VALID;
    return XR_SUCCESS;
}

static bool is_on_globe(double latitude, double longitude)
{
    return fabs(latitude) <= 90 && fabs(longitude) <= 180;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_geospatial_pose(
    XrGeospatialTrackerANDROID handle, const XrGeospatialPoseLocateInfoANDROID *info, XrSpaceLocation *location)
{
    const struct session *session = session_of_tracker(handle);
    const XrGeospatialPoseANDROID *geospatial;
    const struct space *space;
    struct moment moment;
    struct earth earth;
    struct motion base, relation;
    struct pose on_earth, in_scene;
    XrResult outcome;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!info || info->type != XR_TYPE_GEOSPATIAL_POSE_LOCATE_INFO_ANDROID || !location ||
        location->type != XR_TYPE_SPACE_LOCATION)
        return XR_ERROR_VALIDATION_FAILURE;
    geospatial = &info->geospatialPose;
    if (!is_on_globe(geospatial->latitude, geospatial->longitude) || !isfinite(geospatial->altitude))
        return XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID;
    if (!pose_is_sound((XrPosef){geospatial->eastUpSouthOrientation, {0, 0, 0}}))
        return XR_ERROR_VALIDATION_FAILURE;
    if (info->time <= 0)
        return XR_ERROR_TIME_INVALID;
    location->locationFlags = 0;
    moment_begin(&moment, session, info->time);
    if (!is_running(session) || !find_earth(&moment, &earth))
        return XR_ERROR_GEOSPATIAL_TRACKER_NOT_RUNNING_ANDROID;
    space = space_find(info->space);
    if (space && space->session != session)
        return XR_ERROR_HANDLE_INVALID;
    outcome = moment_locate(&moment, space, info->space, &base);
    if (XR_FAILED(outcome) || (base.location & LOCATED) != LOCATED)
        return outcome;
    on_earth = earth_from_east_up_south(
        (struct geographic){geospatial->latitude, geospatial->longitude, geospatial->altitude});
    on_earth.orientation = quaternion_product(
        on_earth.orientation, quaternion_of_xr(geospatial->eastUpSouthOrientation));
    in_scene = pose_product(pose_inverse(earth.earth_from_scene), on_earth);
    relation = motion_product(motion_inverse(base), motion_at_rest(in_scene));
    location_fill(&relation, location);
    return XR_SUCCESS;
}

/* The session of a future of the layer, and its bit; NULL where there is no such future. */
static struct session *find_future(XrFutureEXT future, uint64_t *bit)
{
    const uint64_t number = (uint64_t)(size_t)future - FIRST_FUTURE;
    struct session *session;
    if (number >= (uint64_t)MOST_SESSIONS * MOST_FUTURES)
        return NULL;
    session = &the_instance.sessions[number / MOST_FUTURES];
    *bit = UINT64_C(1) << number % MOST_FUTURES;
    return __atomic_load_n(&session->futures, __ATOMIC_ACQUIRE) & *bit ? session : NULL;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_check_vps_availability(
    XrSession handle, double latitude, double longitude, XrFutureEXT *future)
{
    struct session *session = session_find(handle);
    uint64_t index;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!future)
        return XR_ERROR_VALIDATION_FAILURE;
    if (!is_on_globe(latitude, longitude))
        return XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID;
    for (index = 0; index < MOST_FUTURES; index++)
        if (!(__atomic_fetch_or(&session->futures, UINT64_C(1) << index, __ATOMIC_ACQ_REL) & UINT64_C(1) << index)) {
            *future = (XrFutureEXT)(size_t)(
                FIRST_FUTURE + (uint64_t)(session - the_instance.sessions) * MOST_FUTURES + index);
            return XR_SUCCESS;
        }
    return XR_ERROR_LIMIT_REACHED;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_complete_vps_availability(
    XrSession handle, XrFutureEXT future, XrVPSAvailabilityCheckCompletionANDROID *completion)
{
    struct session *session = session_find(handle);
    uint64_t bit;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!completion || completion->type != XR_TYPE_VPS_AVAILABILITY_CHECK_COMPLETION_ANDROID)
        return XR_ERROR_VALIDATION_FAILURE;
    if (find_future(future, &bit) != session)
        return XR_ERROR_FUTURE_INVALID_EXT;
    (void)__atomic_fetch_and(&session->futures, ~bit, __ATOMIC_ACQ_REL);
    completion->futureResult = XR_SUCCESS;
    completion->availability = XR_VPS_AVAILABILITY_UNAVAILABLE_ANDROID;
    return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_poll_future(
    XrInstance instance, const XrFuturePollInfoEXT *info, XrFuturePollResultEXT *result)
{
    uint64_t bit;
    if (!info || !result)
        return XR_ERROR_VALIDATION_FAILURE;
    if (find_future(info->future, &bit)) {
        result->state = XR_FUTURE_STATE_READY_EXT;
        return XR_SUCCESS;
    }
    return the_instance.next.poll_future ? the_instance.next.poll_future(instance, info, result) :
        XR_ERROR_FUTURE_INVALID_EXT;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_cancel_future(XrInstance instance, const XrFutureCancelInfoEXT *info)
{
    struct session *session;
    uint64_t bit;
    if (!info)
        return XR_ERROR_VALIDATION_FAILURE;
    session = find_future(info->future, &bit);
    if (session) {
        (void)__atomic_fetch_and(&session->futures, ~bit, __ATOMIC_ACQ_REL);
        return XR_SUCCESS;
    }
    return the_instance.next.cancel_future ? the_instance.next.cancel_future(instance, info) :
        XR_ERROR_FUTURE_INVALID_EXT;
}

static void fill_placement(
    XrPlacementWAYMARK *to, const struct placement *from, const struct moment *moment, const struct earth *earth)
{
    struct pose in_scene = NO_POSE;
    memcpy(to->id, from->id, sizeof to->id);
    memcpy(to->name, from->name, sizeof to->name);
    memcpy(to->kind, from->kind, sizeof to->kind);
    to->isHeadLocked = from->is_head_locked;
    to->poseFlags = 0;
    if (from->is_head_locked || !earth || from->scene_generation != moment->track->scene_generation)
        return;
    in_scene.position = (struct vector){from->position[0], from->position[1], from->position[2]};
    to->geospatialPose = geospatial_of_scene(earth, in_scene);
    to->poseFlags = POSE_VALID;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_enumerate_placements(
    XrGeospatialTrackerANDROID handle, uint32_t capacity, uint32_t *count, XrPlacementWAYMARK *placements)
{
    struct session *session = session_of_tracker(handle);
    struct placement *list = NULL;
    struct moment moment;
    struct earth earth;
    uint32_t index, room;
    bool has_earth;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!count || (capacity > 0 && !placements))
        return XR_ERROR_VALIDATION_FAILURE;
    *count = placements_list(session->tracker.placements, 0, NULL);
    if (capacity == 0)
        return XR_SUCCESS;
    if (capacity < *count)
        return XR_ERROR_SIZE_INSUFFICIENT;
    room = *count;
    list = calloc(room ? room : 1, sizeof *list);
    if (!list)
        return XR_ERROR_OUT_OF_MEMORY;
    *count = placements_list(session->tracker.placements, room, list);
    moment_begin(&moment, session, waymark_now() - snapshots_newest(&session->snapshots).clock_offset);
    has_earth = is_running(session) && find_earth(&moment, &earth);
    for (index = 0; index < *count && index < room; index++)
        fill_placement(&placements[index], &list[index], &moment, has_earth ? &earth : NULL);
    free(list);
    return *count > room ? XR_ERROR_SIZE_INSUFFICIENT : XR_SUCCESS;
}

static XrResult make_placement_space(
    struct session *session, const struct placement *placement, struct pose offset, XrSpace *made)
{
    /* The runtime knows it as one of its own, so that its handle means something everywhere. */
    XrReferenceSpaceCreateInfo carrier = {
        .type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO, .referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL};
    struct space space = {.kind = SPACE_PLACEMENT};
    XrResult result;
    carrier.poseInReferenceSpace = pose_to_xr(NO_POSE);
    result = the_instance.next.create_reference_space(session->handle, &carrier, made);
    if (XR_FAILED(result))
        return result;
    space.session = session;
    space.offset = offset;
    memcpy(space.id, placement->id, sizeof space.id);
    placement_place_publish(&space.place, placement);
    if (space_add(*made, &space))
        return result;
    (void)the_instance.next.destroy_space(*made);
    *made = XR_NULL_HANDLE;
    return XR_ERROR_LIMIT_REACHED;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_create_placement_space(
    XrGeospatialTrackerANDROID handle, const XrPlacementSpaceCreateInfoWAYMARK *info, XrSpace *made)
{
    struct session *session = session_of_tracker(handle);
    struct placement placement;
    XrResult result;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!info || info->type != XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK || !made ||
        !memchr(info->id, 0, sizeof info->id))
        return XR_ERROR_VALIDATION_FAILURE;
    if (!pose_is_sound(info->poseInPlacementSpace))
        return XR_ERROR_POSE_INVALID;
    /* The daemon's next message is not taken between the search and the space. */
    (void)pthread_mutex_lock(&session->lock);
    result = session->tracker.placements && placements_find(session->tracker.placements, info->id, &placement) ?
        make_placement_space(session, &placement, pose_of_xr(info->poseInPlacementSpace), made) :
        XR_ERROR_PLACEMENT_UNKNOWN_WAYMARK;
    (void)pthread_mutex_unlock(&session->lock);
    return result;
}
