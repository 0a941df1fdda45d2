#include "follower.h"
#include "geospatial.h"
#include "instance.h"

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
/* Mode correct: time in which the alignment follows the daemon (s), and the fastest that it does (rad/s, m/s). */
#define FOLLOWING_SECONDS 2.0
#define FASTEST_TURN (5 * 3.14159265358979323846 / 180)
#define FASTEST_SHIFT 0.5

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
    follower->snapshot.before.alignment = follower->snapshot.after.alignment = NO_POSE;
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

/* Where the head is by a track that is not that of the daemon. */
static struct pose carried(const struct track *track, struct pose runtime_head, XrTime time)
{
    return pose_product(slew_at(&track->slew, time), pose_product(track->alignment, runtime_head));
}

/* From here on the runtime's tracking goes on from the pose that the head has. */
static void follow_runtime(struct track *track, struct pose head, struct motion runtime_head, XrTime time)
{
    track->source = TRACK_RUNTIME;
    memset(&track->slew, 0, sizeof track->slew);
    if (!is_located(runtime_head))
        return;
    track->alignment = upright_alignment(head, runtime_head.pose);
    track->slew = slew_between(head, pose_product(track->alignment, runtime_head.pose), time);
}

static void announce(
    const struct session *session, XrReferenceSpaceType type, XrTime time, const struct pose *pose)
{
    XrEventDataReferenceSpaceChangePending event = {.type = XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING};
    event.session = session->handle;
    event.referenceSpaceType = type;
    event.changeTime = time;
    event.poseValid = pose != NULL;
    event.poseInPreviousSpace = pose_to_xr(pose ? *pose : NO_POSE);
    events_put(&event, sizeof event);
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
    const bool was_none = after->source == TRACK_NONE;
    struct pose previous_head = runtime_head.pose, change;
    if (!was_none)
        previous_head = after->source == TRACK_RUNTIME ? carried(after, runtime_head.pose, time) :
            pose_product(
                slew_at(&after->slew, time), follower_head(snapshot, &follower->last_pose, time).pose);
    *before = *after;
    if (before->source == TRACK_SCENE)
        follow_runtime(before, previous_head, runtime_head, time);
    snapshot->change = time + (period > 0 ? 2 * period : NOTICE);
    after->source = is_led_by_runtime(session, runtime_head) ? TRACK_RUNTIME : TRACK_SCENE;
    after->alignment = is_located(runtime_head) ? upright_alignment(daemon_head, runtime_head.pose) : NO_POSE;
    memset(&after->slew, 0, sizeof after->slew);
    after->daemon_generation = reading->daemon_generation;
    after->scene_generation = reading->pose.generation;
    change = upright_alignment(previous_head, daemon_head);
    announce(session, XR_REFERENCE_SPACE_TYPE_LOCAL, snapshot->change, is_located(runtime_head) ? &change : NULL);
    announce(
        session, XR_REFERENCE_SPACE_TYPE_STAGE, snapshot->change,
        is_located(runtime_head) && !was_none ? &change : NULL);
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

/* The runtime's LOCAL has changed: the head stays where it was. */
static void take_runtime_change(struct session *session, struct motion runtime_head, XrTime now)
{
    struct follower *follower = &session->follower;
    struct runtime_change *change = &follower->runtime_change;
    struct track *track = &follower->snapshot.after;
    if (!change->is_pending || now < change->time)
        return;
    change->is_pending = false;
    follower->runtime_resets++;
    if (change->has_pose)
        track->alignment = pose_product(track->alignment, change->pose);
    else if (is_located(runtime_head))
        track->alignment = upright_alignment(follower->last_head, runtime_head.pose);
}

/* Decides by a pose of the daemon that is new enough. */
static void follow_daemon(
    struct session *session, const struct waymark_reading *reading, struct motion runtime_head, XrTime time,
    double seconds)
{
    struct follower *follower = &session->follower;
    struct snapshot *snapshot = &follower->snapshot;
    struct track *track = &snapshot->after;
    const struct pose daemon_head = follower_head(snapshot, &reading->pose, time).pose;
    if (track->source == TRACK_NONE || reading->daemon_generation != track->daemon_generation ||
        reading->pose.generation != track->scene_generation) {
        change_scene(session, reading, daemon_head, runtime_head, time);
    } else if (is_led_by_runtime(session, runtime_head)) {
        if (track->source == TRACK_SCENE)
            follow_runtime(
                track, pose_product(slew_at(&track->slew, time), daemon_head), runtime_head, time);
        else
            correct(track, daemon_head, runtime_head.pose, seconds);
    } else {
        if (track->source == TRACK_RUNTIME && is_located(runtime_head))
            track->slew = slew_between(carried(track, runtime_head.pose, time), daemon_head, time);
        track->source = TRACK_SCENE;
        if (is_located(runtime_head))
            track->alignment = upright_alignment(
                pose_product(slew_at(&track->slew, time), daemon_head), runtime_head.pose);
    }
    follower->last_pose = reading->pose;
}

static void offer(struct session *session, XrTime now)
{
    struct follower *follower = &session->follower;
    struct motion head;
    double position[3], orientation[4];
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
        follower->aid, now + follower->snapshot.clock_offset, position, orientation, follower->runtime_resets,
        (head.location & TRACKED) == TRACKED ? 1 : 0);
}

static bool is_fresh(enum waymark_outcome outcome, const struct waymark_reading *reading, XrTime now, int64_t offset)
{
    return outcome == WAYMARK_OK && now + offset - reading->pose.time < OLDEST_POSE &&
        reading->pose.orientation_tracking >= WAYMARK_QUALITY_INFERRED &&
        reading->pose.position_tracking >= WAYMARK_QUALITY_INFERRED;
}

static void update(struct session *session)
{
    struct follower *follower = &session->follower;
    struct snapshot *snapshot = &follower->snapshot;
    struct track *track = &snapshot->after;
    const int64_t offset = waymark_boottime(follower->monotonic_offset);
    struct waymark_reading reading;
    struct motion runtime_head = {.pose = NO_POSE};
    enum waymark_outcome outcome;
    XrTime now, time, display;
    double seconds;
    bool fresh;
    if (offset - snapshot->clock_offset > CLOCK_STEP || snapshot->clock_offset - offset > CLOCK_STEP)
        snapshot->clock_offset = offset;
    now = waymark_now() - snapshot->clock_offset;
    if (now - follower->last_update < SHORTEST_PAUSE)
        return;
    seconds = fmin((double)(now - follower->last_update) * 1e-9, 0.1);
    follower->last_update = now;
    if (waymark_reader_update(session->reader) == WAYMARK_OK)
        offer(session, now);
    outcome = waymark_reader_newest(session->reader, &reading);
    fresh = is_fresh(outcome, &reading, now, snapshot->clock_offset);
    if (!fresh && track->source == TRACK_NONE)
        return;
    display = __atomic_load_n(&follower->display_time, __ATOMIC_RELAXED);
    time = display > now ? display : now;
    runtime_head = follower_runtime_head(session, time);
    take_runtime_change(session, runtime_head, now);
    if (now >= snapshot->change) {
        snapshot->before = *track;
        if (fresh)
            follow_daemon(session, &reading, runtime_head, time, seconds);
        else if (track->source == TRACK_SCENE)
            follow_runtime(
                track,
                pose_product(
                    slew_at(&track->slew, time), follower_head(snapshot, &follower->last_pose, time).pose),
                runtime_head, time);
    }
    if (track->source == TRACK_SCENE)
        follower->last_head = pose_product(
            slew_at(&track->slew, time), follower_head(snapshot, &follower->last_pose, time).pose);
    else if (is_located(runtime_head))
        follower->last_head = carried(track, runtime_head.pose, time);
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

bool follower_takes(struct session *session, const XrEventDataReferenceSpaceChangePending *event)
{
    const struct snapshot snapshot = snapshots_newest(&session->snapshots);
    struct runtime_change *change = &session->follower.runtime_change;
    if (!session_is_tracked(session) || snapshot.after.source == TRACK_NONE)
        return false;
    if (event->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_LOCAL) {
        (void)pthread_mutex_lock(&session->lock);
        change->is_pending = true;
        change->has_pose = event->poseValid && pose_is_sound(event->poseInPreviousSpace);
        change->time = event->changeTime;
        change->pose = pose_of_xr(event->poseInPreviousSpace);
        (void)pthread_mutex_unlock(&session->lock);
    }
    return event->referenceSpaceType != XR_REFERENCE_SPACE_TYPE_VIEW;
}
