#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Farther from the board than this the eyes cannot be. Unit: m. */
#define FARTHEST_EYES 2.0

static enum layer_mode mode_of(const char *word)
{
    /* The variable also enables the implicit layer, so that it may be set to nothing in particular. */
    static const struct {
        const char *word;
        enum layer_mode mode;
    } words[] = {
        {"", LAYER_MODE_AUTOMATIC}, {"1", LAYER_MODE_AUTOMATIC}, {"auto", LAYER_MODE_AUTOMATIC},
        {"replace", LAYER_MODE_REPLACE}, {"correct", LAYER_MODE_CORRECT},
        {"off", LAYER_MODE_OFF}, {"0", LAYER_MODE_OFF}
    };
    size_t index;
    for (index = 0; index < sizeof words / sizeof *words; index++)
        if (strcmp(word, words[index].word) == 0)
            return words[index].mode;
    fprintf(stderr, "waymark-openxr: WAYMARK_OPENXR is '%.40s': auto, replace, correct or off; auto is taken\n", word);
    return LAYER_MODE_AUTOMATIC;
}

static struct vector eyes_of(const char *text)
{
    struct vector eyes = {0, 0, 0};
    int length = 0;
    if (!*text)
        return eyes;
    if (sscanf(text, "%lf,%lf,%lf%n", &eyes.x, &eyes.y, &eyes.z, &length) == 3 && !text[length] &&
        vector_length(eyes) <= FARTHEST_EYES)
        return eyes;
    fprintf(
        stderr,
        "waymark-openxr: WAYMARK_OPENXR_EYES is '%.40s': right, up and back of the board in metres, as 0,-0.02,0.05; "
        "0,0,0 is taken\n",
        text);
    return (struct vector){0, 0, 0};
}

struct settings settings_read(void)
{
    const char *mode = getenv("WAYMARK_OPENXR"), *eyes = getenv("WAYMARK_OPENXR_EYES");
    return (struct settings){mode_of(mode ? mode : ""), eyes_of(eyes ? eyes : "")};
}
