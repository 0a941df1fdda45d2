/* The head and other points on the earth, and the daemon's placements. */
#include "program.h"
#include "scenarios.h"

#include "geodesy.h"

#include <math.h>

static XrGeospatialTrackerANDROID tracker;

static XrResult on_earth(XrSpace space, struct pose pose, XrTime time, XrGeospatialPoseResultANDROID *result)
{
    XrGeospatialPoseFromPoseLocateInfoANDROID info = {.type = XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID};
    info.space = space;
    info.time = time;
    info.pose = pose_to_xr(pose);
    memset(result, 0, sizeof *result);
    result->type = XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID;
    return program.call.xrLocateGeospatialPoseFromPoseANDROID(tracker, &info, result);
}

static XrResult from_earth(
    XrSpace space, const XrGeospatialPoseANDROID *pose, XrTime time, XrSpaceLocation *location)
{
    const XrGeospatialPoseLocateInfoANDROID info = {
        XR_TYPE_GEOSPATIAL_POSE_LOCATE_INFO_ANDROID, NULL, space, time, *pose};
    memset(location, 0, sizeof *location);
    location->type = XR_TYPE_SPACE_LOCATION;
    return program.call.xrLocateGeospatialPoseANDROID(tracker, &info, location);
}

static void wait_for_tracker(void)
{
    const XrGeospatialTrackerCreateInfoANDROID info = {XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID, NULL};
    XrGeospatialPoseResultANDROID result;
    const int before = program.tracker_changes;
    SUCCEEDS(program.call.xrCreateGeospatialTrackerANDROID(program.session, &info, &tracker));
    GIVES(XR_ERROR_GEOSPATIAL_TRACKER_NOT_RUNNING_ANDROID, on_earth(program.view, NO_POSE, program.display, &result));
    while (program.tracker_state.state != XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID)
        (void)program_frame();
    CHECK(program.tracker_changes == before + 2 && program.tracker_state.geospatialTracker == tracker &&
            program.tracker_state.initializationResult == XR_SUCCESS,
        "%d events", program.tracker_changes - before);
}

static void check_head(void)
{
    XrGeospatialPoseResultANDROID result;
    struct waymark_ring_slot newest;
    struct vector away;
    WITH_ONE_POSE({
        /* The daemon's position is that of the time of its pose. */
        newest = ring_newest().pose;
        SUCCEEDS(on_earth(program.view, NO_POSE, newest.time - boot_time(0), &result));
    });
    CHECK(result.poseFlags == (XR_GEOSPATIAL_POSE_ORIENTATION_VALID_BIT_ANDROID |
        XR_GEOSPATIAL_POSE_POSITION_VALID_BIT_ANDROID), "%x", (unsigned)result.poseFlags);
    away = pose_applied(
        pose_inverse(earth_from_east_up_south((struct geographic){newest.latitude, newest.longitude, newest.height})),
        earth_from_east_up_south((struct geographic){
            result.geospatialPose.latitude, result.geospatialPose.longitude, result.geospatialPose.altitude}).position);
    CHECK(hypot(away.x, away.z) <= result.horizontalAccuracy && fabs(away.y) <= result.verticalAccuracy,
        "the head is %g m across and %g m above the daemon's; accuracies are %g and %g", hypot(away.x, away.z), away.y,
        result.horizontalAccuracy, result.verticalAccuracy);
    CHECK(result.horizontalAccuracy >= newest.horizontal_accuracy && result.horizontalAccuracy < 50 &&
            result.orientationYawAccuracy >= newest.yaw_accuracy && result.orientationYawAccuracy < 90,
        "%g m, %g degrees", result.horizontalAccuracy, result.orientationYawAccuracy);
    if (newest.fields & WAYMARK_RING_HAS_HEADING) {
        const struct vector sight = quaternion_turned(
            quaternion_of_xr(result.geospatialPose.eastUpSouthOrientation), (struct vector){0, 0, -1});
        const double heading = atan2(sight.x, -sight.z) * 180 / 3.14159265358979323846;
        CHECK(fabs(remainder(heading - newest.heading, 360)) <= result.orientationYawAccuracy + 0.1,
            "the head looks to %g, the daemon says %g", heading, newest.heading);
    }
}

static void check_round_trips(uint64_t *random)
{
    const XrTime time = program_frame();
    struct pose pose = random_pose(random, 577);
    XrGeospatialPoseResultANDROID result;
    XrSpaceLocation location;
    WITH_ONE_POSE({
        SUCCEEDS(on_earth(program.local, pose, time, &result));
        SUCCEEDS(from_earth(program.local, &result.geospatialPose, time, &location));
    });
    CHECK(location.locationFlags & XR_SPACE_LOCATION_POSITION_VALID_BIT, "not located");
    /* Floats of a kilometre have steps of 0.06 mm. */
    check_pose("there and back", pose_of_xr(location.pose), pose, 1e-5, 1e-3);
    pose = random_pose(random, 20);
    WITH_ONE_POSE({
        SUCCEEDS(on_earth(program.view, pose, time, &result));
        SUCCEEDS(from_earth(program.view, &result.geospatialPose, time, &location));
    });
    check_pose("there and back of VIEW", pose_of_xr(location.pose), pose, 1e-5, 1e-3);
}

static void check_wrong_arguments(void)
{
    const XrTime time = program_frame();
    const float nan = (float)NAN;
    struct pose pose = NO_POSE;
    XrGeospatialPoseResultANDROID result;
    XrGeospatialPoseANDROID place = {{0, 0, 0, 1}, 47, 8, 400};
    XrGeospatialPoseFromPoseLocateInfoANDROID info = {.type = XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID};
    XrVPSAvailabilityCheckCompletionANDROID completion = {.type = XR_TYPE_VPS_AVAILABILITY_CHECK_COMPLETION_ANDROID};
    XrFuturePollInfoEXT poll = {.type = XR_TYPE_FUTURE_POLL_INFO_EXT};
    XrFuturePollResultEXT ready = {.type = XR_TYPE_FUTURE_POLL_RESULT_EXT};
    XrGeospatialTrackerANDROID other;
    const XrGeospatialTrackerCreateInfoANDROID create = {XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID, NULL};
    XrPlacementSpaceCreateInfoWAYMARK unknown = {.type = XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK};
    XrSpaceLocation location;
    XrSpace space;
    XrFutureEXT future;
    GIVES(XR_ERROR_LIMIT_REACHED, program.call.xrCreateGeospatialTrackerANDROID(program.session, &create, &other));
    GIVES(XR_ERROR_HANDLE_INVALID, program.call.xrLocateGeospatialPoseFromPoseANDROID(NULL, &info, &result));
    GIVES(XR_ERROR_HANDLE_INVALID, on_earth((XrSpace)(size_t)0x1234567, pose, time, &result));
    GIVES(XR_ERROR_VALIDATION_FAILURE, program.call.xrLocateGeospatialPoseFromPoseANDROID(tracker, NULL, &result));
    GIVES(XR_ERROR_VALIDATION_FAILURE, program.call.xrLocateGeospatialPoseFromPoseANDROID(tracker, &info, NULL));
    GIVES(XR_ERROR_TIME_INVALID, on_earth(program.view, pose, 0, &result));
    pose.position.x = NAN;
    GIVES(XR_ERROR_POSE_INVALID, on_earth(program.view, pose, time, &result));
    info.pose.orientation.w = nan;
    result.type = XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID;
    info.space = program.view;
    info.time = time;
    GIVES(XR_ERROR_POSE_INVALID, program.call.xrLocateGeospatialPoseFromPoseANDROID(tracker, &info, &result));
    place.latitude = 90.001;
    GIVES(XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID, from_earth(program.local, &place, time, &location));
    place.latitude = 47;
    place.longitude = NAN;
    GIVES(XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID, from_earth(program.local, &place, time, &location));
    GIVES(XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID, program.call.xrCheckVpsAvailabilityAsyncANDROID(
        program.session, 0, 181, &future));
    SUCCEEDS(program.call.xrCheckVpsAvailabilityAsyncANDROID(program.session, 47, 8, &future));
    poll.future = future;
    SUCCEEDS(program.call.xrPollFutureEXT(program.instance, &poll, &ready));
    CHECK(ready.state == XR_FUTURE_STATE_READY_EXT, "%d", (int)ready.state);
    SUCCEEDS(program.call.xrCheckVpsAvailabilityCompleteANDROID(program.session, future, &completion));
    CHECK(completion.futureResult == XR_SUCCESS &&
        completion.availability == XR_VPS_AVAILABILITY_UNAVAILABLE_ANDROID, "%d", (int)completion.availability);
    GIVES(XR_ERROR_FUTURE_INVALID_EXT, program.call.xrCheckVpsAvailabilityCompleteANDROID(
        program.session, future, &completion));
    GIVES(XR_ERROR_FUTURE_INVALID_EXT, program.call.xrPollFutureEXT(program.instance, &poll, &ready));
    unknown.poseInPlacementSpace = pose_to_xr(NO_POSE);
    strcpy(unknown.id, "nothing has this name");
    GIVES(XR_ERROR_PLACEMENT_UNKNOWN_WAYMARK, program.call.xrCreatePlacementSpaceWAYMARK(tracker, &unknown, &space));
}

static uint32_t list(XrPlacementWAYMARK *placements, uint32_t most)
{
    uint32_t count, index;
    SUCCEEDS(program.call.xrEnumeratePlacementsWAYMARK(tracker, 0, &count, NULL));
    CHECK(count > 0 && count <= most, "%u placements", count);
    if (count > 1)
        GIVES(XR_ERROR_SIZE_INSUFFICIENT, program.call.xrEnumeratePlacementsWAYMARK(tracker, 1, &count, placements));
    for (index = 0; index < most; index++)
        placements[index].type = XR_TYPE_PLACEMENT_WAYMARK;
    SUCCEEDS(program.call.xrEnumeratePlacementsWAYMARK(tracker, most, &count, placements));
    return count;
}

/* As the daemon's scene lies on the earth by its newest pose. */
static const XrPlacementWAYMARK *find(const char *id)
{
    static XrPlacementWAYMARK placements[256];
    const uint32_t count = list(placements, 256);
    uint32_t index;
    for (index = 0; index < count; index++)
        if (strcmp(placements[index].id, id) == 0)
            return &placements[index];
    CHECK(false, "%s is not there any more", id);
    return NULL;
}

/* Each placement with its position in the scene, for the test to compare with the daemon's message. */
static void print_placements(void)
{
    static XrPlacementWAYMARK placements[256];
    const XrTime time = program_frame();
    const uint32_t count = list(placements, 256);
    uint32_t index;
    for (index = 0; index < count; index++) {
        XrPlacementSpaceCreateInfoWAYMARK info = {.type = XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK};
        const XrPlacementWAYMARK *place;
        struct motion in_scene, in_view, head;
        XrGeospatialPoseResultANDROID on_globe;
        XrSpace space;
        info.poseInPlacementSpace = pose_to_xr(NO_POSE);
        memcpy(info.id, placements[index].id, sizeof info.id);
        SUCCEEDS(program.call.xrCreatePlacementSpaceWAYMARK(tracker, &info, &space));
        WITH_ONE_POSE({
            head = ring_head(time);
            place = find(placements[index].id);
            in_scene = program_locate(space, program.local, time);
            in_view = program_locate(space, program.view, time);
            SUCCEEDS(on_earth(space, NO_POSE, time, &on_globe));
        });
        CHECK((in_scene.location & LOCATED) == LOCATED, "%s is nowhere", placements[index].id);
        check_pose(
            placements[index].id, in_view.pose, motion_product(motion_inverse(head), in_scene).pose, NEAR_ANGLE,
            5 * NEAR_DISTANCE);
        if (!placements[index].isHeadLocked) {
            const XrGeospatialPoseANDROID *one = &place->geospatialPose, *other = &on_globe.geospatialPose;
            CHECK(place->poseFlags && fabs(one->latitude - other->latitude) < 1e-8 &&
                fabs(one->longitude - other->longitude) < 1e-8 && fabs(one->altitude - other->altitude) < 1e-3,
                "%s is elsewhere on the earth", placements[index].id);
        }
        printf("placement\t%s\t%s\t%s\t%d\t%.4f\t%.4f\t%.4f\n", placements[index].id, placements[index].name,
            placements[index].kind, placements[index].isHeadLocked, in_scene.pose.position.x, in_scene.pose.position.y,
            in_scene.pose.position.z);
        SUCCEEDS(program.call.xrDestroySpace(space));
    }
}

void geospatial(void)
{
    uint64_t random = 7;
    XrGeospatialPoseResultANDROID result;
    uint32_t count = 0;
    int round;
    program_begin(true);
    program_wait_for_scene();
    wait_for_tracker();
    for (round = 0; round < 20; round++)
        check_head();
    for (round = 0; round < 50; round++)
        check_round_trips(&random);
    check_wrong_arguments();
    /* The scene comes by a connection of its own. */
    while (count == 0) {
        (void)program_frame();
        SUCCEEDS(program.call.xrEnumeratePlacementsWAYMARK(tracker, 0, &count, NULL));
    }
    for (round = 0; round < 10; round++)
        (void)program_frame();
    /* Again where the daemon's scene has changed meanwhile. */
    do
        print_placements();
    while (!program_ask("compare"));
    SUCCEEDS(program.call.xrDestroyGeospatialTrackerANDROID(tracker));
    GIVES(XR_ERROR_HANDLE_INVALID, program.call.xrDestroyGeospatialTrackerANDROID(tracker));
    GIVES(XR_ERROR_HANDLE_INVALID, on_earth(program.view, NO_POSE, program.display, &result));
    program_end();
}
