#pragma once
/* Wraps OpenAL Soft: one listener and few sources of short sounds, at a device or rendered into memory. The library is
 * opened at first use, so that the daemon, which is the same program and makes no sound, does not load it. */
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
    /* Name of a device as `copenal_devices` lists it; NULL for the default one. Not for renderers. */
    const char *device;
    /* Whether `copenal_render` fetches the samples, and there is no device. */
    bool is_renderer;
    /* Unit: hertz. */
    int rate;
    /* Up to COPENAL_SOURCES. */
    int sources;
} copenal_options;

/* Opens an output. NULL on failure, with the reason in `problem`. */
copenal *copenal_open(const copenal_options *options, char *problem, size_t size);

/* Whether sound is filtered for the two ears; otherwise it is panned between two channels. */
bool copenal_has_hrtf(const copenal *output);

/* Rate of the mixer, which may differ from the requested rate. Unit: hertz. */
int copenal_rate(const copenal *output);

/* Name of the device, valid as long as the output. */
const char *copenal_device_name(const copenal *output);

/* Whether the device is still connected. */
bool copenal_is_connected(const copenal *output);

/* Time between two wake-ups of the mixer: the longest time until a change takes effect. Unit: seconds. */
double copenal_period(const copenal *output);

/* Time from the mixer to the ear, as the device reports it. Unit: seconds. */
double copenal_latency(const copenal *output);

/* Copies a mono sound, which has the output's rate. Returns its number, from 0; negative on failure. */
int copenal_add_sound(copenal *output, const int16_t *samples, int count);

/* Changes between these two calls are heard together. */
void copenal_begin(copenal *output);
void copenal_commit(copenal *output);

/* Orientation of the listener, who stays at the origin; right-handed axes. */
void copenal_turn(copenal *output, const float ahead[3], const float up[3]);

/* Position of a source relative to the origin, and factor of its amplitude. */
void copenal_place(copenal *output, int source, const float position[3], float gain);

/* Plays a sound once from its beginning. */
void copenal_play(copenal *output, int source, int sound);

/* Next frames of a renderer: left and right in turn. */
void copenal_render(copenal *output, float *frames, int count);

void copenal_close(copenal *output);

/* Names of devices, each with a zero byte after it, and one more at the end. NULL on failure, with the reason in
 * `problem`; valid until the next call. */
const char *copenal_devices(char *problem, size_t size);

#ifdef __cplusplus
}
#endif
