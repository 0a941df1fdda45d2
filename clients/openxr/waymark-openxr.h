/*
 * Extensions of OpenXR that the layer XR_APILAYER_WAYMARK_tracking provides.
 *
 * XR_ANDROID_geospatial: poses between the program's spaces and the earth, with their accuracies. Names, numbers and
 * layouts are those of the OpenXR registry (extension 790, revision 1); headers of OpenXR 1.1.54 and later have them,
 * and are used where they are included first. No cloud and no credentials are involved. What Waymark makes of it:
 *
 * - The tracker runs while the daemon knows the position and true north, and stops when it does not.
 * - Latitude and longitude are WGS84, the altitude is above the ellipsoid, eastUpSouthOrientation has +x east, +y up and
 *   +z south at that point of the earth.
 * - Accuracies are radii of 68 % for the pose that is asked for: what is far from the wearer is less accurate.
 * - There is no visual positioning system: its availability is XR_VPS_AVAILABILITY_UNAVAILABLE_ANDROID everywhere.
 *
 * XR_WAYMARK_placements: the daemon's placements, which are places, anchors and the route, as spaces. Needs
 * XR_ANDROID_geospatial.
 *
 * Include it after openxr.h.
 */
#ifndef WAYMARK_OPENXR_H
#define WAYMARK_OPENXR_H 1

#include <openxr/openxr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As XR_EXT_future and XR_ML_spatial_anchors have it, both of later headers. */
#if !defined(XR_EXT_future) && !defined(XR_ML_spatial_anchors)
#if XR_PTR_SIZE == 8 || defined(__LP64__)
typedef struct XrFutureEXT_T *XrFutureEXT;
#else
typedef uint64_t XrFutureEXT;
#endif
#endif

#ifndef XR_EXT_future
#define XR_EXT_future 1
#define XR_EXT_FUTURE_EXTENSION_NAME "XR_EXT_future"
#define XR_TYPE_FUTURE_CANCEL_INFO_EXT ((XrStructureType)1000469000)
#define XR_TYPE_FUTURE_POLL_INFO_EXT ((XrStructureType)1000469001)
#define XR_TYPE_FUTURE_POLL_RESULT_EXT ((XrStructureType)1000469003)
#define XR_ERROR_FUTURE_PENDING_EXT ((XrResult)-1000469001)
#define XR_ERROR_FUTURE_INVALID_EXT ((XrResult)-1000469002)

typedef enum XrFutureStateEXT {
    XR_FUTURE_STATE_PENDING_EXT = 1,
    XR_FUTURE_STATE_READY_EXT = 2,
    XR_FUTURE_STATE_MAX_ENUM_EXT = 0x7FFFFFFF
} XrFutureStateEXT;

typedef struct XrFutureCancelInfoEXT {
    XrStructureType type;
    const void *next;
    XrFutureEXT future;
} XrFutureCancelInfoEXT;

typedef struct XrFuturePollInfoEXT {
    XrStructureType type;
    const void *next;
    XrFutureEXT future;
} XrFuturePollInfoEXT;

typedef struct XrFuturePollResultEXT {
    XrStructureType type;
    void *next;
    XrFutureStateEXT state;
} XrFuturePollResultEXT;

typedef XrResult(XRAPI_PTR *PFN_xrPollFutureEXT)(
    XrInstance instance, const XrFuturePollInfoEXT *pollInfo, XrFuturePollResultEXT *pollResult);
typedef XrResult(XRAPI_PTR *PFN_xrCancelFutureEXT)(XrInstance instance, const XrFutureCancelInfoEXT *cancelInfo);
#endif

#ifndef XR_ANDROID_geospatial
#define XR_ANDROID_geospatial 1
#define XR_ANDROID_geospatial_SPEC_VERSION 1
#define XR_ANDROID_GEOSPATIAL_EXTENSION_NAME "XR_ANDROID_geospatial"
#define XR_TYPE_SYSTEM_GEOSPATIAL_PROPERTIES_ANDROID ((XrStructureType)1000789000)
#define XR_TYPE_GEOSPATIAL_TRACKER_CREATE_INFO_ANDROID ((XrStructureType)1000789001)
#define XR_TYPE_EVENT_DATA_GEOSPATIAL_TRACKER_STATE_CHANGED_ANDROID ((XrStructureType)1000789002)
#define XR_TYPE_GEOSPATIAL_POSE_FROM_POSE_LOCATE_INFO_ANDROID ((XrStructureType)1000789003)
#define XR_TYPE_GEOSPATIAL_POSE_RESULT_ANDROID ((XrStructureType)1000789004)
#define XR_TYPE_GEOSPATIAL_POSE_LOCATE_INFO_ANDROID ((XrStructureType)1000789005)
#define XR_TYPE_VPS_AVAILABILITY_CHECK_COMPLETION_ANDROID ((XrStructureType)1000789006)
#define XR_OBJECT_TYPE_GEOSPATIAL_TRACKER_ANDROID ((XrObjectType)1000789000)
#define XR_ERROR_GEOSPATIAL_TRACKER_NOT_RUNNING_ANDROID ((XrResult)-1000789000)
#define XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID ((XrResult)-1000789001)
#define XR_ERROR_GEOSPATIAL_CLOUD_AUTH_FAILED_ANDROID ((XrResult)-1000789002)

XR_DEFINE_HANDLE(XrGeospatialTrackerANDROID)

typedef enum XrGeospatialTrackerStateANDROID {
    XR_GEOSPATIAL_TRACKER_STATE_STOPPED_ANDROID = 0,
    XR_GEOSPATIAL_TRACKER_STATE_RUNNING_ANDROID = 1,
    XR_GEOSPATIAL_TRACKER_STATE_INITIALIZATION_FAILED_ANDROID = 2,
    XR_GEOSPATIAL_TRACKER_STATE_MAX_ENUM_ANDROID = 0x7FFFFFFF
} XrGeospatialTrackerStateANDROID;

typedef enum XrVPSAvailabilityANDROID {
    XR_VPS_AVAILABILITY_UNAVAILABLE_ANDROID = 1,
    XR_VPS_AVAILABILITY_AVAILABLE_ANDROID = 2,
    XR_VPSAVAILABILITY_MAX_ENUM_ANDROID = 0x7FFFFFFF
} XrVPSAvailabilityANDROID;

typedef XrFlags64 XrGeospatialPoseFlagsANDROID;
static const XrGeospatialPoseFlagsANDROID XR_GEOSPATIAL_POSE_ORIENTATION_VALID_BIT_ANDROID = 0x00000001;
static const XrGeospatialPoseFlagsANDROID XR_GEOSPATIAL_POSE_POSITION_VALID_BIT_ANDROID = 0x00000002;

typedef struct XrGeospatialPoseANDROID {
    XrQuaternionf eastUpSouthOrientation;
    double latitude;
    double longitude;
    double altitude;
} XrGeospatialPoseANDROID;

typedef struct XrSystemGeospatialPropertiesANDROID {
    XrStructureType type;
    void *next;
    XrBool32 supportsGeospatial;
} XrSystemGeospatialPropertiesANDROID;

typedef struct XrGeospatialTrackerCreateInfoANDROID {
    XrStructureType type;
    const void *next;
} XrGeospatialTrackerCreateInfoANDROID;

typedef struct XrEventDataGeospatialTrackerStateChangedANDROID {
    XrStructureType type;
    const void *next;
    XrGeospatialTrackerANDROID geospatialTracker;
    XrGeospatialTrackerStateANDROID state;
    XrResult initializationResult;
    XrTime time;
} XrEventDataGeospatialTrackerStateChangedANDROID;

typedef struct XrGeospatialPoseFromPoseLocateInfoANDROID {
    XrStructureType type;
    const void *next;
    XrSpace space;
    XrTime time;
    XrPosef pose;
} XrGeospatialPoseFromPoseLocateInfoANDROID;

/* Accuracies: m, m, degrees. */
typedef struct XrGeospatialPoseResultANDROID {
    XrStructureType type;
    void *next;
    XrGeospatialPoseFlagsANDROID poseFlags;
    XrGeospatialPoseANDROID geospatialPose;
    double horizontalAccuracy;
    double verticalAccuracy;
    double orientationYawAccuracy;
} XrGeospatialPoseResultANDROID;

typedef struct XrGeospatialPoseLocateInfoANDROID {
    XrStructureType type;
    const void *next;
    XrSpace space;
    XrTime time;
    XrGeospatialPoseANDROID geospatialPose;
} XrGeospatialPoseLocateInfoANDROID;

typedef struct XrVPSAvailabilityCheckCompletionANDROID {
    XrStructureType type;
    void *next;
    XrResult futureResult;
    XrVPSAvailabilityANDROID availability;
} XrVPSAvailabilityCheckCompletionANDROID;

typedef XrResult(XRAPI_PTR *PFN_xrCreateGeospatialTrackerANDROID)(
    XrSession session, const XrGeospatialTrackerCreateInfoANDROID *createInfo,
    XrGeospatialTrackerANDROID *geospatialTrackerOutput);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyGeospatialTrackerANDROID)(XrGeospatialTrackerANDROID geospatialTracker);
typedef XrResult(XRAPI_PTR *PFN_xrLocateGeospatialPoseFromPoseANDROID)(
    XrGeospatialTrackerANDROID geospatialTracker, const XrGeospatialPoseFromPoseLocateInfoANDROID *locateInfo,
    XrGeospatialPoseResultANDROID *geospatialPoseResult);
typedef XrResult(XRAPI_PTR *PFN_xrLocateGeospatialPoseANDROID)(
    XrGeospatialTrackerANDROID geospatialTracker, const XrGeospatialPoseLocateInfoANDROID *locateInfo,
    XrSpaceLocation *location);
typedef XrResult(XRAPI_PTR *PFN_xrCheckVpsAvailabilityAsyncANDROID)(
    XrSession session, double latitude, double longitude, XrFutureEXT *future);
typedef XrResult(XRAPI_PTR *PFN_xrCheckVpsAvailabilityCompleteANDROID)(
    XrSession session, XrFutureEXT future, XrVPSAvailabilityCheckCompletionANDROID *completion);
#endif

#ifndef XR_WAYMARK_placements
#define XR_WAYMARK_placements 1
#define XR_WAYMARK_placements_SPEC_VERSION 1
#define XR_WAYMARK_PLACEMENTS_EXTENSION_NAME "XR_WAYMARK_placements"
#define XR_TYPE_PLACEMENT_WAYMARK ((XrStructureType)1999999000)
#define XR_TYPE_PLACEMENT_SPACE_CREATE_INFO_WAYMARK ((XrStructureType)1999999001)
/* No placement has this id, or none any more. */
#define XR_ERROR_PLACEMENT_UNKNOWN_WAYMARK ((XrResult)-1999999000)

/* With the zero byte. A longer name is cut between characters; a placement with a longer id is left out. */
#define XR_MAX_PLACEMENT_ID_SIZE_WAYMARK 256
#define XR_MAX_PLACEMENT_NAME_SIZE_WAYMARK 256
#define XR_MAX_PLACEMENT_KIND_SIZE_WAYMARK 32

/* A placement of the daemon: see waymark-protocol(7), org.waymark.Scene. Set `type`; UTF-8. */
typedef struct XrPlacementWAYMARK {
    XrStructureType type;
    void *next;
    char id[XR_MAX_PLACEMENT_ID_SIZE_WAYMARK];
    char name[XR_MAX_PLACEMENT_NAME_SIZE_WAYMARK];
    char kind[XR_MAX_PLACEMENT_KIND_SIZE_WAYMARK];
    /* Whether it moves with the head; then it has no geospatial pose. */
    XrBool32 isHeadLocked;
    /* Those of `geospatialPose`; 0 where it is head-locked. */
    XrGeospatialPoseFlagsANDROID poseFlags;
    XrGeospatialPoseANDROID geospatialPose;
} XrPlacementWAYMARK;

typedef struct XrPlacementSpaceCreateInfoWAYMARK {
    XrStructureType type;
    const void *next;
    char id[XR_MAX_PLACEMENT_ID_SIZE_WAYMARK];
    XrPosef poseInPlacementSpace;
} XrPlacementSpaceCreateInfoWAYMARK;

/* The present placements, by the two calls of OpenXR's enumerations: the number with a capacity of 0, then as many
 * structures. There are none before the daemon has sent its scene. */
typedef XrResult(XRAPI_PTR *PFN_xrEnumeratePlacementsWAYMARK)(
    XrGeospatialTrackerANDROID tracker, uint32_t capacityInput, uint32_t *countOutput, XrPlacementWAYMARK *placements);

/* A space whose origin is the placement and follows it; its axes are those of the scene (x east, y up, z south), or those
 * of VIEW where it is head-locked. It is not located while there is no such placement. Destroy it by xrDestroySpace. */
typedef XrResult(XRAPI_PTR *PFN_xrCreatePlacementSpaceWAYMARK)(
    XrGeospatialTrackerANDROID tracker, const XrPlacementSpaceCreateInfoWAYMARK *createInfo, XrSpace *space);
#endif

#ifdef __cplusplus
}
#endif
#endif
