/* Where the scene lies on the earth. */
#ifndef EARTH_H
#define EARTH_H

#include "locate.h"

#define GEOSPATIAL_POSE_VALID \
    (XR_GEOSPATIAL_POSE_POSITION_VALID_BIT_ANDROID | XR_GEOSPATIAL_POSE_ORIENTATION_VALID_BIT_ANDROID)

/* The earth at a moment, by the alignment that the daemon publishes. */
struct earth {
    struct waymark_ring_slot pose;
    struct pose earth_from_scene;
    struct vector head;
    /* How far the program's head may be from the daemon's best estimate of it. Units: m, m, degrees. */
    double across, rise, yaw;
};

/* The daemon knows where the scene lies on the earth, and how well; not where `pose` is NULL. */
bool is_on_earth(const struct waymark_ring_slot *pose);

/* The earth at a moment; false where the daemon does not track at it, or does not know. */
bool earth_find(struct moment *moment, struct earth *earth);

/* A pose of the scene by latitude, longitude, height and the orientation in the axes east, up and south there. */
XrGeospatialPoseANDROID earth_pose_of_scene(const struct earth *earth, struct pose in_scene);

/* Latitude and longitude of a program, in degrees, are those of a place. */
bool is_on_globe(double latitude, double longitude);

#endif
