/* The runtime tracks the head well, in a space of its own: what is true of the head comes from the ring. */
#include "program.h"
#include "scenarios.h"

/* Where the ring's scene lies in the runtime's world: another way round, elsewhere, and drifting slowly. The head is a
 * hundred metres from the origin about which this turns. */
static struct pose carry(XrTime time)
{
    static XrTime first;
    double seconds;
    if (!first)
        first = time;
    seconds = (double)(time - first) * 1e-9;
    return (struct pose){quaternion_of_yaw(0.5 + 1e-5 * seconds), {3 + 2e-3 * seconds, 1, -2}};
}

static struct motion head(XrTime time)
{
    struct motion motion = motion_at_rest(NO_POSE);
    if (ring_newest().number == 0) {
        motion.location = 0;
        return motion;
    }
    return motion_product(motion_at_rest(carry(time)), ring_head(time));
}

#define CLOSE_ANGLE (0.2 * 3.14159265358979323846 / 180)
#define CLOSE_DISTANCE 0.01

static void check_frames(int count)
{
    int frame;
    for (frame = 0; frame < count; frame++) {
        const XrTime time = program_frame();
        struct pose found, expected;
        XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = XR_TYPE_VIEW}};
        const XrViewLocateInfo info = {
            XR_TYPE_VIEW_LOCATE_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time, program.local};
        XrViewState state = {.type = XR_TYPE_VIEW_STATE};
        uint32_t count_of_views = 0;
        WITH_ONE_POSE({
            expected = ring_head(time).pose;
            found = program_locate(program.view, program.local, time).pose;
            SUCCEEDS(program.call.xrLocateViews(program.session, &info, &state, 2, &count_of_views, views));
        });
        check_pose("the head", found, expected, CLOSE_ANGLE, CLOSE_DISTANCE);
        check_pose(
            "an eye", pose_of_xr(views[1].pose),
            pose_product(expected, (struct pose){NO_ROTATION, {RUNTIME_EYES / 2, 0, 0}}), CLOSE_ANGLE, CLOSE_DISTANCE);
    }
}

/* The runtime's LOCAL turns and shifts, as by a button that does so. */
static void reset(bool with_pose)
{
    the_runtime.local = the_runtime.change > 0 ? the_runtime.next_local : the_runtime.local;
    the_runtime.next_local = pose_product(the_runtime.local, (struct pose){quaternion_of_yaw(0.8), {1, 0.2, -2}});
    the_runtime.change = time_now() + 4 * the_runtime.period;
    the_runtime.announced_session = program.session;
    the_runtime.is_announced_with_pose = with_pose;
    the_runtime.is_announced = true;
}

void correct(void)
{
    int changes;
    the_runtime.head = head;
    the_runtime.tracks_positions = true;
    program_begin(true);
    program_wait_for_scene();
    check_frames(100);
    check_layers(CLOSE_ANGLE, 10 * CLOSE_DISTANCE);
    changes = program.local_changes;
    reset(true);
    check_frames(60);
    reset(false);
    check_frames(60);
    CHECK(program.local_changes == changes, "the program receives a change that does not concern it");
    (void)program_ask("aids");
    program_end();
}
