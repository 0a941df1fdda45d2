#include "snapshot.h"

/* The longest that a slew may take, whatever the difference. Unit: s. */
#define SLEW_LONGEST 10.0

struct pose slew_at(const struct slew *slew, XrTime time)
{
    double left;
    struct quaternion turn;
    if (slew->duration == 0 || time >= slew->begin + slew->duration)
        return NO_POSE;
    left = time <= slew->begin ? 1 : 1 - (double)(time - slew->begin) / (double)slew->duration;
    turn = quaternion_of_rotation(vector_scaled(slew->turn, left));
    return (struct pose){
        turn,
        vector_sum(
            vector_difference(slew->pivot, quaternion_turned(turn, slew->pivot)), vector_scaled(slew->shift, left))};
}

struct slew slew_between(struct pose from, struct pose to, XrTime time)
{
    struct slew slew;
    double seconds;
    slew.turn = quaternion_rotation(
        quaternion_product(from.orientation, quaternion_conjugate(to.orientation)));
    slew.shift = vector_difference(from.position, to.position);
    slew.pivot = to.position;
    slew.begin = time;
    seconds = fmax(vector_length(slew.turn) / FASTEST_TURN, vector_length(slew.shift) / FASTEST_SHIFT);
    slew.duration = (int64_t)(fmin(seconds, SLEW_LONGEST) * 1e9);
    return slew;
}

struct pose upright_alignment(struct pose head, struct pose other)
{
    struct pose result;
    result.orientation = quaternion_of_yaw(
        quaternion_yaw(quaternion_product(head.orientation, quaternion_conjugate(other.orientation))));
    result.position = vector_difference(head.position, quaternion_turned(result.orientation, other.position));
    return result;
}
