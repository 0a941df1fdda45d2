/* Settings of the layer, from the environment of the program. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "geometry.h"

enum layer_mode {
    /* Correct where the runtime tracks positions, else replace. */
    LAYER_MODE_AUTOMATIC,
    /* The head's pose is the daemon's. */
    LAYER_MODE_REPLACE,
    /* The head's pose is the runtime's, turned and shifted into the scene, as long as the runtime tracks the head. */
    LAYER_MODE_CORRECT,
    /* All is the runtime's. */
    LAYER_MODE_OFF
};

struct settings {
    enum layer_mode mode;
    /* The middle between the eyes, seen from the board, in axes of the body. Unit: m. */
    struct vector eyes;
};

/* Reads WAYMARK_OPENXR and WAYMARK_OPENXR_EYES. What cannot be read is named on standard error, and its default
 * taken. */
struct settings settings_read(void);

#endif
