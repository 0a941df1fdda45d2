#define _GNU_SOURCE
#include "CSpeech.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Some builds lack speech-dispatcher, for example those for Buildroot, which has no package for it. */
#if __has_include(<speech-dispatcher/libspeechd.h>)

#include <signal.h>
#include <speech-dispatcher/libspeechd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "CLoadedLibrary.h"

#define SPEECH_FUNCTIONS(use) \
    use(spd_get_default_address) use(SPDConnectionAddress__free) use(spd_open2) use(spd_close) use(spd_say) \
    use(spd_cancel) use(spd_set_language) use(spd_set_output_module) use(spd_set_synthesis_voice) \
    use(spd_set_voice_rate) use(spd_set_voice_pitch) use(spd_set_volume) use(spd_list_synthesis_voices) \
    use(free_spd_voices)

static struct {
    SPEECH_FUNCTIONS(LOADED_MEMBER)
} speechd;

static loaded_library library = LOADED_LIBRARY("libspeechd.so.2", speechd, SPEECH_FUNCTIONS, NULL);

struct cspeech {
    SPDConnection *connection;
};

static cspeech *fail(cspeech *speech, char *problem, size_t size, const char *words, const char *detail) {
    snprintf(problem, size, "%s%s", words, detail == NULL ? "" : detail);
    cspeech_close(speech);
    return NULL;
}

/* A speech-dispatcher that hangs must not block the program for long, so each wait for an answer has this limit. */
static void limit_waiting(int socket) {
    const struct timeval patience = {.tv_sec = 4};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/* Whether a speech-dispatcher listens at the user's socket but does not answer. libspeechd would wait for it for
   ever. */
static bool hangs(const SPDConnectionAddress *address) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (address->method != SPD_METHOD_UNIX_SOCKET || address->unix_socket_name == NULL
        || strlen(address->unix_socket_name) >= sizeof name.sun_path)
        return false;
    strcpy(name.sun_path, address->unix_socket_name);
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    limit_waiting(probe);
    static const char quit[] = "QUIT\r\n";
    char answer;
    bool silent = false;
    if (connect(probe, (struct sockaddr *)&name, sizeof name) == 0)
        silent = send(probe, quit, strlen(quit), MSG_NOSIGNAL) < 0 || recv(probe, &answer, 1, 0) < 0;
    else
        silent = errno == EAGAIN;
    close(probe);
    return silent;
}

static SPDConnection *open_connection(const SPDConnectionAddress *address, char **error) {
    if (hangs(address)) {
        *error = strdup("it does not answer");
        return NULL;
    }
    SPDConnection *connection =
        speechd.spd_open2("waymark-voice", "announcements", NULL, SPD_MODE_SINGLE, address, 1, error);
    if (connection != NULL) limit_waiting(connection->socket);
    return connection;
}

/* Connects to the address in SPEECHD_ADDRESS, or, if it is not set, to the user's own socket. */
static SPDConnection *connect_to_dispatcher(char *problem, size_t size) {
    char *error = NULL;
    /* A speech-dispatcher that is started here would inherit the blocked signals, and could then not be ended by
       them. */
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &ending, &before);
    SPDConnectionAddress *address = speechd.spd_get_default_address(&error);
    SPDConnection *connection = address == NULL ? NULL : open_connection(address, &error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (connection == NULL) snprintf(problem, size, "%s", error == NULL ? "no connection" : error);
    if (address != NULL) speechd.SPDConnectionAddress__free(address);
    free(error);
    return connection;
}

cspeech *cspeech_open(const cspeech_options *options, char *problem, size_t size) {
    if (!loaded_library_open(&library, problem, size)) return NULL;
    cspeech *speech = calloc(1, sizeof *speech);
    if (speech == NULL) return fail(NULL, problem, size, "out of memory", NULL);
    speech->connection = connect_to_dispatcher(problem, size);
    SPDConnection *connection = speech->connection;
    if (connection == NULL) {
        free(speech);
        return NULL;
    }
    if (options->module != NULL && speechd.spd_set_output_module(connection, options->module) != 0)
        return fail(speech, problem, size, "it has no output module ", options->module);
    if (options->language != NULL && speechd.spd_set_language(connection, options->language) != 0)
        return fail(speech, problem, size, "it refuses the language ", options->language);
    if (options->voice != NULL && speechd.spd_set_synthesis_voice(connection, options->voice) != 0)
        return fail(speech, problem, size, "it has no voice ", options->voice);
    if (options->rate != NULL) speechd.spd_set_voice_rate(connection, *options->rate);
    if (options->pitch != NULL) speechd.spd_set_voice_pitch(connection, *options->pitch);
    if (options->volume != NULL) speechd.spd_set_volume(connection, *options->volume);
    return speech;
}

/* Whether a voice speaks the language. A voice for de-AT, for example, also speaks de. */
static bool speaks(const SPDVoice *voice, const char *language) {
    const size_t length = strlen(language);
    if (voice->language == NULL || strncasecmp(voice->language, language, length) != 0) return false;
    const char next = voice->language[length];
    return next == '\0' || next == '-' || next == '_';
}

bool cspeech_has_voice(cspeech *speech, const char *language) {
    SPDVoice **voices = speechd.spd_list_synthesis_voices(speech->connection);
    if (voices == NULL || voices[0] == NULL) return true;
    bool found = false;
    for (SPDVoice **voice = voices; *voice != NULL && !found; voice++) found = speaks(*voice, language);
    speechd.free_spd_voices(voices);
    return found;
}

bool cspeech_say(cspeech *speech, cspeech_priority priority, const char *text) {
    return speechd.spd_say(speech->connection, (SPDPriority)priority, text) >= 0;
}

bool cspeech_cancel(cspeech *speech) { return speechd.spd_cancel(speech->connection) == 0; }

void cspeech_close(cspeech *speech) {
    if (speech == NULL) return;
    speechd.spd_close(speech->connection);
    free(speech);
}

#else

cspeech *cspeech_open(const cspeech_options *options, char *problem, size_t size) {
    (void)options;
    snprintf(problem, size, "this program was built without libspeechd");
    return NULL;
}

bool cspeech_has_voice(cspeech *speech, const char *language) {
    (void)speech, (void)language;
    return false;
}

bool cspeech_say(cspeech *speech, cspeech_priority priority, const char *text) {
    (void)speech, (void)priority, (void)text;
    return false;
}

bool cspeech_cancel(cspeech *speech) {
    (void)speech;
    return false;
}

void cspeech_close(cspeech *speech) { (void)speech; }

#endif
