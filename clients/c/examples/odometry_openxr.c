/*
 * Offers the head tracking of an OpenXR runtime as a camera's odometry, one second of it.
 *
 * OpenXR's axes are those of Waymark: x right, y up, -z ahead, in the space VIEW as in LOCAL and STAGE, which are upright.
 * Nothing is turned, and quaternions are x, y, z, w in both. The types below are those of openxr.h, which a program with a
 * runtime includes instead; `locate` stands for xrLocateSpace of the space VIEW in the space LOCAL.
 *
 *     cc odometry_openxr.c $(pkg-config --cflags --libs waymark) -lm -o odometry_openxr && ./odometry_openxr
 */
#include <waymark.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef struct XrVector3f { float x, y, z; } XrVector3f;
typedef struct XrQuaternionf { float x, y, z, w; } XrQuaternionf;
typedef struct XrPosef { XrQuaternionf orientation; XrVector3f position; } XrPosef;
typedef struct XrSpaceLocation { uint64_t locationFlags; XrPosef pose; } XrSpaceLocation;
enum {
    XR_SPACE_LOCATION_ORIENTATION_VALID_BIT = 1, XR_SPACE_LOCATION_POSITION_VALID_BIT = 2,
    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT = 4, XR_SPACE_LOCATION_POSITION_TRACKED_BIT = 8
};

/* A head that moves ahead at 1 m/s and turns to the left at 45 degrees/s. */
static XrSpaceLocation locate(double seconds)
{
    const float angle = (float)(0.785398 * seconds);
    const XrSpaceLocation head = {15, {{0, sinf(angle / 2), 0, cosf(angle / 2)}, {0, 1.6f, (float)-seconds}}};
    return head;
}

/*
 * `monotonic` is what xrConvertTimeToTimespecTimeKHR (XR_KHR_convert_timespec_time) makes of the XrTime for which the head
 * was located: CLOCK_MONOTONIC. Locate it for the present, or for the past: a prediction for the display is no measurement,
 * and the daemon refuses what is more than 50 ms ahead. `reset` is counted up at
 * XrEventDataReferenceSpaceChangePending.
 */
static enum waymark_outcome offer(
    struct waymark_aid *aid, const XrSpaceLocation *head, const struct timespec *monotonic, uint32_t reset)
{
    const uint64_t valid = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    const uint64_t tracked = XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
    const XrVector3f *p = &head->pose.position;
    const XrQuaternionf *q = &head->pose.orientation;
    const double position[3] = {p->x, p->y, p->z}, orientation[4] = {q->x, q->y, q->z, q->w};
    const int64_t time = waymark_boottime((int64_t)monotonic->tv_sec * 1000000000 + monotonic->tv_nsec);
    if ((head->locationFlags & valid) != valid)
        return WAYMARK_NOT_READY;
    /* A position that is valid and not tracked is inferred, as from a model of the neck. */
    return waymark_aid_offer_odometry(
        aid, time, position, orientation, reset, (head->locationFlags & tracked) == tracked ? 1 : 0);
}

int main(void)
{
    const struct timespec frame = {0, 16666667};
    struct waymark_aid_description headset = {.source = "openxr", .kinds = 1 << WAYMARK_AID_KIND_ODOMETRY};
    struct waymark_aid_state state;
    struct waymark_aid *aid;
    enum waymark_outcome outcome;
    int number;
    /* Where the runtime's VIEW, the middle between the eyes, is seen from the board. Unit: m. */
    headset.mount.has_lever_arm = true;
    headset.mount.lever_arm.y = -0.02;
    headset.mount.lever_arm.z = 0.05;
    if (waymark_aid_new(NULL, &headset, &aid) != WAYMARK_OK)
        return 1;
    outcome = waymark_aid_wait(aid, 5000);
    for (number = 0; outcome == WAYMARK_OK && number < 60; number++) {
        const XrSpaceLocation head = locate(number / 60.0);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        (void)offer(aid, &head, &now, 0);
        /* In place of xrWaitFrame. */
        nanosleep(&frame, NULL);
    }
    if (outcome == WAYMARK_OK)
        outcome = waymark_aid_wait(aid, 5000);
    waymark_aid_state(aid, &state);
    printf("%" PRIu64 " accepted, %" PRIu64 " refused %s\n", state.accepted, state.refused, state.error);
    if (outcome != WAYMARK_OK)
        fprintf(stderr, "odometry_openxr: %s %s\n", waymark_outcome_text(outcome), state.error);
    waymark_aid_free(aid);
    return outcome == WAYMARK_OK && !state.refused ? 0 : 1;
}
