/* How the head lies in the scene: published once a frame, read by every function that locates something. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "geometry.h"
#include "published.h"

/* The most that a change of tracking, or mode correct, turns and shifts what is seen. Units: rad/s, m/s. */
#define FASTEST_TURN (5 * 3.14159265358979323846 / 180)
#define FASTEST_SHIFT 0.5

enum track_source {
    /* No scene is known yet: all spaces are the runtime's. */
    TRACK_NONE,
    /* The head's pose is the runtime's in its space LOCAL, carried into the scene by `alignment`. */
    TRACK_RUNTIME,
    /* The head's pose is that of the pose ring; `alignment` is how the runtime's LOCAL lies at present. */
    TRACK_SCENE
};

/* What is left of the difference between a source and the one before it. It fades at constant speed. */
struct slew {
    XrTime begin;
    /* 0: nothing is left. Unit: ns. */
    int64_t duration;
    struct vector pivot, shift;
    /* About an axis through `pivot`. Unit: rad. */
    struct vector turn;
};

struct track {
    enum track_source source;
    /* Of a scene: the run of the daemon and the number of its frame, of which its poses have to be. */
    uint32_t scene_generation;
    uint64_t daemon_generation;
    struct pose alignment;
    struct slew slew;
};

struct snapshot {
    struct track before, after;
    /* From this moment on `after` holds. */
    XrTime change;
    /* CLOCK_BOOTTIME − XrTime. Unit: ns. */
    int64_t clock_offset;
};

/* The pose of the slew at a time, which comes last: scene = slew · source. */
struct pose slew_at(const struct slew *slew, XrTime time);

/* The slew that begins at `time` and leads from one pose of the head to another without a jump. */
struct slew slew_between(struct pose from, struct pose to, XrTime time);

/* How an upright frame lies in another, in which the head has the pose `head`, and `other` in the first: turned about
 * the vertical, and shifted so that the head is at the same place. */
struct pose upright_alignment(struct pose head, struct pose other);

/* Times of programs may be any. */
static inline int64_t snapshot_boottime(const struct snapshot *snapshot, XrTime time)
{
    int64_t result;
    return __builtin_add_overflow(time, snapshot->clock_offset, &result) ? INT64_MAX : result;
}

/* Snapshots of one writer at a time. */
struct snapshots {
    struct published published;
    uint64_t words[PUBLISHED_WORDS(struct snapshot)];
};

static inline void snapshots_publish(struct snapshots *snapshots, const struct snapshot *snapshot)
{
    published_write(&snapshots->published, snapshots->words, snapshot, sizeof *snapshot);
}

static inline struct snapshot snapshots_newest(const struct snapshots *snapshots)
{
    struct snapshot snapshot;
    published_read(&snapshots->published, snapshots->words, &snapshot, sizeof snapshot);
    return snapshot;
}

static inline const struct track *snapshot_track(const struct snapshot *snapshot, XrTime time)
{
    return time < snapshot->change ? &snapshot->before : &snapshot->after;
}
#endif
