/* Vectors, quaternions (x, y, z, w; Hamilton) and moving frames, in double precision. */
#ifndef GEOMETRY_H
#define GEOMETRY_H

#include "openxr.h"

#include <math.h>
#include <stdbool.h>

struct vector {
    double x, y, z;
};

struct quaternion {
    double x, y, z, w;
};

/* Where a frame lies in another: `orientation` turns vectors of the first into those of the second. */
struct pose {
    struct quaternion orientation;
    struct vector position;
};

/* A frame that moves in another, with velocities by the axes of the other. Units: m, m/s, rad/s. */
struct motion {
    struct pose pose;
    struct vector linear, angular;
    XrSpaceLocationFlags location;
    XrSpaceVelocityFlags velocity;
};

#define NO_ROTATION ((struct quaternion){0, 0, 0, 1})
#define NO_POSE ((struct pose){NO_ROTATION, {0, 0, 0}})
#define LOCATED \
    (XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT)
#define TRACKED \
    (XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT)
#define MOVING (XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT)

static inline struct vector vector_sum(struct vector a, struct vector b)
{
    return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vector vector_difference(struct vector a, struct vector b)
{
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vector vector_scaled(struct vector a, double factor)
{
    return (struct vector){a.x * factor, a.y * factor, a.z * factor};
}

static inline struct vector vector_cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vector_length(struct vector a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline struct quaternion quaternion_product(struct quaternion a, struct quaternion b)
{
    return (struct quaternion){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline struct quaternion quaternion_conjugate(struct quaternion a)
{
    return (struct quaternion){-a.x, -a.y, -a.z, a.w};
}

/* Of length 1; no rotation for what has no length. */
static inline struct quaternion quaternion_normal(struct quaternion a)
{
    const double length = sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
    if (!(length > 1e-9))
        return NO_ROTATION;
    return (struct quaternion){a.x / length, a.y / length, a.z / length, a.w / length};
}

static inline struct vector quaternion_turned(struct quaternion q, struct vector v)
{
    const struct vector axis = {q.x, q.y, q.z};
    const struct vector twice = vector_scaled(vector_cross(axis, v), 2);
    return vector_sum(vector_sum(v, vector_scaled(twice, q.w)), vector_cross(axis, twice));
}

/* The rotation about a vector by its length, in radians. */
static inline struct quaternion quaternion_of_rotation(struct vector rotation)
{
    const double angle = vector_length(rotation);
    const double factor = angle > 1e-6 ? sin(angle / 2) / angle : 0.5;
    return quaternion_normal((struct quaternion){
        rotation.x * factor, rotation.y * factor, rotation.z * factor, angle > 1e-6 ? cos(angle / 2) : 1});
}

/* The opposite: the shorter rotation, at most half a turn. */
static inline struct vector quaternion_rotation(struct quaternion q)
{
    const double sign = q.w < 0 ? -1 : 1;
    const struct vector axis = {q.x * sign, q.y * sign, q.z * sign};
    const double sine = vector_length(axis);
    return vector_scaled(axis, sine > 1e-9 ? 2 * atan2(sine, q.w * sign) / sine : 2);
}

/* The rotation about the vertical (y, counter-clockwise from above) that comes nearest. Unit: rad. */
static inline double quaternion_yaw(struct quaternion q)
{
    return 2 * atan2(q.y, q.w);
}

static inline struct quaternion quaternion_of_yaw(double yaw)
{
    return (struct quaternion){0, sin(yaw / 2), 0, cos(yaw / 2)};
}

static inline struct vector pose_applied(struct pose a, struct vector point)
{
    return vector_sum(a.position, quaternion_turned(a.orientation, point));
}

static inline struct pose pose_product(struct pose a, struct pose b)
{
    return (struct pose){quaternion_product(a.orientation, b.orientation), pose_applied(a, b.position)};
}

static inline struct pose pose_inverse(struct pose a)
{
    const struct quaternion back = quaternion_conjugate(a.orientation);
    return (struct pose){back, quaternion_turned(back, vector_scaled(a.position, -1))};
}

static inline struct motion motion_at_rest(struct pose pose)
{
    return (struct motion){pose, {0, 0, 0}, {0, 0, 0}, LOCATED | TRACKED, MOVING};
}

/* Without an orientation nothing can be said of what lies beyond. */
static inline XrSpaceLocationFlags location_flags(XrSpaceLocationFlags flags)
{
    const XrSpaceLocationFlags position =
        XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
    return flags & XR_SPACE_LOCATION_ORIENTATION_VALID_BIT ? flags : flags & ~position;
}

/* The motion of c in a from that of b in a and that of c in b. */
static inline struct motion motion_product(struct motion b, struct motion c)
{
    const struct vector arm = quaternion_turned(b.pose.orientation, c.pose.position);
    struct motion result;
    result.pose = pose_product(b.pose, c.pose);
    result.linear = vector_sum(
        vector_sum(b.linear, vector_cross(b.angular, arm)), quaternion_turned(b.pose.orientation, c.linear));
    result.angular = vector_sum(b.angular, quaternion_turned(b.pose.orientation, c.angular));
    result.location = location_flags(b.location) & c.location;
    result.velocity = b.velocity & c.velocity;
    return result;
}

static inline struct motion motion_inverse(struct motion b)
{
    const struct quaternion back = quaternion_conjugate(b.pose.orientation);
    struct motion result;
    result.pose = pose_inverse(b.pose);
    result.linear = quaternion_turned(back, vector_difference(vector_cross(b.angular, b.pose.position), b.linear));
    result.angular = quaternion_turned(back, vector_scaled(b.angular, -1));
    result.location = location_flags(b.location);
    result.velocity = b.velocity;
    return result;
}

static inline struct quaternion quaternion_of_xr(XrQuaternionf q)
{
    return quaternion_normal((struct quaternion){q.x, q.y, q.z, q.w});
}

static inline XrQuaternionf quaternion_to_xr(struct quaternion q)
{
    q = quaternion_normal(q);
    return (XrQuaternionf){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static inline struct vector vector_of_xr(XrVector3f v)
{
    return (struct vector){(double)v.x, (double)v.y, (double)v.z};
}

static inline XrVector3f vector_to_xr(struct vector v)
{
    return (XrVector3f){(float)v.x, (float)v.y, (float)v.z};
}

static inline struct pose pose_of_xr(XrPosef pose)
{
    return (struct pose){quaternion_of_xr(pose.orientation), vector_of_xr(pose.position)};
}

static inline XrPosef pose_to_xr(struct pose pose)
{
    return (XrPosef){quaternion_to_xr(pose.orientation), vector_to_xr(pose.position)};
}

/* Whether a program's pose can be calculated with: finite, and its orientation of length 1 to within 1 %. */
static inline bool pose_is_sound(XrPosef pose)
{
    const XrQuaternionf q = pose.orientation;
    const double square = (double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return square > 0.98 && square < 1.02 &&
        isfinite(pose.position.x) && isfinite(pose.position.y) && isfinite(pose.position.z);
}
#endif
