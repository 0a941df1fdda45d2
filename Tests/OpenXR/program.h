/* An OpenXR program as tests need it: an instance, a session and its spaces, by functions that lead straight to the
 * layer; frames; and the pose ring, read beside it by the client library. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "check.h"
#include "runtime.h"

#include <string.h>
#include <waymark.h>

#define MILLISECOND INT64_C(1000000)

#define SUCCEEDS(call) \
    do { \
        const XrResult result_of_call = (call); \
        CHECK(result_of_call == XR_SUCCESS, "%s gives %d", #call, (int)result_of_call); \
    } while (0)
#define GIVES(expected, call) \
    do { \
        const XrResult result_of_call = (call); \
        CHECK(result_of_call == (expected), "%s gives %d", #call, (int)result_of_call); \
    } while (0)

#define OPENXR_FUNCTIONS(F) \
    F(xrGetSystem) F(xrGetSystemProperties) F(xrPollEvent) F(xrCreateSession) F(xrDestroySession) \
    F(xrCreateReferenceSpace) F(xrDestroySpace) F(xrGetReferenceSpaceBoundsRect) F(xrLocateSpace) F(xrLocateViews) \
    F(xrWaitFrame) F(xrBeginFrame) F(xrEndFrame) F(xrCreateActionSet) F(xrCreateAction) F(xrCreateActionSpace) \
    F(xrCreateHandTrackerEXT) F(xrDestroyHandTrackerEXT) F(xrLocateHandJointsEXT)
#define GEOSPATIAL_FUNCTIONS(F) \
    F(xrCreateGeospatialTrackerANDROID) F(xrDestroyGeospatialTrackerANDROID) F(xrLocateGeospatialPoseFromPoseANDROID) \
    F(xrLocateGeospatialPoseANDROID) F(xrCheckVpsAvailabilityAsyncANDROID) F(xrCheckVpsAvailabilityCompleteANDROID) \
    F(xrPollFutureEXT) F(xrCancelFutureEXT) F(xrEnumeratePlacementsWAYMARK) F(xrCreatePlacementSpaceWAYMARK)

typedef XrResult(XRAPI_PTR *PFN_xrLocateSpacesKHR)(
    XrSession session, const XrSpacesLocateInfo *info, XrSpaceLocations *locations);

#define DECLARE(name) PFN_##name name;
struct program {
    XrInstance instance;
    XrSession session;
    XrSpace local, stage, view, hand;
    XrAction action;
    XrHandTrackerEXT hand_tracker;
    struct waymark_reader *reader;
    /* When the last frame is displayed. */
    XrTime display;
    /* The newest events of these kinds, and their numbers. */
    XrEventDataReferenceSpaceChangePending change;
    XrEventDataGeospatialTrackerStateChangedANDROID tracker_state;
    int local_changes, stage_changes, tracker_changes;
    struct {
        OPENXR_FUNCTIONS(DECLARE)
        GEOSPATIAL_FUNCTIONS(DECLARE)
        DECLARE(xrLocateSpacesKHR)
    } call;
};
#undef DECLARE

extern struct program program;
extern struct runtime the_runtime;
/* WAYMARK_OPENXR_EYES. */
extern struct vector the_eyes;

/* With the extensions of the layer, where it is there. */
void program_begin(bool with_layer);
void program_end(void);
/* The session and its spaces. */
void program_begin_session(void);
XrSession program_session(void);
XrSpace program_space(XrReferenceSpaceType type, struct pose offset);

/* A whole frame without layers, and the events; returns when it is displayed. */
XrTime program_frame(void);
/* Frames until the layer has announced its spaces and changed them. */
void program_wait_for_scene(void);
/* A word to the test that drives this program; whether its answer, which is awaited, is "ok". */
bool program_ask(const char *word);

struct motion program_locate(XrSpace space, XrSpace base, XrTime time);

/* The newest pose of the ring; its number is the same before and after what belongs to one pose. */
struct waymark_reading ring_newest(void);
/* The head by the ring at a time, or by a given reading of it. */
struct motion ring_head(XrTime time);
struct motion ring_head_of(const struct waymark_reading *reading, XrTime time);
/* Time of CLOCK_BOOTTIME at a time of the runtime, and the runtime's time now. */
int64_t boot_time(XrTime time);
XrTime time_now(void);

/* Repeats a block until no new pose came while it ran: all in it belongs to one pose. */
#define WITH_ONE_POSE(...) \
    do { \
        uint64_t number_before, attempts = 0; \
        do { \
            number_before = ring_newest().number; \
            __VA_ARGS__ \
            CHECK(++attempts < 10000, "no pause between poses"); \
        } while (ring_newest().number != number_before); \
    } while (0)

/* Units: rad, m. */
double angle_between(struct quaternion a, struct quaternion b);
double distance_between(struct vector a, struct vector b);
void check_pose(const char *what, struct pose found, struct pose expected, double angle, double distance);
/* The floats of OpenXR, and a microsecond between two readings of clocks. */
#define NEAR_ANGLE 1e-4
#define NEAR_DISTANCE 1e-4

/* Random numbers that are the same each time. */
uint32_t random_below(uint64_t *state, uint32_t end);
double random_between(uint64_t *state, double least, double most);
struct pose random_pose(uint64_t *state, double farthest);

#endif
