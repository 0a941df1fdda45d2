/* The daemon is killed, started anew and stopped for a while, as the test that drives this program is asked to do: the
 * head goes on without a jump. */
#include "program.h"
#include "scenarios.h"

/* Of slews. Units: rad/s, m/s. */
#define FASTEST_TURN (5 * 3.14159265358979323846 / 180)
#define FASTEST_SHIFT 0.5
/* A head that is left to itself by the ring. Unit: ns. */
#define OLDEST (100 * MILLISECOND)

struct seen {
    XrTime time;
    /* By the layer, by the ring, by the runtime. */
    struct pose head, ring, runtime;
};

static struct seen see(void)
{
    struct seen seen;
    seen.time = program_frame();
    WITH_ONE_POSE({
        seen.head = program_locate(program.view, program.local, seen.time).pose;
        seen.ring = ring_head(seen.time).pose;
    });
    seen.runtime = runtime_head(seen.time).pose;
    return seen;
}

/* What carries a source's pose of the head to the layer's. */
static struct pose carrying(struct pose head, struct pose source)
{
    return pose_product(head, pose_inverse(source));
}

/* How far the head moved beside its source from one frame to the next, in terms of what a slew may; 1 at most. */
static double haste(struct pose source, struct pose before, struct pose after, double seconds)
{
    /* Both at the place of the head, about which slews turn nearly. */
    const struct vector shift = vector_difference(
        pose_applied(after, source.position), pose_applied(before, source.position));
    return fmax(
        (angle_between(before.orientation, after.orientation) - 3e-4) / (FASTEST_TURN * seconds),
        (vector_length(shift) - 3e-3) / (FASTEST_SHIFT * seconds));
}

static void check_step(const struct seen *before, const struct seen *after)
{
    const double seconds = (double)(after->time - before->time) * 1e-9;
    const double by_ring = haste(
        after->ring, carrying(before->head, before->ring), carrying(after->head, after->ring), seconds);
    const double by_runtime = haste(
        after->runtime, carrying(before->head, before->runtime), carrying(after->head, after->runtime), seconds);
    CHECK(by_ring <= 1.02 || by_runtime <= 1.02, "a jump: %g and %g times as fast as a slew", by_ring, by_runtime);
}

static double tilt(struct quaternion q)
{
    const struct vector up = quaternion_turned(q, (struct vector){0, 1, 0});
    return hypot(up.x, up.z);
}

/* Frames until the head is carried by the runtime alone, upright and at rest. */
static struct seen go_on_by_runtime(struct seen seen)
{
    int settled = 0;
    while (settled < 5) {
        const struct seen before = seen;
        seen = see();
        check_step(&before, &seen);
        const struct pose one = carrying(before.head, before.runtime), other = carrying(seen.head, seen.runtime);
        const bool is_at_rest =
            tilt(other.orientation) < 1e-4 && angle_between(one.orientation, other.orientation) < 1e-4;
        settled = is_at_rest ? settled + 1 : 0;
    }
    return seen;
}

static struct seen go_on_by_ring(struct seen seen)
{
    int settled = 0;
    while (settled < 5) {
        const struct seen before = seen;
        seen = see();
        check_step(&before, &seen);
        settled = angle_between(seen.head.orientation, seen.ring.orientation) < NEAR_ANGLE &&
            distance_between(seen.head.position, seen.ring.position) < NEAR_DISTANCE ? settled + 1 : 0;
    }
    return seen;
}

static struct seen kill_and_start(struct seen seen)
{
    const int changes = program.local_changes;
    const uint64_t generation = ring_newest().daemon_generation;
    struct pose head, change, carried;
    double shift, yaw;
    (void)program_ask("kill");
    seen = go_on_by_runtime(seen);
    CHECK(program.local_changes == changes, "a change of spaces while there is no daemon");
    (void)program_ask("start");
    while (program.local_changes == changes) {
        const struct seen before = seen;
        seen = see();
        check_step(&before, &seen);
    }
    CHECK(program.local_changes == changes + 1 && program.change.session == program.session, "events");
    CHECK(program.change.poseValid, "no pose of the change");
    /* Decided when this frame was waited for, by its time of display; the spaces are still the former ones. */
    CHECK(seen.time < program.change.changeTime, "the change comes at once");
    head = seen.head;
    while (seen.time < program.change.changeTime)
        seen = see();
    change = pose_of_xr(program.change.poseInPreviousSpace);
    CHECK(tilt(change.orientation) < 1e-6, "the change is not upright");
    carried = pose_product(change, seen.head);
    shift = distance_between(carried.position, head.position);
    yaw = quaternion_yaw(quaternion_product(carried.orientation, quaternion_conjugate(head.orientation)));
    /* Since then the wearer, who stands at the beginning, has moved by no more. */
    CHECK(shift < 0.1 && fabs(remainder(yaw, 6.2831853)) < 0.05, "the change moves the head by %g m and %g rad", shift,
        yaw);
    /* This program's own reader connects when it does. */
    while (ring_newest().daemon_generation == generation)
        seen = see();
    check_pose("after the change", seen.head, seen.ring, NEAR_ANGLE, NEAR_DISTANCE);
    return seen;
}

static struct seen stop_and_continue(struct seen seen)
{
    const int changes = program.local_changes;
    int64_t newest;
    (void)program_ask("stop");
    newest = ring_newest().pose.time;
    while (waymark_now() - newest < 5 * OLDEST) {
        const struct seen before = seen;
        seen = see();
        check_step(&before, &seen);
    }
    CHECK(distance_between(seen.head.position, seen.ring.position) > 0.01, "the head waits for the daemon");
    (void)program_ask("continue");
    seen = go_on_by_ring(seen);
    CHECK(program.local_changes == changes, "a change of spaces of a daemon that goes on");
    return seen;
}

void outage(void)
{
    struct seen seen;
    program_begin(true);
    program_wait_for_scene();
    seen = see();
    check_pose("before", seen.head, seen.ring, NEAR_ANGLE, NEAR_DISTANCE);
    seen = stop_and_continue(seen);
    seen = kill_and_start(seen);
    program_end();
}
