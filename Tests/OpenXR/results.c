/* What a program gets at given times, byte for byte, and what the process has: a test compares runs with and without
 * the layer. */
#include "program.h"
#include "scenarios.h"

#include <dirent.h>

static void print(const char *what, const void *bytes, size_t size)
{
    size_t index;
    printf("%s ", what);
    for (index = 0; index < size; index++)
        printf("%02x", ((const unsigned char *)bytes)[index]);
    putchar('\n');
}

static int entries(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    CHECK(folder, "%s", path);
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

static void print_spaces(XrTime time)
{
    const XrSpace spaces[] = {program.local, program.stage, program.view, program.hand};
    int one, other;
    for (one = 0; one < 4; one++)
        for (other = 0; other < 4; other++) {
            XrSpaceVelocity velocity = {.type = XR_TYPE_SPACE_VELOCITY};
            XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION, .next = &velocity};
            SUCCEEDS(program.call.xrLocateSpace(spaces[one], spaces[other], time, &location));
            print("flags", &location.locationFlags, sizeof location.locationFlags);
            print("pose", &location.pose, sizeof location.pose);
            print("linear", &velocity.linearVelocity, sizeof velocity.linearVelocity);
            print("angular", &velocity.angularVelocity, sizeof velocity.angularVelocity);
        }
}

static void print_views(XrTime time)
{
    const XrSpace spaces[] = {program.local, program.stage, program.view, program.hand};
    int base;
    for (base = 0; base < 4; base++) {
        const XrViewLocateInfo info = {
            XR_TYPE_VIEW_LOCATE_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time, spaces[base]};
        XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = XR_TYPE_VIEW}};
        XrViewState state = {.type = XR_TYPE_VIEW_STATE};
        uint32_t count = 0;
        SUCCEEDS(program.call.xrLocateViews(program.session, &info, &state, 2, &count, views));
        print("state", &state.viewStateFlags, sizeof state.viewStateFlags);
        print("view", &views[0].pose, sizeof views[0].pose);
        print("view", &views[1].pose, sizeof views[1].pose);
    }
}

static void print_joints(XrTime time)
{
    XrHandJointLocationEXT joints[XR_HAND_JOINT_COUNT_EXT];
    XrHandJointLocationsEXT locations = {
        XR_TYPE_HAND_JOINT_LOCATIONS_EXT, NULL, XR_FALSE, XR_HAND_JOINT_COUNT_EXT, joints};
    const XrHandJointsLocateInfoEXT info = {XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, NULL, program.local, time};
    memset(joints, 0, sizeof joints);
    SUCCEEDS(program.call.xrLocateHandJointsEXT(program.hand_tracker, &info, &locations));
    print("joints", joints, sizeof joints);
}

static void print_bounds(void)
{
    XrExtent2Df bounds;
    SUCCEEDS(program.call.xrGetReferenceSpaceBoundsRect(program.session, XR_REFERENCE_SPACE_TYPE_STAGE, &bounds));
    print("bounds", &bounds, sizeof bounds);
}

static void print_frame(XrTime time)
{
    XrCompositionLayerQuad quad = {
        .type = XR_TYPE_COMPOSITION_LAYER_QUAD, .space = program.stage, .pose = {{0, 0.6f, 0, 0.8f}, {1, 2, 3}}};
    const XrCompositionLayerBaseHeader *layers[] = {(void *)&quad};
    const XrFrameEndInfo end = {XR_TYPE_FRAME_END_INFO, NULL, time, XR_ENVIRONMENT_BLEND_MODE_OPAQUE, 1, layers};
    SUCCEEDS(program.call.xrEndFrame(program.session, &end));
    print("layer", &the_runtime.layers[0].pose, sizeof the_runtime.layers[0].pose);
}

void results(void)
{
    int round, descriptors, tasks;
    the_runtime.has_no_time = getenv("RUNTIME_HAS_NO_TIME") != NULL;
    program_begin(getenv("XR_ENABLE_API_LAYERS") != NULL);
    /* Those of the test itself. */
    waymark_reader_free(program.reader);
    program.reader = NULL;
    for (round = 0; round < 30; round++)
        (void)program_frame();
    descriptors = entries("/proc/self/fd");
    tasks = entries("/proc/self/task");
    for (round = 1; round < 20; round++) {
        const XrTime time = round * INT64_C(1234567890);
        print_spaces(time);
        print_views(time);
        print_joints(time);
        print_frame(time);
        print_bounds();
    }
    printf("events %d %d\n", program.local_changes, program.stage_changes);
    printf("descriptors %d\nthreads %d\n", descriptors, tasks);
    program_end();
}
