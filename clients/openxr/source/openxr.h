/* OpenXR as the layer needs it, by the headers of Debian 12 (1.0.20) and later ones: what the former lack is added, by
 * the values and layouts of the registry. */
#ifndef LAYER_OPENXR_H
#define LAYER_OPENXR_H

#include <time.h>

#define XR_USE_TIMESPEC
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include "waymark-openxr.h"

#ifndef XR_EXT_local_floor
#define XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR ((XrReferenceSpaceType)1000426000)
#endif

#ifndef XR_KHR_locate_spaces
#define XR_TYPE_SPACE_VELOCITIES ((XrStructureType)1000471002)

typedef struct XrSpacesLocateInfo {
    XrStructureType type;
    const void *next;
    XrSpace baseSpace;
    XrTime time;
    uint32_t spaceCount;
    const XrSpace *spaces;
} XrSpacesLocateInfo;

typedef struct XrSpaceLocationData {
    XrSpaceLocationFlags locationFlags;
    XrPosef pose;
} XrSpaceLocationData;

typedef struct XrSpaceLocations {
    XrStructureType type;
    void *next;
    uint32_t locationCount;
    XrSpaceLocationData *locations;
} XrSpaceLocations;

typedef struct XrSpaceVelocityData {
    XrSpaceVelocityFlags velocityFlags;
    XrVector3f linearVelocity;
    XrVector3f angularVelocity;
} XrSpaceVelocityData;

typedef struct XrSpaceVelocities {
    XrStructureType type;
    void *next;
    uint32_t velocityCount;
    XrSpaceVelocityData *velocities;
} XrSpaceVelocities;
#endif

/* The head of every structure with a chain. */
struct chained {
    XrStructureType type;
    void *next;
};

/* The first structure of a type in a chain; NULL without one. A chain of more than 64 is malformed. */
static inline void *chain_find(const void *chain, XrStructureType type)
{
    const struct chained *part = (const struct chained *)chain;
    int count;
    for (count = 0; part && count < 64; count++, part = (const struct chained *)part->next)
        if (part->type == type)
            return (void *)(size_t)part;
    return NULL;
}
#endif
