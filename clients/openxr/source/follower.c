#include "follower.h"
#include "geospatial.h"
#include "instance.h"

#include <stdio.h>

#define MILLISECOND INT64_C(1000000)
/* An older pose is of a daemon that has stopped. Unit: ns. */
#define OLDEST_POSE (100 * MILLISECOND)
/* Programs that ask for events in a loop update no more often than this. Unit: ns. */
#define SHORTEST_PAUSE MILLISECOND
/* Between two offers of the runtime's tracking to the daemon. Unit: ns. */
#define OFFER_PAUSE (16 * MILLISECOND)
/* A change of spaces is announced as long ahead, without frames. Unit: ns. */
#define NOTICE (30 * MILLISECOND)
/* The clocks of the runtime and of the daemon drift apart while the computer sleeps. Unit: ns. */
#define CLOCK_STEP MILLISECOND
/* Between two attempts to open a source that is still another program's. Unit: ns. */
#define REFUSAL_PAUSE (5000 * MILLISECOND)
/* Mode correct: time in which the alignment follows the daemon. Unit: s. */
#define FOLLOWING_SECONDS 2.0

static void begin_aid(struct session *session)
{
    struct waymark_aid_description description;
    memset(&description, 0, sizeof description);
    description.source = "openxr";
    description.kinds = UINT64_C(1) << WAYMARK_AID_KIND_ODOMETRY;
    description.mount.has_lever_arm = true;
    description.mount.lever_arm.x = the_instance.settings.eyes.x;
    description.mount.lever_arm.y = the_instance.settings.eyes.y;
    description.mount.lever_arm.z = the_instance.settings.eyes.z;
    /* Without it the session is corrected all the same, only by a daemon that knows less. */
    (void)waymark_aid_new(NULL, &description, &session->follower.aid);
}

bool follower_begin(struct session *session)
{
    struct follower *follower = &session->follower;
    struct timespec now;
    XrTime time;
    int64_t monotonic;
    memset(follower, 0, sizeof *follower);
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (!the_instance.next.convert_timespec ||
        XR_FAILED(the_instance.next.convert_timespec(the_instance.handle, &now, &time)))
        return false;
    monotonic = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    follower->monotonic_offset = monotonic - time;
    follower->snapshot.clock_offset = waymark_boottime(follower->monotonic_offset);
    follower->snapshot.before.alignment = follower->snapshot.after.alignment = follower->last_head = NO_POSE;
    snapshots_publish(&session->snapshots, &follower->snapshot);
    session->reader = waymark_reader_new(NULL);
    if (session->reader && session->mode == LAYER_MODE_CORRECT)
        begin_aid(session);
    return session->reader != NULL;
}

void follower_end(struct session *session)
{
    waymark_aid_free(session->follower.aid);
    session->follower.aid = NULL;
    waymark_reader_free(session->reader);
    session->reader = NULL;
}

struct motion follower_head(const struct snapshot *snapshot, const struct waymark_ring_slot *pose, XrTime time)
{
    struct waymark_ring_slot at;
    struct motion board, eyes;
    (void)waymark_predict(pose, snapshot_boottime(snapshot, time), &at);
    board.pose.orientation = (struct quaternion){
        at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]};
    board.pose.position = (struct vector){at.position[0], at.position[1], at.position[2]};
    board.linear = (struct vector){at.linear_velocity[0], at.linear_velocity[1], at.linear_velocity[2]};
    board.angular = quaternion_turned(
        board.pose.orientation,
        (struct vector){at.angular_velocity[0], at.angular_velocity[1], at.angular_velocity[2]});
    board.velocity = MOVING;
    board.location = LOCATED;
    if (at.orientation_tracking >= WAYMARK_QUALITY_TRACKED)
        board.location |= XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT;
    if (at.position_tracking >= WAYMARK_QUALITY_TRACKED)
        board.location |= XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
    eyes = motion_at_rest((struct pose){NO_ROTATION, the_instance.settings.eyes});
    return motion_product(board, eyes);
}

struct motion follower_runtime_head(const struct session *session, XrTime time)
{
    struct motion head = motion_at_rest(NO_POSE);
    XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION};
    if (XR_FAILED(the_instance.next.locate_space(session->view, session->local, time, &location)))
        location.locationFlags = 0;
    head.location = location.locationFlags;
    head.velocity = 0;
    if ((location.locationFlags & LOCATED) == LOCATED)
        head.pose = pose_of_xr(location.pose);
    return head;
}

static bool is_located(struct motion motion)
{
    return (motion.location & LOCATED) == LOCATED;
}

/* Where the head is by a track. Where the runtime has no head at the moment, it is where it was last. */
static struct pose tracked_head(
    const struct follower *follower, const struct track *track, struct motion runtime_head, XrTime time)
{
    struct pose head;
    if (track->source == TRACK_SCENE)
        head = follower_head(&follower->snapshot, &follower->last_pose, time).pose;
    else if (is_located(runtime_head) && follower->is_aligned)
        head = pose_product(track->alignment, runtime_head.pose);
    else
        return follower->last_head;
    return pose_product(slew_at(&track->slew, time), head);
}

/* From here on the runtime's tracking goes on from the pose that the head has; or once the runtime has a head again. */
static void follow_runtime(
    struct follower *follower, struct track *track, struct pose head, struct motion runtime_head, XrTime time)
{
    track->source = TRACK_RUNTIME;
    memset(&track->slew, 0, sizeof track->slew);
    follower->is_aligned = is_located(runtime_head);
    if (!follower->is_aligned)
        return;
    track->alignment = upright_alignment(head, runtime_head.pose);
    track->slew = slew_between(head, pose_product(track->alignment, runtime_head.pose), time);
}

static void follow_scene(
    struct follower *follower, struct track *track, struct pose daemon_head, struct motion runtime_head, XrTime time)
{
    if (track->source == TRACK_RUNTIME)
        track->slew = slew_between(tracked_head(follower, track, runtime_head, time), daemon_head, time);
    track->source = TRACK_SCENE;
    follower->is_aligned = is_located(runtime_head);
    if (follower->is_aligned)
        track->alignment = upright_alignment(daemon_head, runtime_head.pose);
}

/* Tells the program that its spaces in the scene change. `pose`: the new one in the previous one, where that is
 * known. */
static void announce(const struct session *session, uint32_t types, XrTime time, const struct pose *pose)
{
    static const XrReferenceSpaceType all[] = {
        XR_REFERENCE_SPACE_TYPE_LOCAL, XR_REFERENCE_SPACE_TYPE_STAGE, XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR,
        XR_REFERENCE_SPACE_TYPE_UNBOUNDED_MSFT};
    XrEventDataReferenceSpaceChangePending event = {.type = XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING};
    size_t index;
    event.session = session->handle;
    event.changeTime = time;
    event.poseValid = pose != NULL;
    event.poseInPreviousSpace = pose_to_xr(pose ? *pose : NO_POSE);
    for (index = 0; index < sizeof all / sizeof *all; index++) {
        event.referenceSpaceType = all[index];
        if (types & scene_type_of(all[index]))
            events_put(session, &event, sizeof event);
    }
}

/* Where the runtime is to be corrected, it leads as long as it tracks. */
static bool is_led_by_runtime(const struct session *session, struct motion runtime_head)
{
    return session->mode == LAYER_MODE_CORRECT && (runtime_head.location & TRACKED) == TRACKED;
}

/* Another scene frame: the spaces become those of it, soon, and the program is told. */
static void change_scene(
    struct session *session, const struct waymark_reading *reading, struct pose daemon_head, struct motion runtime_head,
    XrTime time)
{
    struct follower *follower = &session->follower;
    struct snapshot *snapshot = &follower->snapshot;
    struct track *before = &snapshot->before, *after = &snapshot->after;
    const int64_t period = __atomic_load_n(&follower->display_period, __ATOMIC_RELAXED);
    const uint32_t types = __atomic_load_n(&session->scene_types, __ATOMIC_RELAXED);
    const bool was_none = after->source == TRACK_NONE, is_known = !was_none || is_located(runtime_head);
    /* Before the first scene LOCAL is the runtime's own. */
    const struct pose previous_head =
        was_none ? runtime_head.pose : tracked_head(follower, after, runtime_head, time);
    const struct pose change = upright_alignment(previous_head, daemon_head);
    *before = *after;
    if (before->source == TRACK_SCENE)
        follow_runtime(follower, before, previous_head, runtime_head, time);
    /* Between the times at which frames are displayed. */
    snapshot->change = time + (period > 0 ? 5 * period / 2 : NOTICE);
    after->source = TRACK_SCENE;
    memset(&after->slew, 0, sizeof after->slew);
    follow_scene(follower, after, daemon_head, runtime_head, time);
    if (is_led_by_runtime(session, runtime_head))
        after->source = TRACK_RUNTIME;
    after->daemon_generation = reading->daemon_generation;
    after->scene_generation = reading->pose.generation;
    announce(session, types & SCENE_LOCAL, snapshot->change, is_known ? &change : NULL);
    announce(session, types & ~(uint32_t)SCENE_LOCAL, snapshot->change, was_none ? NULL : &change);
}

/* A step of the alignment towards what the daemon says, about the head. */
static void correct(struct track *track, struct pose daemon_head, struct pose runtime_head, double seconds)
{
    const double share = fmin(seconds / FOLLOWING_SECONDS, 1), full = 2 * 3.14159265358979323846;
    const struct pose target = upright_alignment(daemon_head, runtime_head);
    const struct pose head = pose_product(track->alignment, runtime_head);
    const double yaw = quaternion_yaw(track->alignment.orientation);
    const double turn = share * remainder(quaternion_yaw(target.orientation) - yaw, full);
    struct vector shift = vector_scaled(vector_difference(daemon_head.position, head.position), share);
    const double length = vector_length(shift), most = FASTEST_SHIFT * seconds;
    if (length > most)
        shift = vector_scaled(shift, most / length);
    track->alignment.orientation = quaternion_of_yaw(
        yaw + fmax(-FASTEST_TURN * seconds, fmin(FASTEST_TURN * seconds, turn)));
    track->alignment.position = vector_difference(
        vector_sum(head.position, shift), quaternion_turned(track->alignment.orientation, runtime_head.position));
}

/* The runtime's LOCAL changes: from that time on it lies otherwise in the scene, and the head stays where it is. */
static void provide_for_change(
    struct follower *follower, struct motion runtime_head, XrTime time)
{
    struct runtime_change *change = &follower->runtime_change;
    struct snapshot *snapshot = &follower->snapshot;
    struct track *track = &snapshot->after;
    /* Without a pose it is seen in the first head that the runtime has by its new space. */
    if (!change->is_pending || (!change->has_pose && time < change->time))
        return;
    change->is_pending = false;
    snapshot->before = *track;
    snapshot->change = change->time;
    if (change->has_pose)
        track->alignment = pose_product(track->alignment, change->pose);
    else if (track->source == TRACK_RUNTIME)
        follow_runtime(follower, track, follower->last_head, runtime_head, time);
}

/* Decides by a pose of the daemon that is new enough. */
static void follow_daemon(
    struct session *session, const struct waymark_reading *reading, struct motion runtime_head, XrTime time,
    double seconds)
{
    struct follower *follower = &session->follower;
    struct track *track = &follower->snapshot.after;
    const struct pose daemon_head = follower_head(&follower->snapshot, &reading->pose, time).pose;
    if (track->source == TRACK_NONE || reading->daemon_generation != track->daemon_generation ||
        reading->pose.generation != track->scene_generation)
        change_scene(session, reading, daemon_head, runtime_head, time);
    else if (!is_led_by_runtime(session, runtime_head))
        follow_scene(follower, track, daemon_head, runtime_head, time);
    else if (track->source == TRACK_SCENE || !follower->is_aligned)
        follow_runtime(
            follower, track, tracked_head(follower, track, runtime_head, time), runtime_head, time);
    else
        correct(track, daemon_head, runtime_head.pose, seconds);
    follower->last_pose = reading->pose;
}

/* A daemon that has not yet noticed the end of an earlier program takes the source a little later. */
static void look_at_aid(struct session *session)
{
    struct follower *follower = &session->follower;
    struct waymark_aid_state state;
    waymark_aid_state(follower->aid, &state);
    if (state.result != WAYMARK_CALL_FAILED)
        return;
    if (!follower->has_complained)
        fprintf(
            stderr, "waymark-openxr: the daemon does not take the runtime's tracking: %s\n", state.error);
    follower->has_complained = true;
    if (strcmp(state.error, WAYMARK_AID_ERROR_ALREADY_OPEN) != 0 ||
        follower->last_update - follower->last_refusal < REFUSAL_PAUSE)
        return;
    follower->last_refusal = follower->last_update;
    waymark_aid_free(follower->aid);
    follower->aid = NULL;
    begin_aid(session);
}

static void offer(struct session *session, XrTime now)
{
    struct follower *follower = &session->follower;
    struct runtime_change *change = &follower->runtime_change;
    struct motion head;
    double position[3], orientation[4];
    if (change->is_counted_later && now >= change->time) {
        change->is_counted_later = false;
        follower->runtime_resets++;
    }
    if (!follower->aid || now - follower->last_offer < OFFER_PAUSE)
        return;
    follower->last_offer = now;
    head = follower_runtime_head(session, now);
    if (!is_located(head))
        return;
    position[0] = head.pose.position.x;
    position[1] = head.pose.position.y;
    position[2] = head.pose.position.z;
    orientation[0] = head.pose.orientation.x;
    orientation[1] = head.pose.orientation.y;
    orientation[2] = head.pose.orientation.z;
    orientation[3] = head.pose.orientation.w;
    /* A position that is valid and not tracked is inferred, as by a model of the neck. */
    (void)waymark_aid_offer_odometry(
        follower->aid, snapshot_boottime(&follower->snapshot, now), position, orientation, follower->runtime_resets,
        (head.location & TRACKED) == TRACKED ? 1 : 0);
    look_at_aid(session);
}

static bool is_fresh(
    enum waymark_outcome outcome, const struct waymark_reading *reading, const struct snapshot *snapshot, XrTime now)
{
    return outcome == WAYMARK_OK && snapshot_boottime(snapshot, now) - reading->pose.time < OLDEST_POSE &&
        reading->pose.orientation_tracking >= WAYMARK_QUALITY_INFERRED &&
        reading->pose.position_tracking >= WAYMARK_QUALITY_INFERRED;
}

/* The tracks from now on. `reading` is NULL without a daemon. */
static void decide(
    struct session *session, const struct waymark_reading *reading, XrTime now, XrTime time, double seconds)
{
    struct follower *follower = &session->follower;
    struct snapshot *snapshot = &follower->snapshot;
    struct track *track = &snapshot->after;
    const struct motion runtime_head = follower_runtime_head(session, time);
    if (now >= snapshot->change) {
        snapshot->before = *track;
        provide_for_change(follower, runtime_head, time);
    }
    if (!reading && track->source == TRACK_SCENE)
        follow_runtime(
            follower, track, tracked_head(follower, track, runtime_head, time), runtime_head, time);
    else if (!reading && !follower->is_aligned)
        follow_runtime(follower, track, follower->last_head, runtime_head, time);
    else if (reading && now >= snapshot->change)
        follow_daemon(session, reading, runtime_head, time, seconds);
    follower->last_head = tracked_head(follower, snapshot_track(snapshot, time), runtime_head, time);
}

/* What passes between CLOCK_BOOTTIME and the runtime's time changes while the computer sleeps. */
static void update_clock(struct follower *follower)
{
    const int64_t offset = waymark_boottime(follower->monotonic_offset), before = follower->snapshot.clock_offset;
    if (offset - before > CLOCK_STEP || before - offset > CLOCK_STEP)
        follower->snapshot.clock_offset = offset;
}

static void update(struct session *session)
{
    struct follower *follower = &session->follower;
    const struct snapshot *snapshot = &follower->snapshot;
    struct waymark_reading reading;
    enum waymark_outcome outcome;
    XrTime now, display;
    double seconds;
    bool fresh;
    update_clock(follower);
    now = waymark_now() - snapshot->clock_offset;
    if (now - follower->last_update < SHORTEST_PAUSE)
        return;
    seconds = fmin((double)(now - follower->last_update) * 1e-9, 0.1);
    follower->last_update = now;
    if (waymark_reader_update(session->reader) == WAYMARK_OK)
        offer(session, now);
    outcome = waymark_reader_newest(session->reader, &reading);
    fresh = is_fresh(outcome, &reading, snapshot, now);
    if (!fresh && snapshot->after.source == TRACK_NONE)
        return;
    display = __atomic_load_n(&follower->display_time, __ATOMIC_RELAXED);
    decide(session, fresh ? &reading : NULL, now, display > now ? display : now, seconds);
    snapshots_publish(&session->snapshots, snapshot);
    geospatial_update(session, fresh ? &reading.pose : NULL, now);
}

void follower_update(struct session *session)
{
    if (!session_is_tracked(session) || pthread_mutex_trylock(&session->lock) != 0)
        return;
    /* It may have ended meanwhile. */
    if (session_is_tracked(session))
        update(session);
    (void)pthread_mutex_unlock(&session->lock);
}

bool follower_take_change(struct session *session, const XrEventDataReferenceSpaceChangePending *event)
{
    struct follower *follower = &session->follower;
    struct runtime_change *change = &follower->runtime_change;
    if (!session_is_tracked(session))
        return false;
    if (event->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_LOCAL) {
        (void)pthread_mutex_lock(&session->lock);
        change->is_pending = follower->snapshot.after.source != TRACK_NONE;
        change->is_counted_later = true;
        change->has_pose = event->poseValid && pose_is_sound(event->poseInPreviousSpace);
        change->time = event->changeTime;
        change->pose = pose_of_xr(event->poseInPreviousSpace);
        /* The runtime may have changed already. A change of the scene that is being made comes first. */
        if (change->has_pose && follower->last_update >= follower->snapshot.change) {
            provide_for_change(follower, motion_at_rest(NO_POSE), change->time);
            snapshots_publish(&session->snapshots, &follower->snapshot);
        }
        (void)pthread_mutex_unlock(&session->lock);
    }
    return scene_type_of(event->referenceSpaceType) != 0 &&
        snapshots_newest(&session->snapshots).after.source != TRACK_NONE;
}
