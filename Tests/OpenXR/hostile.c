/* Calls as no program should make them: a thousand sequences of them, the same each time; then more spaces than there
 * may be, and threads side by side. Nothing may break, and a well-behaved session has to work afterwards. */
#include "program.h"
#include "scenarios.h"

#include <pthread.h>

#define SESSIONS 3
#define SPACES 48
#define MOST_LAYERS_GIVEN 300

static uint64_t chance = 20250101;
/* The first is the well-behaved one, which is tracked and stays. */
static XrSession sessions[SESSIONS];
/* Those that were destroyed stay in it. */
static XrSpace spaces[SPACES];
static XrGeospatialTrackerANDROID trackers[SESSIONS];
static XrHandTrackerEXT hands[SESSIONS];
static XrFutureEXT future;

static uint32_t below(uint32_t end)
{
    return random_below(&chance, end);
}

static bool seldom(void)
{
    return below(8) == 0;
}

static void *wrong_handle(void)
{
    switch (below(5)) {
    case 0: return NULL;
    case 1: return (void *)(size_t)UINT64_MAX;
    case 2: return spaces[below(SPACES)];
    case 3: return sessions[below(SESSIONS)];
    default: return (void *)(size_t)(0x100000 + 16 * (uint64_t)below(4096) + below(2));
    }
}

#define SESSION (seldom() ? wrong_handle() : (void *)sessions[below(SESSIONS)])
#define SPACE (seldom() ? wrong_handle() : (void *)spaces[below(SPACES)])
#define TRACKER (seldom() ? wrong_handle() : (void *)trackers[below(SESSIONS)])
#define MAYBE(pointer) (seldom() ? NULL : (pointer))
#define TYPE(type) (seldom() ? (XrStructureType)below(2000) : (type))

static XrTime any_time(void)
{
    switch (below(9)) {
    case 0: return 0;
    case 1: return -1;
    case 2: return INT64_MIN;
    case 3: return INT64_MAX;
    case 4: return 1;
    default: return time_now() + (int64_t)below(200) * MILLISECOND - 100 * MILLISECOND;
    }
}

static float any_number(void)
{
    static const float numbers[] = {0, 1, -1, NAN, INFINITY, -INFINITY, 1e38f, 1e-40f};
    return numbers[below(8)];
}

static XrPosef any_pose(void)
{
    if (below(3) > 0)
        return pose_to_xr(random_pose(&chance, 1000));
    return (XrPosef){
        {any_number(), any_number(), any_number(), any_number()}, {any_number(), any_number(), any_number()}};
}

static void change_sessions(void)
{
    const uint32_t index = 1 + below(SESSIONS - 1);
    XrSessionCreateInfo info = {.type = TYPE(XR_TYPE_SESSION_CREATE_INFO), .systemId = seldom() ? 7 : 1};
    XrSession made = XR_NULL_HANDLE;
    if (!sessions[index]) {
        if (program.call.xrCreateSession(program.instance, MAYBE(&info), MAYBE(&made)) == XR_SUCCESS) {
            XrHandTrackerCreateInfoEXT hand = {.type = XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT};
            sessions[index] = made;
            SUCCEEDS(program.call.xrCreateHandTrackerEXT(made, &hand, &hands[index]));
        }
    } else if (below(4) == 0) {
        (void)program.call.xrDestroySession(sessions[index]);
        GIVES(XR_ERROR_HANDLE_INVALID, program.call.xrDestroySession(sessions[index]));
        /* Every other one is used on for a while. */
        sessions[index] = below(2) == 0 ? XR_NULL_HANDLE : sessions[index];
    } else {
        const XrSession wrong = wrong_handle();
        if (wrong != program.session)
            (void)program.call.xrDestroySession(wrong);
    }
}

static void change_spaces(void)
{
    static const int types[] = {1, 2, 3, 1, 2, 3, 1000426000, 1000038000, 0, -1, 77};
    XrReferenceSpaceCreateInfo info = {.type = TYPE(XR_TYPE_REFERENCE_SPACE_CREATE_INFO)};
    XrActionSpaceCreateInfo hand = {.type = TYPE(XR_TYPE_ACTION_SPACE_CREATE_INFO), .action = program.action};
    XrSpace *made = &spaces[below(SPACES)];
    info.referenceSpaceType = (XrReferenceSpaceType)types[below(11)];
    info.poseInReferenceSpace = hand.poseInActionSpace = any_pose();
    switch (below(6)) {
    case 0: (void)program.call.xrDestroySpace(SPACE); break;
    case 1: (void)program.call.xrCreateActionSpace(SESSION, &hand, made); break;
    default: (void)program.call.xrCreateReferenceSpace(SESSION, MAYBE(&info), MAYBE(made));
    }
}

static void locate_one(void)
{
    XrSpaceVelocity velocity = {.type = TYPE(XR_TYPE_SPACE_VELOCITY)};
    XrSpaceLocation location = {.type = TYPE(XR_TYPE_SPACE_LOCATION), .next = MAYBE(&velocity)};
    (void)program.call.xrLocateSpace(SPACE, SPACE, any_time(), MAYBE(&location));
}

static void locate_many(void)
{
    XrSpace list[8];
    XrSpaceLocationData data[8];
    XrSpaceVelocityData moving[8];
    const uint32_t count = below(9);
    XrSpaceVelocities velocities = {XR_TYPE_SPACE_VELOCITIES, NULL, seldom() ? below(9) : count, MAYBE(moving)};
    XrSpaceLocations locations = {
        XR_TYPE_SPACE_LOCATIONS_OF_TESTS, MAYBE(&velocities), seldom() ? below(9) : count, MAYBE(data)};
    XrSpacesLocateInfo info = {
        TYPE(XR_TYPE_SPACES_LOCATE_INFO_OF_TESTS), NULL, SPACE, any_time(), count, MAYBE(list)};
    uint32_t index;
    for (index = 0; index < 8; index++)
        list[index] = SPACE;
    (void)program.call.xrLocateSpacesKHR(SESSION, MAYBE(&info), MAYBE(&locations));
}

static void locate_views(void)
{
    XrViewLocateInfo info = {
        TYPE(XR_TYPE_VIEW_LOCATE_INFO), NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, any_time(), SPACE};
    XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = TYPE(XR_TYPE_VIEW)}};
    XrViewState state = {.type = TYPE(XR_TYPE_VIEW_STATE)};
    uint32_t count = 0;
    (void)program.call.xrLocateViews(
        SESSION, MAYBE(&info), MAYBE(&state), below(3), MAYBE(&count), MAYBE(views));
}

static void locate_joints(void)
{
    XrHandJointLocationEXT joints[XR_HAND_JOINT_COUNT_EXT];
    XrHandJointVelocityEXT moving[XR_HAND_JOINT_COUNT_EXT];
    XrHandJointVelocitiesEXT velocities = {
        XR_TYPE_HAND_JOINT_VELOCITIES_EXT, NULL, below(XR_HAND_JOINT_COUNT_EXT + 1), MAYBE(moving)};
    XrHandJointLocationsEXT locations = {
        TYPE(XR_TYPE_HAND_JOINT_LOCATIONS_EXT), MAYBE(&velocities), XR_FALSE,
        seldom() ? below(XR_HAND_JOINT_COUNT_EXT) : XR_HAND_JOINT_COUNT_EXT, MAYBE(joints)};
    XrHandJointsLocateInfoEXT info = {TYPE(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT), NULL, SPACE, any_time()};
    memset(joints, 0xFF, sizeof joints);
    memset(moving, 0xFF, sizeof moving);
    (void)program.call.xrLocateHandJointsEXT(
        seldom() ? wrong_handle() : (void *)hands[below(SESSIONS)], MAYBE(&info), MAYBE(&locations));
}

static void end_frame(void)
{
    static const XrStructureType types[] = {
        XR_TYPE_COMPOSITION_LAYER_PROJECTION, XR_TYPE_COMPOSITION_LAYER_QUAD, XR_TYPE_COMPOSITION_LAYER_CYLINDER_KHR,
        XR_TYPE_COMPOSITION_LAYER_CUBE_KHR, XR_TYPE_COMPOSITION_LAYER_EQUIRECT2_KHR, XR_TYPE_UNKNOWN};
    static XrCompositionLayerProjectionView views[64];
    static const XrCompositionLayerBaseHeader *layers[MOST_LAYERS_GIVEN];
    static union {
        XrCompositionLayerProjection projection;
        XrCompositionLayerQuad quad;
        XrCompositionLayerEquirect2KHR equirect2;
    } memory[4];
    XrFrameEndInfo info = {
        TYPE(XR_TYPE_FRAME_END_INFO), NULL, any_time(), XR_ENVIRONMENT_BLEND_MODE_OPAQUE,
        seldom() ? MOST_LAYERS_GIVEN : below(8), MAYBE(layers)};
    uint32_t index;
    for (index = 0; index < 4; index++) {
        memset(&memory[index], 0, sizeof memory[index]);
        memory[index].quad.type = types[below(6)];
        memory[index].quad.space = SPACE;
        if (memory[index].quad.type == XR_TYPE_COMPOSITION_LAYER_PROJECTION) {
            memory[index].projection.viewCount = below(65);
            memory[index].projection.views = views;
            if (seldom()) {
                memory[index].projection.viewCount = seldom() ? UINT32_MAX : 0;
                memory[index].projection.views = NULL;
            }
        } else {
            memory[index].quad.pose = any_pose();
        }
    }
    for (index = 0; index < 64; index++)
        views[index].pose = any_pose();
    for (index = 0; index < MOST_LAYERS_GIVEN; index++)
        layers[index] = MAYBE((void *)&memory[below(4)]);
    (void)program.call.xrEndFrame(SESSION, MAYBE(&info));
}

static void wait_frame(void)
{
    XrFrameState state = {.type = XR_TYPE_FRAME_STATE};
    (void)program.call.xrWaitFrame(SESSION, NULL, MAYBE(&state));
}

static void poll_events(void)
{
    XrEventDataBuffer event = {.type = TYPE(XR_TYPE_EVENT_DATA_BUFFER)};
    the_runtime.announced_session = SESSION;
    the_runtime.is_announced = seldom();
    the_runtime.is_announced_with_pose = below(2);
    the_runtime.local = pose_of_xr(any_pose());
    the_runtime.next_local = pose_of_xr(any_pose());
    the_runtime.change = any_time();
    (void)program.call.xrPollEvent(program.instance, MAYBE(&event));
}

static void ask_system(void)
{
    XrSystemGeospatialPropertiesANDROID supported = {.type = XR_TYPE_SYSTEM_GEOSPATIAL_PROPERTIES_ANDROID};
    XrSystemProperties properties = {.type = TYPE(XR_TYPE_SYSTEM_PROPERTIES), .next = MAYBE(&supported)};
    (void)program.call.xrGetSystemProperties(program.instance, seldom() ? 9 : 1, MAYBE(&properties));
}

static void use_earth(void)
{
    XrGeospatialTrackerCreateInfoANDROID create = {TYPE(XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID), NULL};
    XrGeospatialPoseFromPoseLocateInfoANDROID from = {
        TYPE(XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID), NULL, SPACE, any_time(), any_pose()};
    XrGeospatialPoseResultANDROID result = {.type = TYPE(XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID)};
    const XrPosef place = any_pose();
    XrGeospatialPoseLocateInfoANDROID at = {
        TYPE(XR_TYPE_GEOSPATIAL_POSE_LOCATE_INFO_ANDROID), NULL, SPACE, any_time(),
        {place.orientation, (double)place.position.x, (double)place.position.y, (double)place.position.z}};
    XrSpaceLocation location = {.type = TYPE(XR_TYPE_SPACE_LOCATION)};
    XrVPSAvailabilityCheckCompletionANDROID completion = {
        .type = TYPE(XR_TYPE_VPS_AVAILABILITY_CHECK_COMPLETION_ANDROID)};
    XrFuturePollInfoEXT poll = {XR_TYPE_FUTURE_POLL_INFO_EXT, NULL, seldom() ? wrong_handle() : (void *)future};
    XrFuturePollResultEXT ready = {.type = XR_TYPE_FUTURE_POLL_RESULT_EXT};
    XrFutureCancelInfoEXT cancel = {XR_TYPE_FUTURE_CANCEL_INFO_EXT, NULL, poll.future};
    switch (below(8)) {
    case 0:
        (void)program.call.xrCreateGeospatialTrackerANDROID(
            SESSION, MAYBE(&create), MAYBE(&trackers[below(SESSIONS)]));
        break;
    case 1: (void)program.call.xrDestroyGeospatialTrackerANDROID(below(3) ? wrong_handle() : (void *)TRACKER); break;
    case 2:
    case 3: (void)program.call.xrLocateGeospatialPoseFromPoseANDROID(TRACKER, MAYBE(&from), MAYBE(&result)); break;
    case 4: (void)program.call.xrLocateGeospatialPoseANDROID(TRACKER, MAYBE(&at), MAYBE(&location)); break;
    case 5:
        (void)program.call.xrCheckVpsAvailabilityAsyncANDROID(
            SESSION, (double)any_number(), (double)any_number(), MAYBE(&future));
        break;
    case 6:
        (void)program.call.xrCheckVpsAvailabilityCompleteANDROID(SESSION, poll.future, MAYBE(&completion));
        break;
    default:
        (void)program.call.xrPollFutureEXT(program.instance, MAYBE(&poll), MAYBE(&ready));
        (void)program.call.xrCancelFutureEXT(program.instance, MAYBE(&cancel));
    }
}

static void use_placements(void)
{
    static XrPlacementWAYMARK list[64];
    XrPlacementSpaceCreateInfoWAYMARK info = {
        .type = TYPE(XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK), .poseInPlacementSpace = any_pose()};
    uint32_t count = 0;
    (void)program.call.xrEnumeratePlacementsWAYMARK(TRACKER, below(65), MAYBE(&count), MAYBE(list));
    memcpy(info.id, list[below(64)].id, sizeof info.id);
    if (seldom())
        memset(info.id, 'x', sizeof info.id);
    (void)program.call.xrCreatePlacementSpaceWAYMARK(TRACKER, MAYBE(&info), MAYBE(&spaces[below(SPACES)]));
}

static void make_sequences(void)
{
    static void (*const kinds[])(void) = {
        change_spaces, change_spaces, locate_one, locate_one, locate_one, locate_many, locate_views, locate_views,
        locate_joints, end_frame, end_frame, wait_frame, poll_events, ask_system, use_earth, use_earth,
        use_placements, change_sessions};
    int sequence, step;
    sessions[0] = program.session;
    hands[0] = program.hand_tracker;
    for (sequence = 0; sequence < 1000; sequence++)
        for (step = 0; step < 25; step++)
            kinds[below(sizeof kinds / sizeof *kinds)]();
}

static void end_all(void)
{
    int index;
    for (index = 1; index < SESSIONS; index++) {
        if (sessions[index])
            (void)program.call.xrDestroySession(sessions[index]);
        sessions[index] = XR_NULL_HANDLE;
    }
    the_runtime.change = 0;
    the_runtime.is_announced = false;
    the_runtime.local = NO_POSE;
}

/* As many as there is room for, destroyed in another order. */
static void make_too_many_spaces(void)
{
    static XrSpace many[5000];
    XrReferenceSpaceCreateInfo info = {
        .type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO, .referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL};
    int count = 0, index;
    info.poseInReferenceSpace = pose_to_xr(NO_POSE);
    while (count < 5000 && program.call.xrCreateReferenceSpace(program.session, &info, &many[count]) == XR_SUCCESS)
        count++;
    CHECK(count > 4000 && count < 5000, "%d spaces", count);
    GIVES(XR_ERROR_LIMIT_REACHED, program.call.xrCreateReferenceSpace(program.session, &info, &many[count]));
    for (index = 0; index < count; index++) {
        const int other = (int)below((uint32_t)count);
        const XrSpace space = many[index];
        many[index] = many[other];
        many[other] = space;
    }
    for (index = 0; index < count / 2; index++)
        SUCCEEDS(program.call.xrDestroySpace(many[index]));
    for (index = 0; index < count / 2; index++)
        SUCCEEDS(program.call.xrCreateReferenceSpace(program.session, &info, &many[index]));
    for (index = 0; index < count; index++)
        SUCCEEDS(program.call.xrDestroySpace(many[index]));
}

static bool is_over;

static void *locate_always(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = XR_TYPE_VIEW}};
        XrViewLocateInfo info = {
            XR_TYPE_VIEW_LOCATE_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time_now(), program.local};
        XrViewState state = {.type = XR_TYPE_VIEW_STATE};
        uint32_t count;
        (void)program_locate(program.view, program.local, time_now());
        (void)program_locate(program.stage, program.hand, time_now());
        SUCCEEDS(program.call.xrLocateViews(program.session, &info, &state, 2, &count, views));
    }
    return NULL;
}

static void *make_always(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        XrSpace own[20];
        int index;
        for (index = 0; index < 20; index++)
            own[index] = program_space(XR_REFERENCE_SPACE_TYPE_STAGE, NO_POSE);
        (void)program_locate(own[7], program.view, time_now());
        for (index = 0; index < 20; index++)
            SUCCEEDS(program.call.xrDestroySpace(own[index]));
    }
    return NULL;
}

static void *poll_always(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        XrEventDataBuffer event = {.type = XR_TYPE_EVENT_DATA_BUFFER};
        CHECK(XR_SUCCEEDED(program.call.xrPollEvent(program.instance, &event)), "no events");
    }
    return NULL;
}

static void threads(void)
{
    void *(*const kinds[])(void *) = {locate_always, locate_always, make_always, poll_always};
    pthread_t started[4];
    int index;
    __atomic_store_n(&is_over, false, __ATOMIC_RELAXED);
    for (index = 0; index < 4; index++)
        CHECK(pthread_create(&started[index], NULL, kinds[index], NULL) == 0, "no thread");
    for (index = 0; index < 60; index++) {
        XrFrameState state = {.type = XR_TYPE_FRAME_STATE};
        XrCompositionLayerQuad quad = {
            .type = XR_TYPE_COMPOSITION_LAYER_QUAD, .space = program.local, .pose = {{0, 0, 0, 1}, {0, 0, 0}}};
        const XrCompositionLayerBaseHeader *layers[] = {(void *)&quad};
        XrFrameEndInfo end = {
            XR_TYPE_FRAME_END_INFO, NULL, 0, XR_ENVIRONMENT_BLEND_MODE_OPAQUE, 1, layers};
        SUCCEEDS(program.call.xrWaitFrame(program.session, NULL, &state));
        end.displayTime = state.predictedDisplayTime;
        SUCCEEDS(program.call.xrEndFrame(program.session, &end));
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    for (index = 0; index < 4; index++)
        (void)pthread_join(started[index], NULL);
}

/* A head that the layer only corrects is the runtime's, which knows nothing of the daemon's here. */
static bool is_right(void)
{
    const XrTime time = program_frame();
    struct motion found = {.pose = NO_POSE};
    struct pose expected = NO_POSE;
    if (ring_newest().number == 0)
        return false;
    WITH_ONE_POSE({
        expected = ring_head(time).pose;
        found = program_locate(program.view, program.local, time);
    });
    return (found.location & LOCATED) == LOCATED && (strcmp(getenv("WAYMARK_OPENXR"), "correct") == 0 ||
        (angle_between(found.pose.orientation, expected.orientation) < NEAR_ANGLE &&
            distance_between(found.pose.position, expected.position) < NEAR_DISTANCE));
}

static void behave_well(void)
{
    program_wait_for_scene();
    CHECK(is_right(), "a well-behaved session is tracked wrongly");
}

void hostile(void)
{
    const int64_t period = the_runtime.period;
    program_begin(true);
    behave_well();
    the_runtime.period = MILLISECOND / 10;
    make_sequences();
    end_all();
    SUCCEEDS(program.call.xrDestroySession(program.session));
    the_runtime.period = period;
    program_begin_session();
    make_too_many_spaces();
    behave_well();
    threads();
    program_end();
}

/* The threads alone, for the thread sanitizer. */
void side_by_side(void)
{
    program_begin(true);
    /* The scene arrives meanwhile. */
    threads();
    while (!is_right())
        ;
    program_end();
}
