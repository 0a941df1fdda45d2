#include "program.h"

#include <time.h>

struct program program;
struct runtime the_runtime = {.period = 5 * MILLISECOND, .local = {{0, 0, 0, 1}, {0, 0, 0}}};
struct vector the_eyes;

/* What the loader, and the sanitizers of libraries that it unloads, never give back. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libopenxr_loader\nleak:libubsan\n";
}

static PFN_xrVoidFunction function(const char *name)
{
    PFN_xrVoidFunction found = NULL;
    (void)xrGetInstanceProcAddr(program.instance, name, &found);
    return found;
}

static void make_instance(bool with_layer)
{
    static const char *const extensions[] = {
        XR_MND_HEADLESS_EXTENSION_NAME, XR_EXT_HAND_TRACKING_EXTENSION_NAME, "XR_KHR_locate_spaces",
        XR_KHR_COMPOSITION_LAYER_CYLINDER_EXTENSION_NAME, XR_KHR_COMPOSITION_LAYER_CUBE_EXTENSION_NAME,
        XR_EXT_FUTURE_EXTENSION_NAME, XR_ANDROID_GEOSPATIAL_EXTENSION_NAME, XR_WAYMARK_PLACEMENTS_EXTENSION_NAME};
    XrInstanceCreateInfo info = {.type = XR_TYPE_INSTANCE_CREATE_INFO};
    strcpy(info.applicationInfo.applicationName, "waymark-test");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionNames = extensions;
    info.enabledExtensionCount = with_layer ? 8 : 5;
    SUCCEEDS(xrCreateInstance(&info, &program.instance));
#define FIND(name) program.call.name = (PFN_##name)function(#name);
    OPENXR_FUNCTIONS(FIND)
    GEOSPATIAL_FUNCTIONS(FIND)
    FIND(xrLocateSpacesKHR)
#undef FIND
}

static void make_hand(void)
{
    XrActionSetCreateInfo set_info = {.type = XR_TYPE_ACTION_SET_CREATE_INFO, .actionSetName = "set"};
    XrActionCreateInfo action_info = {
        .type = XR_TYPE_ACTION_CREATE_INFO, .actionName = "hand", .actionType = XR_ACTION_TYPE_POSE_INPUT};
    XrActionSpaceCreateInfo space_info = {.type = XR_TYPE_ACTION_SPACE_CREATE_INFO};
    XrHandTrackerCreateInfoEXT tracker_info = {
        .type = XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, .hand = XR_HAND_LEFT_EXT,
        .handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT};
    XrActionSet set;
    SUCCEEDS(program.call.xrCreateActionSet(program.instance, &set_info, &set));
    SUCCEEDS(program.call.xrCreateAction(set, &action_info, &program.action));
    space_info.action = program.action;
    space_info.poseInActionSpace = pose_to_xr(NO_POSE);
    SUCCEEDS(program.call.xrCreateActionSpace(program.session, &space_info, &program.hand));
    SUCCEEDS(program.call.xrCreateHandTrackerEXT(program.session, &tracker_info, &program.hand_tracker));
}

XrSession program_session(void)
{
    XrSystemGetInfo system_info = {
        .type = XR_TYPE_SYSTEM_GET_INFO, .formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
    XrSessionCreateInfo info = {.type = XR_TYPE_SESSION_CREATE_INFO};
    XrSession session;
    SUCCEEDS(program.call.xrGetSystem(program.instance, &system_info, &info.systemId));
    SUCCEEDS(program.call.xrCreateSession(program.instance, &info, &session));
    return session;
}

XrSpace program_space(XrReferenceSpaceType type, struct pose offset)
{
    XrReferenceSpaceCreateInfo info = {.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO, .referenceSpaceType = type};
    XrSpace space;
    info.poseInReferenceSpace = pose_to_xr(offset);
    SUCCEEDS(program.call.xrCreateReferenceSpace(program.session, &info, &space));
    return space;
}

void program_begin_session(void)
{
    program.session = program_session();
    program.local = program_space(XR_REFERENCE_SPACE_TYPE_LOCAL, NO_POSE);
    program.stage = program_space(XR_REFERENCE_SPACE_TYPE_STAGE, NO_POSE);
    program.view = program_space(XR_REFERENCE_SPACE_TYPE_VIEW, NO_POSE);
    make_hand();
}

void program_begin(bool with_layer)
{
    const char *eyes = getenv("WAYMARK_OPENXR_EYES");
    struct timespec now;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (eyes)
        CHECK(sscanf(eyes, "%lf,%lf,%lf", &the_eyes.x, &the_eyes.y, &the_eyes.z) == 3, "%s", eyes);
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    /* As Monado has it: times begin with the runtime. With EPOCH=far they are later than those of the clock. */
    the_runtime.epoch = getenv("EPOCH") ? INT64_C(1000000000000000000) :
        1000000000 - (int64_t)now.tv_sec * 1000000000;
    /* So that nothing of the runtime's is by chance as the scene has it. */
    the_runtime.local = (struct pose){quaternion_of_yaw(1), {4, 0.5, -3}};
    make_instance(with_layer);
    program_begin_session();
    if (with_layer)
        program.reader = waymark_reader_new(NULL);
}

void program_end(void)
{
    waymark_reader_free(program.reader);
    SUCCEEDS(program.call.xrDestroySession(program.session));
    SUCCEEDS(xrDestroyInstance(program.instance));
}

static void take_events(void)
{
    for (;;) {
        XrEventDataBuffer event = {.type = XR_TYPE_EVENT_DATA_BUFFER};
        const XrResult result = program.call.xrPollEvent(program.instance, &event);
        CHECK(XR_SUCCEEDED(result), "xrPollEvent gives %d", (int)result);
        if (result == XR_EVENT_UNAVAILABLE)
            return;
        if (event.type == XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING) {
            XrEventDataReferenceSpaceChangePending change;
            memcpy(&change, &event, sizeof change);
            if (change.referenceSpaceType == XR_REFERENCE_SPACE_TYPE_LOCAL) {
                program.change = change;
                program.local_changes++;
            } else {
                program.stage_changes++;
            }
        } else if (event.type == XR_TYPE_EVENT_DATA_GEOSPATIAL_TRACKER_STATE_CHANGED_ANDROID) {
            memcpy(&program.tracker_state, &event, sizeof program.tracker_state);
            program.tracker_changes++;
        }
    }
}

XrTime program_frame(void)
{
    XrFrameState state = {.type = XR_TYPE_FRAME_STATE};
    XrFrameEndInfo end = {
        .type = XR_TYPE_FRAME_END_INFO, .environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE};
    if (program.reader)
        (void)waymark_reader_update(program.reader);
    SUCCEEDS(program.call.xrWaitFrame(program.session, NULL, &state));
    SUCCEEDS(program.call.xrBeginFrame(program.session, NULL));
    end.displayTime = program.display = state.predictedDisplayTime;
    SUCCEEDS(program.call.xrEndFrame(program.session, &end));
    take_events();
    return program.display;
}

void program_wait_for_scene(void)
{
    const int before = program.local_changes;
    while (program.local_changes == before)
        (void)program_frame();
    /* At earlier times they are still the runtime's. */
    while (time_now() - 100 * MILLISECOND < program.change.changeTime)
        (void)program_frame();
}

bool program_ask(const char *word)
{
    char answer[64];
    printf("%s\n", word);
    CHECK(fgets(answer, sizeof answer, stdin), "no answer to %s", word);
    return strcmp(answer, "ok\n") == 0;
}

struct motion program_locate(XrSpace space, XrSpace base, XrTime time)
{
    XrSpaceVelocity velocity = {.type = XR_TYPE_SPACE_VELOCITY};
    XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION, .next = &velocity};
    struct motion motion;
    SUCCEEDS(program.call.xrLocateSpace(space, base, time, &location));
    motion.pose = pose_of_xr(location.pose);
    motion.location = location.locationFlags;
    motion.velocity = velocity.velocityFlags;
    motion.linear = vector_of_xr(velocity.linearVelocity);
    motion.angular = vector_of_xr(velocity.angularVelocity);
    return motion;
}

struct waymark_reading ring_newest(void)
{
    struct waymark_reading reading;
    (void)waymark_reader_newest(program.reader, &reading);
    return reading;
}

int64_t boot_time(XrTime time)
{
    return waymark_boottime(time - the_runtime.epoch);
}

XrTime time_now(void)
{
    return waymark_now() - boot_time(0);
}

struct motion ring_head_of(const struct waymark_reading *reading, XrTime time)
{
    struct waymark_ring_slot at;
    struct motion board;
    (void)waymark_predict(&reading->pose, boot_time(time), &at);
    board.pose.orientation = (struct quaternion){
        at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]};
    board.pose.position = (struct vector){at.position[0], at.position[1], at.position[2]};
    board.linear = (struct vector){at.linear_velocity[0], at.linear_velocity[1], at.linear_velocity[2]};
    /* In the body. */
    board.angular = quaternion_turned(board.pose.orientation, (struct vector){
        at.angular_velocity[0], at.angular_velocity[1], at.angular_velocity[2]});
    board.location = LOCATED | TRACKED;
    board.velocity = MOVING;
    return motion_product(board, motion_at_rest((struct pose){NO_ROTATION, the_eyes}));
}

struct motion ring_head(XrTime time)
{
    struct waymark_reading reading = ring_newest(), earlier;
    if (boot_time(time) < reading.pose.time &&
        waymark_reader_at(program.reader, boot_time(time), &earlier) == WAYMARK_OK)
        reading = earlier;
    return ring_head_of(&reading, time);
}

double angle_between(struct quaternion a, struct quaternion b)
{
    return vector_length(quaternion_rotation(quaternion_product(quaternion_conjugate(a), b)));
}

double distance_between(struct vector a, struct vector b)
{
    return vector_length(vector_difference(a, b));
}

void check_pose(const char *what, struct pose found, struct pose expected, double angle, double distance)
{
    const double turn = angle_between(found.orientation, expected.orientation);
    const double shift = distance_between(found.position, expected.position);
    CHECK(turn <= angle && shift <= distance,
        "%s: off by %g rad and %g m; found %g %g %g, expected %g %g %g", what, turn, shift,
        found.position.x, found.position.y, found.position.z, expected.position.x, expected.position.y,
        expected.position.z);
}

/* Xorshift. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint32_t random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((next_random(state) >> 32) % end);
}

double random_between(uint64_t *state, double least, double most)
{
    return least + (most - least) * (double)(next_random(state) >> 11) / 9007199254740992.0;
}

struct pose random_pose(uint64_t *state, double farthest)
{
    struct pose pose;
    pose.orientation = quaternion_of_rotation((struct vector){
        random_between(state, -2, 2), random_between(state, -2, 2), random_between(state, -2, 2)});
    pose.position = (struct vector){
        random_between(state, -farthest, farthest), random_between(state, -farthest, farthest),
        random_between(state, -farthest, farthest)};
    return pose;
}
