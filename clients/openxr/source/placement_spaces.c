/* XR_WAYMARK_placements: the daemon's placements, and spaces of them. */
#include "earth.h"
#include "placements.h"

#include <stdlib.h>

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
    to->geospatialPose = earth_pose_of_scene(earth, in_scene);
    to->poseFlags = GEOSPATIAL_POSE_VALID;
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
    has_earth = geospatial_is_running(session) && earth_find(&moment, &earth);
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
