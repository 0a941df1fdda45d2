#pragma once
/* Wraps OpenAL Soft for one listener and a few sources of short sounds, which a device plays or the caller renders into
 * memory. The library is opened at first use, so that the daemon, which is the same program and makes no sound, does
 * not load it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of sources of an output, and maximum number of sounds that the sources can play. */
#define COPENAL_SOURCES 4
#define COPENAL_SOUNDS 16

typedef struct copenal copenal;

typedef struct {
    /* Name of a device as `copenal_devices` lists it; NULL for the default one. Not used by renderers. */
    const char *device;
    /* Whether there is no device, and `copenal_render` fetches the samples. */
    bool is_renderer;
    /* Unit: hertz. */
    int rate;
    /* Up to COPENAL_SOURCES. */
    int sources;
} copenal_options;

/* Opens an output. NULL on failure, with the reason in `problem`. */
copenal *copenal_open(const copenal_options *options, char *problem, size_t size);

/* Whether sound is filtered for each ear; otherwise it is panned between two channels. */
bool copenal_has_hrtf(const copenal *output);

/* Rate of the mixer, which may differ from the requested rate. Unit: hertz. */
int copenal_rate(const copenal *output);

/* Name of the device, valid as long as the output. */
const char *copenal_device_name(const copenal *output);

/* Whether the device is still connected. */
bool copenal_is_connected(const copenal *output);

/* Time between two wake-ups of the mixer, and thus the longest time until a change takes effect. Unit: seconds. */
double copenal_period(const copenal *output);

/* Time from the mixer to the ear, as the device reports it. Unit: seconds. */
double copenal_latency(const copenal *output);

/* Copies a mono sound, which must have the output's rate. Returns its number, from 0; negative on failure. */
int copenal_add_sound(copenal *output, const int16_t *samples, int count);

/* Changes between these two calls take effect together. */
void copenal_begin(copenal *output);
void copenal_commit(copenal *output);

/* Sets the orientation of the listener, who stays at the origin. The axes are right-handed. */
void copenal_turn(copenal *output, const float ahead[3], const float up[3]);

/* Sets the position of a source relative to the origin, and the factor of its amplitude. */
void copenal_place(copenal *output, int source, const float position[3], float gain);

/* Plays a sound once from its beginning. */
void copenal_play(copenal *output, int source, int sound);

/* Renders the next frames, in which left and right samples alternate. */
void copenal_render(copenal *output, float *frames, int count);

void copenal_close(copenal *output);

/* Names of devices, each followed by a zero byte, with another zero byte at the end; valid until the next call. Returns
 * NULL on failure, with the reason in `problem`. */
const char *copenal_devices(char *problem, size_t size);

#ifdef __cplusplus
}
#endif
