#define _GNU_SOURCE
#include "COpenAL.h"

#include <stdio.h>
#include <stdlib.h>

#include "Library.h"

struct copenal {
    const openal_library *library;
    ALCdevice *device;
    ALCcontext *context;
    LPALCRENDERSAMPLESSOFT render;
    /* NULL if the library does not have this function. */
    LPALCGETINTEGER64VSOFT get_integer64;
    ALuint sources[COPENAL_SOURCES];
    int source_count;
    ALuint sounds[COPENAL_SOUNDS];
    int sound_count;
    int rate;
    bool has_hrtf;
};

static copenal *fail(copenal *output, char *problem, size_t size, const char *words) {
    snprintf(problem, size, "%s", words);
    copenal_close(output);
    return NULL;
}

/* Address of a function in the library as a pointer to a function. ISO C has no conversion from `void *`. */
#define FUNCTION(output, type, name) \
    (*(type *)&(void *){(output)->library->alcGetProcAddress((output)->device, name)})

static bool open_renderer(copenal *output) {
    const openal_library *library = output->library;
    if (!library->alcIsExtensionPresent(NULL, "ALC_SOFT_loopback")) return false;
    void *address = library->alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
    if (address == NULL) return false;
    output->device = (*(LPALCLOOPBACKOPENDEVICESOFT *)&address)(NULL);
    if (output->device == NULL) return false;
    output->render = FUNCTION(output, LPALCRENDERSAMPLESSOFT, "alcRenderSamplesSOFT");
    return output->render != NULL;
}

static bool make_context(copenal *output, bool is_renderer) {
    const openal_library *library = output->library;
    ALCint attributes[16] = {ALC_FREQUENCY, output->rate};
    int count = 2;
    if (library->alcIsExtensionPresent(output->device, "ALC_SOFT_HRTF")) {
        attributes[count++] = ALC_HRTF_SOFT;
        attributes[count++] = ALC_TRUE;
    }
    /* No limiter is needed, because the caller stays below full scale; it would cost a fifth of the mixer's time. */
    if (library->alcIsExtensionPresent(output->device, "ALC_SOFT_output_limiter")) {
        attributes[count++] = ALC_OUTPUT_LIMITER_SOFT;
        attributes[count++] = ALC_FALSE;
    }
    if (is_renderer) {
        attributes[count++] = ALC_FORMAT_CHANNELS_SOFT;
        attributes[count++] = ALC_STEREO_SOFT;
        attributes[count++] = ALC_FORMAT_TYPE_SOFT;
        attributes[count++] = ALC_FLOAT_SOFT;
    }
    output->context = library->alcCreateContext(output->device, attributes);
    return output->context != NULL && library->alcMakeContextCurrent(output->context);
}

static bool make_sources(copenal *output, int count) {
    const openal_library *library = output->library;
    library->alGetError();
    library->alGenSources(count, output->sources);
    if (library->alGetError() != AL_NO_ERROR) return false;
    output->source_count = count;
    /* Only the caller makes distance audible. */
    for (int each = 0; each < count; each++) library->alSourcef(output->sources[each], AL_ROLLOFF_FACTOR, 0);
    return true;
}

static void find_extensions(copenal *output) {
    const openal_library *library = output->library;
    ALCint has_hrtf = 0;
    if (library->alcIsExtensionPresent(output->device, "ALC_SOFT_HRTF"))
        library->alcGetIntegerv(output->device, ALC_HRTF_SOFT, 1, &has_hrtf);
    output->has_hrtf = has_hrtf == ALC_TRUE;
    if (library->alcIsExtensionPresent(output->device, "ALC_SOFT_device_clock"))
        output->get_integer64 = FUNCTION(output, LPALCGETINTEGER64VSOFT, "alcGetInteger64vSOFT");
    ALCint rate = 0;
    library->alcGetIntegerv(output->device, ALC_FREQUENCY, 1, &rate);
    if (rate > 0) output->rate = rate;
}

copenal *copenal_open(const copenal_options *options, char *problem, size_t size) {
    char reason[256];
    const openal_library *library = openal_library_open(!options->is_renderer, reason, sizeof reason);
    if (library == NULL) {
        snprintf(problem, size, "OpenAL cannot be opened (%s): install the package libopenal1", reason);
        return NULL;
    }
    copenal *output = calloc(1, sizeof *output);
    if (output == NULL) return fail(NULL, problem, size, "no memory is left");
    output->library = library;
    output->rate = options->rate;
    if (options->is_renderer) {
        if (!open_renderer(output))
            return fail(output, problem, size, "this OpenAL cannot render into memory: install libopenal1 1.19.1 or newer");
    } else if ((output->device = library->alcOpenDevice(options->device)) == NULL) {
        return fail(output, problem, size, options->device != NULL
            ? "the audio device cannot be opened: --list-devices shows their names"
            : "there is no audio device: start PipeWire or PulseAudio, or connect headphones");
    }
    if (!make_context(output, options->is_renderer))
        return fail(output, problem, size, "the audio device does not take the format");
    if (options->sources > COPENAL_SOURCES || !make_sources(output, options->sources))
        return fail(output, problem, size, "OpenAL has no room for the sources");
    find_extensions(output);
    return output;
}

bool copenal_has_hrtf(const copenal *output) { return output->has_hrtf; }

int copenal_rate(const copenal *output) { return output->rate; }

const char *copenal_device_name(const copenal *output) {
    const bool has_all = output->library->alcIsExtensionPresent(NULL, "ALC_ENUMERATE_ALL_EXT");
    const char *name =
        output->library->alcGetString(output->device, has_all ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
    return name != NULL ? name : "";
}

bool copenal_is_connected(const copenal *output) {
    ALCint is_connected = ALC_TRUE;
    if (output->library->alcIsExtensionPresent(output->device, "ALC_EXT_disconnect"))
        output->library->alcGetIntegerv(output->device, ALC_CONNECTED, 1, &is_connected);
    return is_connected == ALC_TRUE;
}

double copenal_period(const copenal *output) {
    ALCint refresh = 0;
    /* A renderer has no period, because it mixes whenever its caller asks for frames. */
    if (output->render != NULL) return 0;
    output->library->alcGetIntegerv(output->device, ALC_REFRESH, 1, &refresh);
    return refresh > 0 ? 1.0 / refresh : 0;
}

double copenal_latency(const copenal *output) {
    ALCint64SOFT nanoseconds = 0;
    if (output->render != NULL || output->get_integer64 == NULL) return 0;
    output->get_integer64(output->device, ALC_DEVICE_LATENCY_SOFT, 1, &nanoseconds);
    return nanoseconds > 0 ? (double)nanoseconds * 1e-9 : 0;
}

int copenal_add_sound(copenal *output, const int16_t *samples, int count) {
    const openal_library *library = output->library;
    if (output->sound_count == COPENAL_SOUNDS) return -1;
    ALuint *sound = &output->sounds[output->sound_count];
    library->alGetError();
    library->alGenBuffers(1, sound);
    if (library->alGetError() != AL_NO_ERROR) return -1;
    output->sound_count++;
    library->alBufferData(*sound, AL_FORMAT_MONO16, samples, count * (ALsizei)sizeof *samples, output->rate);
    return library->alGetError() == AL_NO_ERROR ? output->sound_count - 1 : -1;
}

void copenal_begin(copenal *output) { output->library->alcSuspendContext(output->context); }

void copenal_commit(copenal *output) { output->library->alcProcessContext(output->context); }

void copenal_turn(copenal *output, const float ahead[3], const float up[3]) {
    const float orientation[6] = {ahead[0], ahead[1], ahead[2], up[0], up[1], up[2]};
    output->library->alListenerfv(AL_ORIENTATION, orientation);
}

void copenal_place(copenal *output, int source, const float position[3], float gain) {
    output->library->alSourcefv(output->sources[source], AL_POSITION, position);
    output->library->alSourcef(output->sources[source], AL_GAIN, gain);
}

void copenal_play(copenal *output, int source, int sound) {
    const openal_library *library = output->library;
    library->alSourceStop(output->sources[source]);
    library->alSourcei(output->sources[source], AL_BUFFER, (ALint)output->sounds[sound]);
    library->alSourcePlay(output->sources[source]);
}

void copenal_render(copenal *output, float *frames, int count) { output->render(output->device, frames, count); }

void copenal_close(copenal *output) {
    if (output == NULL) return;
    const openal_library *library = output->library;
    if (output->source_count > 0) library->alDeleteSources(output->source_count, output->sources);
    if (output->sound_count > 0) library->alDeleteBuffers(output->sound_count, output->sounds);
    library->alcMakeContextCurrent(NULL);
    if (output->context != NULL) library->alcDestroyContext(output->context);
    if (output->device != NULL) library->alcCloseDevice(output->device);
    free(output);
}

const char *copenal_devices(char *problem, size_t size) {
    char reason[256];
    const openal_library *library = openal_library_open(true, reason, sizeof reason);
    if (library == NULL) {
        snprintf(problem, size, "OpenAL cannot be opened (%s): install the package libopenal1", reason);
        return NULL;
    }
    const bool has_all = library->alcIsExtensionPresent(NULL, "ALC_ENUMERATE_ALL_EXT");
    const char *names = library->alcGetString(NULL, has_all ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
    return names != NULL ? names : "\0";
}
