/* Poses at times between and after those of the ring, as the daemon calculates them. */
#include "internal.h"

#include <math.h>

/* Angular acceleration beyond that of any head: the axes were corrected, and the rotation is taken as uniform.
 * Unit: rad/s^2. */
#define LARGEST_ACCELERATION 150.0
/* Longest interval between two poses that is interpolated. Unit: ns. */
#define LONGEST_INTERVAL (100 * WMK_MILLISECOND)

bool waymark_predict(const struct waymark_ring_slot *pose, int64_t time, struct waymark_ring_slot *predicted)
{
    return waymark_ring_predict(pose, time, predicted);
}

/* Rotation vector of a rotation of at most half a turn. */
static void logarithm(const double q[4], double vector[3])
{
    const double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    const double sign = q[3] < 0 ? -1 : 1;
    const double angle = 2 * atan2(sine, sign * q[3]);
    const double factor = sine > 1e-9 ? sign * angle / sine : sign * 2;
    int axis;
    for (axis = 0; axis < 3; axis++)
        vector[axis] = factor * q[axis];
}

static void exponential(const double vector[3], double q[4])
{
    const double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    const double factor = angle > 1e-6 ? sin(angle / 2) / angle : 0.5;
    int axis;
    for (axis = 0; axis < 3; axis++)
        q[axis] = factor * vector[axis];
    q[3] = cos(angle / 2);
}

/* Product of quaternions x, y, z, w; the first is conjugated where `inverse` is set. */
static void multiply(const double p[4], const double q[4], bool inverse, double result[4])
{
    const double sign = inverse ? -1 : 1;
    const double x = sign * p[0], y = sign * p[1], z = sign * p[2], w = p[3];
    result[0] = w * q[0] + x * q[3] + y * q[2] - z * q[1];
    result[1] = w * q[1] - x * q[2] + y * q[3] + z * q[0];
    result[2] = w * q[2] + x * q[1] - y * q[0] + z * q[3];
    result[3] = w * q[3] - x * q[0] - y * q[1] - z * q[2];
}

static void normalize(double q[4])
{
    const double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    int part;
    for (part = 0; part < 4; part++)
        q[part] *= scale;
}

static double norm(const double vector[3])
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

/* Rotation vector from the first orientation to that at the share of the interval. */
static void turn_at(const struct wmk_neighbours *two, double share, double span, double turn[3])
{
    const double *first = two->first.angular_velocity, *second = two->second.angular_velocity;
    const double begin = share - 2 * share * share + share * share * share;
    const double end = share * share * share - share * share;
    const double largest = 0.5 * LARGEST_ACCELERATION * span * span;
    double rotation[4], whole[3], first_bend[3], second_bend[3];
    int axis;
    multiply(two->first.orientation, two->second.orientation, true, rotation);
    logarithm(rotation, whole);
    for (axis = 0; axis < 3; axis++) {
        /* A published rate is the mean over the interval before. */
        double after = two->has_third ? two->third.angular_velocity[axis] : 2 * second[axis] - first[axis];
        first_bend[axis] = 0.5 * (first[axis] + second[axis]) * span - whole[axis];
        second_bend[axis] = 0.5 * (second[axis] + after) * span - whole[axis];
    }
    for (axis = 0; axis < 3; axis++) {
        turn[axis] = whole[axis] * share;
        if (norm(first_bend) <= largest && norm(second_bend) <= largest)
            turn[axis] += first_bend[axis] * begin + second_bend[axis] * end;
    }
}

enum waymark_outcome wmk_interpolate(
    const struct wmk_neighbours *two, int64_t time, struct waymark_ring_slot *pose)
{
    const struct waymark_ring_slot *first = &two->first, *second = &two->second;
    double span, share, begin, end, turn[3], rotation[4];
    int64_t interval, after;
    int axis;
    *pose = *first;
    if (first->time == time)
        return WAYMARK_OK;
    if (first->generation != second->generation || __builtin_sub_overflow(second->time, first->time, &interval) ||
        interval > LONGEST_INTERVAL)
        return WAYMARK_IN_GAP;
    /* Less than the interval. */
    after = time - first->time;
    if ((first->fields & WAYMARK_RING_HAS_UTC) && __builtin_add_overflow(first->utc, after, &pose->utc))
        return WAYMARK_IN_GAP;
    span = (double)interval * 1e-9;
    share = (double)after * 1e-9 / span;
    begin = share - 2 * share * share + share * share * share;
    end = share * share * share - share * share;
    for (axis = 0; axis < 3; axis++) {
        const double *v0 = first->linear_velocity, *v1 = second->linear_velocity;
        const double chord = second->position[axis] - first->position[axis];
        pose->position[axis] +=
            chord * share + (v0[axis] * span - chord) * begin + (v1[axis] * span - chord) * end;
        pose->linear_velocity[axis] += (v1[axis] - v0[axis]) * share;
        pose->angular_velocity[axis] += (second->angular_velocity[axis] - first->angular_velocity[axis]) * share;
    }
    turn_at(two, share, span, turn);
    exponential(turn, rotation);
    multiply(first->orientation, rotation, false, pose->orientation);
    normalize(pose->orientation);
    pose->time = time;
    return WAYMARK_OK;
}
