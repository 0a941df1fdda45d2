#include "earth.h"
#include "geodesy.h"

#define DEGREE (3.14159265358979323846 / 180)

/* The daemon knows where the scene lies on the earth, and how well. */
bool is_on_earth(const struct waymark_ring_slot *pose)
{
    const uint32_t wanted = WAYMARK_RING_HAS_MAP | WAYMARK_RING_HAS_GEO | WAYMARK_RING_HAS_HORIZONTAL_ACCURACY |
        WAYMARK_RING_HAS_VERTICAL_ACCURACY | WAYMARK_RING_HAS_YAW_ACCURACY;
    return pose && (pose->fields & wanted) == wanted &&
        pose->heading_reference == WAYMARK_HEADING_REFERENCE_TRUE_NORTH;
}

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

bool earth_find(struct moment *moment, struct earth *earth)
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

XrGeospatialPoseANDROID earth_pose_of_scene(const struct earth *earth, struct pose in_scene)
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
    if (!geospatial_is_running(session) || !earth_find(&moment, &earth))
        return XR_ERROR_GEOSPATIAL_TRACKER_NOT_RUNNING_ANDROID;
    space = space_find(info->space);
    if (space && space->session != session)
        return XR_ERROR_HANDLE_INVALID;
    outcome = moment_locate(&moment, space, info->space, &in_scene);
    if (XR_FAILED(outcome) || (in_scene.location & LOCATED) != LOCATED)
        return outcome;
    in_scene.pose = pose_product(in_scene.pose, pose_of_xr(info->pose));
    result->geospatialPose = earth_pose_of_scene(&earth, in_scene.pose);
    away = vector_difference(in_scene.pose.position, earth.head);
    distance = hypot(away.x, away.z);
    yaw = hypot(earth.pose.yaw_accuracy, earth.yaw);
    result->horizontalAccuracy = hypot(
        hypot(earth.pose.horizontal_accuracy, earth.across), distance * 2 * sin(fmin(yaw, 180) * DEGREE / 2));
    result->verticalAccuracy = hypot(earth.pose.vertical_accuracy, earth.rise);
    result->orientationYawAccuracy = fmin(yaw, 180);
    result->poseFlags = GEOSPATIAL_POSE_VALID;
    return XR_SUCCESS;
}

bool is_on_globe(double latitude, double longitude)
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
    if (!geospatial_is_running(session) || !earth_find(&moment, &earth))
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
