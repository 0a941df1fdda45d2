#pragma once
/* Wraps OpenAL Soft, opened by dlopen at first use. */
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <stdbool.h>
#include <stddef.h>

#include "CLoadedLibrary.h"

/* The functions of OpenAL that are used, with their types from its headers. */
#define OPENAL_FUNCTIONS(use) \
    use(alcOpenDevice) use(alcCloseDevice) use(alcCreateContext) use(alcDestroyContext) use(alcMakeContextCurrent) \
    use(alcGetString) use(alcGetIntegerv) use(alcIsExtensionPresent) use(alcGetProcAddress) use(alcGetError) \
    use(alcSuspendContext) use(alcProcessContext) \
    use(alGenBuffers) use(alDeleteBuffers) use(alBufferData) use(alGenSources) use(alDeleteSources) use(alGetError) \
    use(alListenerfv) use(alSourcefv) use(alSourcef) use(alSourcei) use(alSourcePlay) use(alSourceStop)

typedef struct {
    OPENAL_FUNCTIONS(LOADED_MEMBER)
} openal_library;

/* Opens the library at the first call. If it is for a device, the program must not have other threads yet, because the
 * call then changes the environment. Returns NULL on failure, with the reason in `problem`. */
const openal_library *openal_library_open(bool is_for_device, char *problem, size_t size);
