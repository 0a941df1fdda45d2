#include "locate.h"
#include "placements.h"

void moment_begin(struct moment *moment, const struct session *session, XrTime time)
{
    moment->session = session;
    moment->time = time;
    moment->snapshot = snapshots_newest(&session->snapshots);
    moment->track = snapshot_track(&moment->snapshot, time);
    moment->has_frame = false;
}

/* The head by the pose ring; false where the ring is of another scene by now, or has none. */
static bool ring_head(const struct moment *moment, struct motion *head)
{
    const struct track *track = moment->track;
    const int64_t time = snapshot_boottime(&moment->snapshot, moment->time);
    struct waymark_reading newest, earlier;
    (void)waymark_reader_newest(moment->session->reader, &newest);
    if (newest.number == 0 || newest.daemon_generation != track->daemon_generation ||
        newest.pose.generation != track->scene_generation)
        return false;
    if (time < newest.pose.time && waymark_reader_at(moment->session->reader, time, &earlier) == WAYMARK_OK &&
        earlier.pose.generation == track->scene_generation)
        newest = earlier;
    *head = follower_head(&moment->snapshot, &newest.pose, moment->time);
    return true;
}

const struct frame *moment_frame(struct moment *moment)
{
    const struct pose slew = slew_at(&moment->track->slew, moment->time);
    struct motion head;
    if (moment->has_frame)
        return &moment->frame;
    moment->has_frame = true;
    if (moment->track->source == TRACK_SCENE && ring_head(moment, &head))
        moment->frame = (struct frame){moment->session->view, motion_product(motion_at_rest(slew), head)};
    else
        moment->frame = (struct frame){
            moment->session->local, motion_at_rest(pose_product(slew, moment->track->alignment))};
    return &moment->frame;
}

static struct motion motion_of_location(const XrSpaceLocation *location, const XrSpaceVelocity *velocity)
{
    struct motion motion = motion_at_rest(NO_POSE);
    motion.location = location->locationFlags;
    motion.velocity = 0;
    if ((location->locationFlags & LOCATED) != 0)
        motion.pose = pose_of_xr(location->pose);
    if (velocity) {
        motion.velocity = velocity->velocityFlags;
        if (velocity->velocityFlags & XR_SPACE_VELOCITY_LINEAR_VALID_BIT)
            motion.linear = vector_of_xr(velocity->linearVelocity);
        if (velocity->velocityFlags & XR_SPACE_VELOCITY_ANGULAR_VALID_BIT)
            motion.angular = vector_of_xr(velocity->angularVelocity);
    }
    return motion;
}

/* `location` is that of the program, with all that it asks for. */
static XrResult locate_by_runtime(
    struct moment *moment, XrSpace handle, XrSpaceLocation *location, struct motion *in_scene)
{
    const struct frame *frame = moment_frame(moment);
    const XrResult result = the_instance.next.locate_space(handle, frame->base, moment->time, location);
    if (XR_SUCCEEDED(result))
        *in_scene = motion_product(
            frame->in_scene,
            motion_of_location(location, chain_find(location->next, XR_TYPE_SPACE_VELOCITY)));
    return result;
}

bool moment_placement(const struct moment *moment, const struct space *space, struct pose *pose, bool *is_head_locked)
{
    const struct placement_position place = placement_place_newest(&space->place);
    *pose = pose_product((struct pose){NO_ROTATION, {place.x, place.y, place.z}}, space->offset);
    *is_head_locked = place.is_head_locked;
    return place.is_there && place.scene_generation == moment->track->scene_generation;
}

static XrResult locate_placement(struct moment *moment, const struct space *space, struct motion *in_scene)
{
    XrResult result = XR_SUCCESS;
    struct pose pose;
    bool is_head_locked;
    const bool is_there = moment_placement(moment, space, &pose, &is_head_locked);
    *in_scene = motion_at_rest(NO_POSE);
    if (is_there && is_head_locked) {
        const struct space view = {.kind = SPACE_HEAD, .offset = NO_POSE};
        result = moment_locate(moment, &view, moment->session->view, in_scene);
    }
    *in_scene = motion_product(*in_scene, motion_at_rest(pose));
    if (!is_there)
        in_scene->location = in_scene->velocity = 0;
    return result;
}

static XrResult locate_into(
    struct moment *moment, const struct space *space, XrSpace handle, XrSpaceLocation *location,
    struct motion *in_scene)
{
    const struct frame *frame = moment_frame(moment);
    if (space && space->kind == SPACE_PLACEMENT)
        return locate_placement(moment, space, in_scene);
    if (!space || (space->kind == SPACE_HEAD && frame->base != moment->session->view))
        return locate_by_runtime(moment, handle, location, in_scene);
    *in_scene = motion_at_rest(space->offset);
    if (space->kind == SPACE_HEAD)
        *in_scene = motion_product(frame->in_scene, *in_scene);
    return XR_SUCCESS;
}

XrResult moment_locate(
    struct moment *moment, const struct space *space, XrSpace handle, struct motion *in_scene)
{
    XrSpaceVelocity velocity = {.type = XR_TYPE_SPACE_VELOCITY};
    XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION, .next = &velocity};
    return locate_into(moment, space, handle, &location, in_scene);
}

struct pose moment_runtime_from_scene(struct moment *moment)
{
    const struct frame *frame = moment_frame(moment);
    struct motion head;
    if (frame->base == moment->session->local)
        return pose_inverse(frame->in_scene.pose);
    head = follower_runtime_head(moment->session, moment->time);
    return pose_product(head.pose, pose_inverse(frame->in_scene.pose));
}

void location_fill(const struct motion *motion, XrSpaceLocation *location)
{
    XrSpaceVelocity *velocity = chain_find(location->next, XR_TYPE_SPACE_VELOCITY);
    location->locationFlags = motion->location;
    location->pose = pose_to_xr(motion->location & LOCATED ? motion->pose : NO_POSE);
    if (velocity) {
        velocity->velocityFlags = motion->velocity;
        velocity->linearVelocity = vector_to_xr(motion->linear);
        velocity->angularVelocity = vector_to_xr(motion->angular);
    }
}

/* Whether the relation of two spaces is another one than by the runtime. */
static bool is_changed(const struct moment *moment, const struct space *space, const struct space *base)
{
    const bool space_is_fixed = space && space->kind != SPACE_HEAD, base_is_fixed = base && base->kind != SPACE_HEAD;
    if (moment->track->source == TRACK_NONE)
        return (space && space->kind == SPACE_PLACEMENT) || (base && base->kind == SPACE_PLACEMENT);
    return space_is_fixed || base_is_fixed;
}

static XrResult locate(
    struct moment *moment, XrSpace handle, XrSpace base_handle, XrSpaceLocation *location)
{
    const struct space *space = space_find(handle), *base = space_find(base_handle);
    struct motion in_scene, base_in_scene, relation;
    XrResult result, base_result;
    if (!is_changed(moment, space, base))
        return the_instance.next.locate_space(handle, base_handle, moment->time, location);
    if (moment->time <= 0)
        return XR_ERROR_TIME_INVALID;
    if (moment->track->source == TRACK_NONE) {
        relation = motion_at_rest(NO_POSE);
        relation.location = relation.velocity = 0;
        location_fill(&relation, location);
        return XR_SUCCESS;
    }
    result = locate_into(moment, space, handle, location, &in_scene);
    if (XR_FAILED(result))
        return result;
    base_result = moment_locate(moment, base, base_handle, &base_in_scene);
    if (XR_FAILED(base_result))
        return base_result;
    relation = motion_product(motion_inverse(base_in_scene), in_scene);
    location_fill(&relation, location);
    /* Such as that the session is about to be lost. */
    return result != XR_SUCCESS ? result : base_result;
}

/* The session of two spaces of the program; NULL where none is known to the layer, so that all is the runtime's. */
static const struct session *session_of(XrSpace handle, XrSpace base_handle)
{
    const struct space *space = space_find(handle), *base = space_find(base_handle);
    const struct session *session = base ? base->session : space ? space->session : NULL;
    return session && session_is_tracked(session) ? session : NULL;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_space(XrSpace space, XrSpace base, XrTime time, XrSpaceLocation *location)
{
    const struct session *session = session_of(space, base);
    struct moment moment;
    if (!session)
        return the_instance.next.locate_space(space, base, time, location);
    if (!location || location->type != XR_TYPE_SPACE_LOCATION)
        return XR_ERROR_VALIDATION_FAILURE;
    moment_begin(&moment, session, time);
    return locate(&moment, space, base, location);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_spaces(
    XrSession handle, const XrSpacesLocateInfo *info, XrSpaceLocations *locations)
{
    const struct session *session = session_find_tracked(handle);
    const locate_spaces_function next =
        the_instance.next.locate_spaces ? the_instance.next.locate_spaces : the_instance.next.locate_spaces_khr;
    struct moment moment;
    XrSpaceVelocities *velocities;
    uint32_t index;
    bool any = false;
    if (!session || !info || !locations || !info->spaces || !locations->locations ||
        info->spaceCount != locations->locationCount)
        return next ? next(handle, info, locations) : XR_ERROR_FUNCTION_UNSUPPORTED;
    moment_begin(&moment, session, info->time);
    for (index = 0; index < info->spaceCount && !any; index++)
        any = is_changed(&moment, space_find(info->spaces[index]), space_find(info->baseSpace));
    if (!any)
        return next ? next(handle, info, locations) : XR_ERROR_FUNCTION_UNSUPPORTED;
    velocities = chain_find(locations->next, XR_TYPE_SPACE_VELOCITIES);
    if (velocities && (velocities->velocityCount != info->spaceCount || !velocities->velocities))
        return XR_ERROR_VALIDATION_FAILURE;
    for (index = 0; index < info->spaceCount; index++) {
        XrSpaceVelocity velocity = {.type = XR_TYPE_SPACE_VELOCITY};
        XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION, .next = velocities ? &velocity : NULL};
        const XrResult result = locate(&moment, info->spaces[index], info->baseSpace, &location);
        if (XR_FAILED(result))
            return result;
        locations->locations[index] = (XrSpaceLocationData){location.locationFlags, location.pose};
        if (velocities)
            velocities->velocities[index] = (XrSpaceVelocityData){
                velocity.velocityFlags, velocity.linearVelocity, velocity.angularVelocity};
    }
    return XR_SUCCESS;
}

/* Where the runtime's space `frame` lies in a base space of the program that is fixed in the scene. */
static XrResult frame_in_base(
    struct moment *moment, const struct space *base, XrSpace handle, struct frame *frame)
{
    struct motion base_in_scene;
    const XrResult result = moment_locate(moment, base, handle, &base_in_scene);
    *frame = *moment_frame(moment);
    if (XR_SUCCEEDED(result))
        frame->in_scene = motion_product(motion_inverse(base_in_scene), frame->in_scene);
    return result;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_views(
    XrSession handle, const XrViewLocateInfo *info, XrViewState *state, uint32_t capacity, uint32_t *count,
    XrView *views)
{
    const struct session *session = session_find_tracked(handle);
    const struct space *base = info ? space_find(info->space) : NULL;
    struct moment moment;
    struct frame frame;
    XrViewLocateInfo own;
    XrResult result;
    uint32_t index;
    if (!session || !base || base->kind == SPACE_HEAD || base->session != session || info->displayTime <= 0 ||
        !state || !views || !count || capacity == 0)
        return the_instance.next.locate_views(handle, info, state, capacity, count, views);
    moment_begin(&moment, session, info->displayTime);
    if (!is_changed(&moment, NULL, base))
        return the_instance.next.locate_views(handle, info, state, capacity, count, views);
    result = moment.track->source == TRACK_NONE ? XR_SUCCESS : frame_in_base(&moment, base, info->space, &frame);
    if (XR_FAILED(result))
        return result;
    own = *info;
    own.space = moment.track->source == TRACK_NONE ? session->view : frame.base;
    result = the_instance.next.locate_views(handle, &own, state, capacity, count, views);
    if (XR_FAILED(result))
        return result;
    if (moment.track->source == TRACK_NONE) {
        state->viewStateFlags = 0;
        return result;
    }
    for (index = 0; index < *count && index < capacity; index++)
        views[index].pose = pose_to_xr(pose_product(frame.in_scene.pose, pose_of_xr(views[index].pose)));
    /* The flags of views have the values of those of spaces. The eyes are where they are in the head, which the daemon
     * tracks whatever the runtime says of it. */
    if (frame.base == session->view)
        state->viewStateFlags = LOCATED | TRACKED;
    state->viewStateFlags &= frame.in_scene.location;
    return result;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_locate_hand_joints(
    XrHandTrackerEXT tracker, const XrHandJointsLocateInfoEXT *info, XrHandJointLocationsEXT *locations)
{
    const struct space *base = info ? space_find(info->baseSpace) : NULL;
    XrHandJointVelocitiesEXT *velocities;
    XrHandTrackingAimStateFB *aim;
    struct moment moment;
    struct frame frame;
    XrHandJointsLocateInfoEXT own;
    XrResult result;
    uint32_t index;
    if (!base || base->kind == SPACE_HEAD || !session_is_tracked(base->session) || info->time <= 0 || !locations)
        return the_instance.next.locate_hand_joints(tracker, info, locations);
    moment_begin(&moment, base->session, info->time);
    if (moment.track->source == TRACK_NONE)
        return the_instance.next.locate_hand_joints(tracker, info, locations);
    result = frame_in_base(&moment, base, info->baseSpace, &frame);
    if (XR_FAILED(result))
        return result;
    own = *info;
    own.baseSpace = frame.base;
    result = the_instance.next.locate_hand_joints(tracker, &own, locations);
    if (XR_FAILED(result) || !locations->jointLocations)
        return result;
    aim = chain_find(locations->next, XR_TYPE_HAND_TRACKING_AIM_STATE_FB);
    if (aim)
        aim->aimPose = pose_to_xr(pose_product(frame.in_scene.pose, pose_of_xr(aim->aimPose)));
    velocities = chain_find(locations->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    for (index = 0; index < locations->jointCount; index++) {
        XrHandJointLocationEXT *joint = &locations->jointLocations[index];
        XrHandJointVelocityEXT *moving = velocities && velocities->jointVelocities && index < velocities->jointCount ?
            &velocities->jointVelocities[index] : NULL;
        const XrSpaceLocation location = {.locationFlags = joint->locationFlags, .pose = joint->pose};
        XrSpaceVelocity velocity = {0};
        struct motion motion;
        if (moving)
            velocity = (XrSpaceVelocity){
                .velocityFlags = moving->velocityFlags, .linearVelocity = moving->linearVelocity,
                .angularVelocity = moving->angularVelocity};
        motion = motion_product(frame.in_scene, motion_of_location(&location, moving ? &velocity : NULL));
        joint->locationFlags = motion.location;
        joint->pose = pose_to_xr(motion.pose);
        if (moving) {
            moving->velocityFlags = motion.velocity;
            moving->linearVelocity = vector_to_xr(motion.linear);
            moving->angularVelocity = vector_to_xr(motion.angular);
        }
    }
    return result;
}
