#pragma once
/* Wraps libspeechd for connections to speech-dispatcher. The library is opened at the first connection, so that other
 * programs, which are the same executable, do not load it. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cspeech cspeech;

/* Properties of the speech. Each text may be NULL to use the value in speech-dispatcher's configuration. */
typedef struct {
    /* Tag of BCP 47. */
    const char *language;
    /* Name of the output module, such as espeak-ng. */
    const char *module;
    /* Name of one of the module's voices. */
    const char *voice;
    /* -100 to 100; NULL to use the value in speech-dispatcher's configuration. */
    const int *rate;
    const int *pitch;
    const int *volume;
} cspeech_options;

/* Priorities of SSIP, 4.3.1. They determine which messages a message interrupts, and what happens to waiting
 * messages. */
typedef enum {
    CSPEECH_IMPORTANT = 1,
    CSPEECH_MESSAGE = 2,
    CSPEECH_TEXT = 3
} cspeech_priority;

/* Connects, and starts speech-dispatcher if its address permits that. Returns NULL on failure, with the reason in
 * `problem`. */
cspeech *cspeech_open(const cspeech_options *options, char *problem, size_t size);

/* Whether the output module has a voice for the language, or does not report its voices. */
bool cspeech_has_voice(cspeech *speech, const char *language);

/* Speaks a text in UTF-8. Returns false once the connection has failed. */
bool cspeech_say(cspeech *speech, cspeech_priority priority, const char *text);

/* Stops the message of this connection that is being spoken, and discards waiting messages. Returns false once the
 * connection has failed. */
bool cspeech_cancel(cspeech *speech);

/* Ends the connection; waiting messages are still spoken. */
void cspeech_close(cspeech *speech);

#ifdef __cplusplus
}
#endif
