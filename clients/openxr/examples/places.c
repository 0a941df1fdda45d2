/*
 * Prints where the daemon's placements are drawn on a display that looks as the wearer does: once a second, for as many
 * seconds as are given (default 10), a line for the head and one for each placement before it.
 *
 *     cc places.c $(pkg-config --cflags --libs openxr) -lm -o places
 *     WAYMARK_OPENXR=replace XR_ENABLE_API_LAYERS=XR_APILAYER_WAYMARK_tracking ./places 3
 *
 * It has no window and needs no graphics, but a runtime with XR_MND_headless, as Monado is. A program that draws asks for
 * views by xrLocateViews in place of VIEW, and has all else in common with this one.
 */
#include <time.h>

#define XR_USE_TIMESPEC
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include "waymark-openxr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PLACEMENTS 256
/* The display. Units: pixels, degrees. */
#define WIDTH 1280
#define HEIGHT 720
#define FIELD_OF_VIEW 60.0

/* How long to wait for a position on the earth. Unit: frames of 10 ms. */
#define LONGEST_WAIT 6000

struct program {
    XrInstance instance;
    XrSession session;
    XrSpace view, local;
    XrGeospatialTrackerANDROID tracker;
    int is_running, has_ended;
    PFN_xrConvertTimespecTimeToTimeKHR convert;
    PFN_xrCreateGeospatialTrackerANDROID create_tracker;
    PFN_xrLocateGeospatialPoseFromPoseANDROID locate_geospatial;
    PFN_xrEnumeratePlacementsWAYMARK enumerate;
    PFN_xrCreatePlacementSpaceWAYMARK create_space;
};

static void check(XrResult result, const char *what)
{
    if (XR_SUCCEEDED(result))
        return;
    fprintf(stderr, "places: %s: error %d\n", what, (int)result);
    exit(1);
}

static void find(XrInstance instance, const char *name, PFN_xrVoidFunction *function)
{
    check(xrGetInstanceProcAddr(instance, name, function), name);
}

static void begin(struct program *program)
{
    const char *extensions[] = {
        XR_MND_HEADLESS_EXTENSION_NAME, XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME, XR_EXT_FUTURE_EXTENSION_NAME,
        XR_ANDROID_GEOSPATIAL_EXTENSION_NAME, XR_WAYMARK_PLACEMENTS_EXTENSION_NAME};
    XrInstanceCreateInfo instance = {.type = XR_TYPE_INSTANCE_CREATE_INFO};
    XrSystemGetInfo wanted = {.type = XR_TYPE_SYSTEM_GET_INFO};
    XrSessionCreateInfo session = {.type = XR_TYPE_SESSION_CREATE_INFO};
    XrReferenceSpaceCreateInfo space = {.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO};
    XrGeospatialTrackerCreateInfoANDROID tracker = {.type = XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID};
    strcpy(instance.applicationInfo.applicationName, "places");
    instance.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    instance.enabledExtensionCount = sizeof extensions / sizeof *extensions;
    instance.enabledExtensionNames = extensions;
    check(xrCreateInstance(&instance, &program->instance), "no instance: are the layer and a runtime there?");
    find(program->instance, "xrConvertTimespecTimeToTimeKHR", (PFN_xrVoidFunction *)&program->convert);
    find(program->instance, "xrCreateGeospatialTrackerANDROID", (PFN_xrVoidFunction *)&program->create_tracker);
    find(program->instance, "xrLocateGeospatialPoseFromPoseANDROID", (PFN_xrVoidFunction *)&program->locate_geospatial);
    find(program->instance, "xrEnumeratePlacementsWAYMARK", (PFN_xrVoidFunction *)&program->enumerate);
    find(program->instance, "xrCreatePlacementSpaceWAYMARK", (PFN_xrVoidFunction *)&program->create_space);
    wanted.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    check(xrGetSystem(program->instance, &wanted, &session.systemId), "no head-mounted display");
    check(xrCreateSession(program->instance, &session, &program->session), "no session");
    space.poseInReferenceSpace.orientation.w = 1;
    space.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_VIEW;
    check(xrCreateReferenceSpace(program->session, &space, &program->view), "no space VIEW");
    space.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL;
    check(xrCreateReferenceSpace(program->session, &space, &program->local), "no space LOCAL");
    check(program->create_tracker(program->session, &tracker, &program->tracker), "no geospatial tracker");
}

static void take_events(struct program *program)
{
    XrEventDataBuffer event = {.type = XR_TYPE_EVENT_DATA_BUFFER};
    while (xrPollEvent(program->instance, &event) == XR_SUCCESS) {
        if (event.type == XR_TYPE_EVENT_DATA_GEOSPATIAL_TRACKER_STATE_CHANGED_ANDROID) {
            XrEventDataGeospatialTrackerStateChangedANDROID changed;
            memcpy(&changed, &event, sizeof changed);
            program->is_running = changed.state == XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID;
        } else if (event.type == XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING) {
            fprintf(stderr, "places: another scene frame\n");
        } else if (event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
            XrEventDataSessionStateChanged changed;
            const XrSessionBeginInfo info = {
                XR_TYPE_SESSION_BEGIN_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
            memcpy(&changed, &event, sizeof changed);
            if (changed.state == XR_SESSION_STATE_READY)
                check(xrBeginSession(program->session, &info), "no session");
            program->has_ended = changed.state == XR_SESSION_STATE_LOSS_PENDING;
        }
        event.type = XR_TYPE_EVENT_DATA_BUFFER;
        event.next = NULL;
    }
}

static XrTime now(const struct program *program, struct timespec *boottime)
{
    struct timespec monotonic;
    XrTime time = 0;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_BOOTTIME, boottime);
    check(program->convert(program->instance, &monotonic, &time), "no time");
    return time;
}

static void print_placement(const struct program *program, const char *id, XrTime time)
{
    const double focal = WIDTH / 2.0 / tan(FIELD_OF_VIEW / 2 * acos(-1.0) / 180);
    XrPlacementSpaceCreateInfoWAYMARK info = {.type = XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK};
    XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION};
    const XrVector3f *p = &location.pose.position;
    XrSpace space;
    strcpy(info.id, id);
    info.poseInPlacementSpace.orientation.w = 1;
    /* It may have been removed since it was listed. A program that draws makes the space once, and keeps it. */
    if (XR_FAILED(program->create_space(program->tracker, &info, &space)))
        return;
    check(xrLocateSpace(space, program->view, time, &location), "xrLocateSpace");
    if ((location.locationFlags & XR_SPACE_LOCATION_POSITION_VALID_BIT) && p->z < 0)
        printf(
            "  %s %.2f %.2f px %.2f m\n", id, WIDTH / 2.0 + focal * (double)(p->x / -p->z),
            HEIGHT / 2.0 - focal * (double)(p->y / -p->z),
            sqrt((double)(p->x * p->x + p->y * p->y + p->z * p->z)));
    xrDestroySpace(space);
}

static void print_frame(const struct program *program, XrPlacementWAYMARK *placements)
{
    struct timespec boottime;
    const XrTime time = now(program, &boottime);
    XrSpaceLocation head = {.type = XR_TYPE_SPACE_LOCATION};
    XrGeospatialPoseFromPoseLocateInfoANDROID info = {.type = XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID};
    XrGeospatialPoseResultANDROID earth = {.type = XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID};
    const XrVector3f *p = &head.pose.position;
    const XrQuaternionf *q = &head.pose.orientation;
    uint32_t count = 0, index;
    check(xrLocateSpace(program->view, program->local, time, &head), "xrLocateSpace");
    info.space = program->view;
    info.time = time;
    info.pose.orientation.w = 1;
    if (XR_FAILED(program->locate_geospatial(program->tracker, &info, &earth)) || !earth.poseFlags)
        return;
    printf(
        "head %lld.%09ld s at %.4f %.4f %.4f m, %.6f %.6f %.6f %.6f; %.8f %.8f %.2f m, to %.2f m, %.2f m, %.2f deg\n",
        (long long)boottime.tv_sec, boottime.tv_nsec, (double)p->x, (double)p->y, (double)p->z, (double)q->x,
        (double)q->y, (double)q->z, (double)q->w, earth.geospatialPose.latitude, earth.geospatialPose.longitude,
        earth.geospatialPose.altitude, earth.horizontalAccuracy, earth.verticalAccuracy,
        earth.orientationYawAccuracy);
    if (XR_FAILED(program->enumerate(program->tracker, MOST_PLACEMENTS, &count, placements)))
        return;
    for (index = 0; index < count; index++)
        print_placement(program, placements[index].id, time);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    const struct timespec pause = {0, 10000000};
    const long seconds = count > 1 ? strtol(arguments[1], NULL, 10) : 10;
    static XrPlacementWAYMARK placements[MOST_PLACEMENTS];
    struct program program = {0};
    long frame, waited = 0;
    for (frame = 0; frame < MOST_PLACEMENTS; frame++)
        placements[frame].type = XR_TYPE_PLACEMENT_WAYMARK;
    begin(&program);
    for (frame = 0; frame < seconds * 100 && !program.has_ended; nanosleep(&pause, NULL)) {
        take_events(&program);
        if (!program.is_running) {
            if (waited++ == LONGEST_WAIT) {
                fprintf(stderr, "places: the daemon knows no position: see waymark doctor\n");
                return 1;
            }
            continue;
        }
        if (frame++ % 100 == 0)
            print_frame(&program, placements);
    }
    xrDestroySession(program.session);
    xrDestroyInstance(program.instance);
    return 0;
}
