/* The daemon's placements, by a subscription to its scene. */
#ifndef PLACEMENTS_H
#define PLACEMENTS_H

#include "openxr.h"
#include "published.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct placement {
    char id[XR_MAX_PLACEMENT_ID_SIZE_WAYMARK];
    char name[XR_MAX_PLACEMENT_NAME_SIZE_WAYMARK];
    char kind[XR_MAX_PLACEMENT_KIND_SIZE_WAYMARK];
    bool is_head_locked;
    /* In the scene, or in the body's axes from the eyes. Unit: m. */
    double position[3];
    /* The scene frame in which it is. */
    uint32_t scene_generation;
};

/* Where a placement is, for threads that locate it. */
struct placement_position {
    double x, y, z;
    uint32_t scene_generation;
    uint16_t is_there, is_head_locked;
};

struct placement_place {
    struct published published;
    uint64_t words[PUBLISHED_WORDS(struct placement_position)];
};

static inline void placement_place_publish(struct placement_place *place, const struct placement *placement)
{
    struct placement_position position = {0, 0, 0, 0, 0, 0};
    if (placement) {
        position.x = placement->position[0];
        position.y = placement->position[1];
        position.z = placement->position[2];
        position.scene_generation = placement->scene_generation;
        position.is_there = 1;
        position.is_head_locked = placement->is_head_locked;
    }
    published_write(&place->published, place->words, &position, sizeof position);
}

static inline struct placement_position placement_place_newest(const struct placement_place *place)
{
    struct placement_position position;
    published_read(&place->published, place->words, &position, sizeof position);
    return position;
}

/* A subscription. NULL where memory is exhausted. Several threads may call all functions but placements_free. */
struct placements;
struct placements *placements_new(void);
void placements_free(struct placements *placements);

/* Takes what the daemon has sent; never waits. Whether anything has changed. */
bool placements_update(struct placements *placements);

/* The placements by the order of their ids: fills in as many as `capacity` holds, and returns the number of all. */
uint32_t placements_list(struct placements *placements, uint32_t capacity, struct placement *list);
bool placements_find(struct placements *placements, const char *id, struct placement *placement);

#ifdef __cplusplus
}
#endif
#endif
