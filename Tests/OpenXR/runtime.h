/* What the test runtime and a program in the same process share. The program defines `the_runtime` and exports it; the
 * runtime finds it by its name. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "geometry.h"

#define RUNTIME_NAME "the_runtime"
/* Two views, as far apart as the eyes of most people. Unit: m. */
#define RUNTIME_EYES 0.064
#define RUNTIME_LAYERS 16

struct runtime_layer {
    XrStructureType type;
    /* Of the layer itself, or of its first view: in its space, and in the runtime's world when it is displayed. */
    XrPosef pose;
    struct pose in_world;
};

struct runtime {
    /* Where the head is in the runtime's world. NULL: by runtime_head. */
    struct motion (*head)(XrTime time);
    /* XrTime − CLOCK_MONOTONIC, and the period of frames. Unit: ns. */
    int64_t epoch, period;
    bool tracks_positions, has_no_time, has_no_locate_spaces;

    /* LOCAL in the world, of which `change` is the time from which on `next_local` holds. */
    struct pose local, next_local;
    XrTime change;
    /* Whether the next xrPollEvent announces that, and with what it was before. */
    bool is_announced, is_announced_with_pose;
    XrSession announced_session;

    /* The last frame that was ended. */
    XrTime display;
    uint32_t frame_count, layer_count;
    struct runtime_layer layers[RUNTIME_LAYERS];
    /* Number of calls, by all functions. */
    uint64_t calls;
};

/* How head and hand move unless the program decides it: walking in curves, looking about; the hand swings beside. */
static inline struct motion runtime_head(XrTime time)
{
    const double t = (double)time * 1e-9;
    struct motion motion = motion_at_rest(NO_POSE);
    motion.pose.position = (struct vector){2 * sin(0.5 * t), 1.6 + 0.03 * sin(9 * t), 3 * cos(0.3 * t)};
    motion.linear = (struct vector){cos(0.5 * t), 0.27 * cos(9 * t), -0.9 * sin(0.3 * t)};
    /* Turned about the vertical, then nodding. */
    motion.pose.orientation = quaternion_product(
        quaternion_of_yaw(0.7 * t), quaternion_of_rotation((struct vector){0.3 * sin(2 * t), 0, 0}));
    motion.angular = vector_sum(
        (struct vector){0, 0.7, 0},
        quaternion_turned(quaternion_of_yaw(0.7 * t), (struct vector){0.6 * cos(2 * t), 0, 0}));
    return motion;
}

static inline struct motion runtime_hand(XrTime time)
{
    const double t = (double)time * 1e-9;
    struct motion motion = motion_at_rest(NO_POSE);
    motion.pose.position = (struct vector){0.4 + 2 * sin(0.5 * t), 1 + 0.2 * sin(5 * t), 3 * cos(0.3 * t)};
    motion.linear = (struct vector){cos(0.5 * t), cos(5 * t), -0.9 * sin(0.3 * t)};
    motion.pose.orientation = quaternion_of_rotation((struct vector){0, 0, 0.5 * sin(3 * t)});
    motion.angular = (struct vector){0, 0, 1.5 * cos(3 * t)};
    return motion;
}

static inline struct pose runtime_stage(void)
{
    return (struct pose){quaternion_of_yaw(0.35), {0.3, 0, 0.2}};
}
#endif
