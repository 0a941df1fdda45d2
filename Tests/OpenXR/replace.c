/* What a program asks for and hands over while the daemon tracks its head. */
#include "program.h"
#include "scenarios.h"

static const struct pose offset = {{0.1, 0.3, 0.9, 0.3}, {0.5, -1.25, 2}};

static struct motion in_view(struct motion world, XrTime time)
{
    return motion_product(motion_inverse(runtime_head(time)), world);
}

static void check_spaces(XrTime time)
{
    const XrSpace shifted = program_space(XR_REFERENCE_SPACE_TYPE_LOCAL, offset);
    const XrSpace beside = program_space(XR_REFERENCE_SPACE_TYPE_VIEW, offset);
    struct pose head, found[8];
    WITH_ONE_POSE({
        head = ring_head(time).pose;
        found[0] = program_locate(program.view, program.local, time).pose;
        found[1] = program_locate(program.view, program.stage, time).pose;
        found[2] = program_locate(program.local, program.view, time).pose;
        found[3] = program_locate(program.view, shifted, time).pose;
        found[4] = program_locate(beside, program.local, time).pose;
        found[5] = program_locate(program.hand, program.local, time).pose;
        found[6] = program_locate(program.stage, program.hand, time).pose;
        found[7] = program_locate(program.hand, program.view, time).pose;
    });
    const struct pose hand = in_view(runtime_hand(time), time).pose;
    check_pose("VIEW in LOCAL", found[0], head, NEAR_ANGLE, NEAR_DISTANCE);
    check_pose("VIEW in STAGE", found[1], head, NEAR_ANGLE, NEAR_DISTANCE);
    check_pose("LOCAL in VIEW", found[2], pose_inverse(head), NEAR_ANGLE, 3 * NEAR_DISTANCE);
    check_pose(
        "VIEW in a shifted LOCAL", found[3], pose_product(pose_inverse(offset), head), NEAR_ANGLE, 3 * NEAR_DISTANCE);
    check_pose("a shifted VIEW in LOCAL", found[4], pose_product(head, offset), NEAR_ANGLE, 3 * NEAR_DISTANCE);
    check_pose("the hand in LOCAL", found[5], pose_product(head, hand), NEAR_ANGLE, 3 * NEAR_DISTANCE);
    check_pose(
        "STAGE in the hand", found[6], pose_inverse(pose_product(head, hand)), NEAR_ANGLE, 3 * NEAR_DISTANCE);
    check_pose("the hand in VIEW", found[7], hand, NEAR_ANGLE, NEAR_DISTANCE);
    SUCCEEDS(program.call.xrDestroySpace(shifted));
    SUCCEEDS(program.call.xrDestroySpace(beside));
}

/* Velocities by small differences of poses. */
/* On a busy machine the daemon may be held up. */
static bool is_held_up(void)
{
    return waymark_now() - ring_newest().pose.time > 60 * MILLISECOND;
}

static void check_velocity(const char *what, XrSpace space, XrSpace base, XrTime time)
{
    const double step = 2e-3;
    const int64_t nanoseconds = (int64_t)(step * 1e9);
    struct motion motion;
    struct pose before, after;
    struct vector linear, angular;
    WITH_ONE_POSE({
        before = program_locate(space, base, time - nanoseconds).pose;
        motion = program_locate(space, base, time);
        after = program_locate(space, base, time + nanoseconds).pose;
    });
    linear = vector_scaled(vector_difference(after.position, before.position), 0.5 / step);
    angular = vector_scaled(quaternion_rotation(quaternion_product(
        after.orientation, quaternion_conjugate(before.orientation))), 0.5 / step);
    CHECK(motion.velocity == MOVING, "%s: %x", what, (unsigned)motion.velocity);
    /* The farther a prediction goes, the more its angular velocity and its turn differ: each fades by itself. */
    const double turning = 0.05, arm = vector_length(before.position);
    const bool agrees = distance_between(motion.angular, angular) < turning &&
        distance_between(motion.linear, linear) < turning * fmax(arm, 1);
    /* Beyond the farthest prediction nothing moves. */
    CHECK(agrees || is_held_up(),
        "%s: off by %g m/s and %g rad/s of %g and %g", what, distance_between(motion.linear, linear),
        distance_between(motion.angular, angular), vector_length(linear), vector_length(angular));
}

static void check_many_spaces(XrTime time)
{
    const XrSpace spaces[] = {program.view, program.stage, program.hand, program.local};
    XrSpaceLocationData data[4];
    XrSpaceVelocityData moving[4];
    XrSpaceVelocities velocities = {XR_TYPE_SPACE_VELOCITIES, NULL, 4, moving};
    XrSpaceLocations locations = {XR_TYPE_SPACE_LOCATIONS_OF_TESTS, &velocities, 4, data};
    const XrSpacesLocateInfo info = {XR_TYPE_SPACES_LOCATE_INFO_OF_TESTS, NULL, program.stage, time, 4, spaces};
    struct motion single[4];
    int index;
    WITH_ONE_POSE({
        SUCCEEDS(program.call.xrLocateSpacesKHR(program.session, &info, &locations));
        for (index = 0; index < 4; index++)
            single[index] = program_locate(spaces[index], program.stage, time);
    });
    for (index = 0; index < 4; index++) {
        check_pose("one of many spaces", pose_of_xr(data[index].pose), single[index].pose, 1e-9, 1e-9);
        CHECK(data[index].locationFlags == single[index].location &&
            moving[index].velocityFlags == single[index].velocity &&
            distance_between(vector_of_xr(moving[index].linearVelocity), single[index].linear) < 1e-9 &&
            distance_between(vector_of_xr(moving[index].angularVelocity), single[index].angular) < 1e-9,
            "space %d", index);
    }
}

static void check_joints(XrTime time)
{
    XrHandJointLocationEXT joints[XR_HAND_JOINT_COUNT_EXT];
    XrHandJointVelocityEXT moving[XR_HAND_JOINT_COUNT_EXT];
    XrHandJointVelocitiesEXT velocities = {
        XR_TYPE_HAND_JOINT_VELOCITIES_EXT, NULL, XR_HAND_JOINT_COUNT_EXT, moving};
    XrHandJointLocationsEXT locations = {
        XR_TYPE_HAND_JOINT_LOCATIONS_EXT, &velocities, XR_FALSE, XR_HAND_JOINT_COUNT_EXT, joints};
    const XrHandJointsLocateInfoEXT info = {XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, NULL, program.local, time};
    struct motion head;
    int index;
    WITH_ONE_POSE({
        head = ring_head(time);
        SUCCEEDS(program.call.xrLocateHandJointsEXT(program.hand_tracker, &info, &locations));
    });
    CHECK(locations.isActive, "no hand");
    for (index = 0; index < XR_HAND_JOINT_COUNT_EXT; index++) {
        const struct motion joint = motion_product(head, in_view(motion_product(
            runtime_hand(time), motion_at_rest((struct pose){NO_ROTATION, {0, 0, -0.01 * index}})), time));
        check_pose("a joint", pose_of_xr(joints[index].pose), joint.pose, NEAR_ANGLE, 3 * NEAR_DISTANCE);
        const double linear = distance_between(vector_of_xr(moving[index].linearVelocity), joint.linear);
        const double angular = distance_between(vector_of_xr(moving[index].angularVelocity), joint.angular);
        CHECK(linear < 1e-3 && angular < 1e-3, "joint %d: off by %g m/s and %g rad/s", index, linear, angular);
    }
}

static void check_views(XrTime time)
{
    const XrSpace shifted = program_space(XR_REFERENCE_SPACE_TYPE_STAGE, offset);
    const XrSpace bases[] = {program.local, program.stage, shifted, program.view};
    int base, eye;
    for (base = 0; base < 4; base++) {
        const XrViewLocateInfo info = {
            XR_TYPE_VIEW_LOCATE_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time, bases[base]};
        XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = XR_TYPE_VIEW}};
        XrViewState state = {.type = XR_TYPE_VIEW_STATE};
        uint32_t count = 0;
        struct pose head;
        WITH_ONE_POSE({
            head = ring_head(time).pose;
            SUCCEEDS(program.call.xrLocateViews(program.session, &info, &state, 2, &count, views));
        });
        CHECK(count == 2 && (state.viewStateFlags & LOCATED) == LOCATED, "%u", (unsigned)state.viewStateFlags);
        if (base == 2)
            head = pose_product(pose_inverse(offset), head);
        if (base == 3)
            head = NO_POSE;
        for (eye = 0; eye < 2; eye++) {
            const struct pose in_head = {NO_ROTATION, {eye == 0 ? -RUNTIME_EYES / 2 : RUNTIME_EYES / 2, 0, 0}};
            check_pose(
                "an eye", pose_of_xr(views[eye].pose), pose_product(head, in_head), NEAR_ANGLE, 3 * NEAR_DISTANCE);
        }
    }
    SUCCEEDS(program.call.xrDestroySpace(shifted));
}

void check_layers(double angle, double distance)
{
    const XrSpace shifted = program_space(XR_REFERENCE_SPACE_TYPE_STAGE, offset);
    const XrTime time = program_frame();
    const struct pose in_head = {{0, 0.6, 0, 0.8}, {0.4, -0.3, -2}};
    struct pose head = NO_POSE, expected[6];
    int index;
    WITH_ONE_POSE({
        head = program_locate(program.view, program.local, time).pose;
        const struct pose in_local = pose_product(head, in_head);
        const struct pose in_shifted = pose_product(pose_inverse(offset), in_local);
        XrCompositionLayerQuad quads[3] = {
            {.type = XR_TYPE_COMPOSITION_LAYER_QUAD, .space = program.local, .pose = pose_to_xr(in_local)},
            {.type = XR_TYPE_COMPOSITION_LAYER_QUAD, .space = shifted, .pose = pose_to_xr(in_shifted)},
            {.type = XR_TYPE_COMPOSITION_LAYER_QUAD, .space = program.view, .pose = pose_to_xr(in_head)}};
        XrCompositionLayerProjectionView views[2] = {
            {.type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW, .pose = pose_to_xr(in_local)},
            {.type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW, .pose = pose_to_xr(in_local)}};
        XrCompositionLayerProjection projection = {
            .type = XR_TYPE_COMPOSITION_LAYER_PROJECTION, .space = program.stage, .viewCount = 2, .views = views};
        XrCompositionLayerCylinderKHR cylinder = {
            .type = XR_TYPE_COMPOSITION_LAYER_CYLINDER_KHR, .space = program.local, .pose = pose_to_xr(in_local)};
        XrCompositionLayerCubeKHR cube = {
            .type = XR_TYPE_COMPOSITION_LAYER_CUBE_KHR, .space = program.local,
            .orientation = quaternion_to_xr(in_local.orientation)};
        const XrCompositionLayerBaseHeader *layers[] = {
            (void *)&quads[0], (void *)&quads[1], (void *)&quads[2], (void *)&projection, (void *)&cylinder,
            (void *)&cube};
        const XrFrameEndInfo end = {
            XR_TYPE_FRAME_END_INFO, NULL, time, XR_ENVIRONMENT_BLEND_MODE_OPAQUE, 6, layers};
        SUCCEEDS(program.call.xrEndFrame(program.session, &end));
        CHECK(quads[0].space == program.local && views[1].pose.position.x == (float)in_local.position.x,
            "the program's own layers are changed");
    });
    for (index = 0; index < 6; index++) {
        const struct motion runtime_s = the_runtime.head ? the_runtime.head(time) : runtime_head(time);
        struct pose found = pose_product(pose_inverse(runtime_s.pose), the_runtime.layers[index].in_world);
        expected[index] = in_head;
        /* A cube has no place. */
        if (index == 5)
            found.position = expected[index].position;
        check_pose("a layer in the runtime's head", found, expected[index], angle, distance);
    }
    SUCCEEDS(program.call.xrDestroySpace(shifted));
}

/* When the daemon was held up the runtime has led, as it should, and what is left of that fades. */
static bool is_steady(void)
{
    static int64_t steady_since = -1;
    const int64_t now = waymark_now();
    if (steady_since < 0)
        steady_since = now - 2000 * MILLISECOND;
    if (is_held_up())
        steady_since = now;
    return now - steady_since >= 2000 * MILLISECOND;
}

void replace(void)
{
    XrExtent2Df bounds;
    int round = 0;
    program_begin(true);
    program_wait_for_scene();
    while (round < 40) {
        const XrTime display = program_frame();
        if (!is_steady())
            continue;
        round++;
        check_spaces(display);
        check_views(display);
        check_many_spaces(display);
        check_joints(display);
        /* Between poses of the ring, and beyond the farthest prediction. */
        check_spaces(time_now() - 45 * MILLISECOND);
        check_spaces(display + 150 * MILLISECOND);
        check_velocity("VIEW in LOCAL", program.view, program.local, display);
        check_velocity("LOCAL in VIEW", program.local, program.view, display);
        check_velocity("the hand in STAGE", program.hand, program.stage, display);
        check_velocity("LOCAL in the hand", program.local, program.hand, display);
        check_layers(NEAR_ANGLE, 5 * NEAR_DISTANCE);
    }
    CHECK(program.local_changes == 1 && program.stage_changes == 1, "%d", program.local_changes);
    /* The room is the runtime's. */
    GIVES(XR_SPACE_BOUNDS_UNAVAILABLE, program.call.xrGetReferenceSpaceBoundsRect(
        program.session, XR_REFERENCE_SPACE_TYPE_STAGE, &bounds));
    program_end();
}
