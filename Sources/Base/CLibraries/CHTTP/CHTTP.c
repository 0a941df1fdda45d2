#define _GNU_SOURCE
#include "CHTTP.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "CLoadedLibrary.h"

#if LIBCURL_VERSION_NUM < 0x075800
#error "libcurl 7.88, Debian 12's, or newer is needed"
#endif

/* The header defines type-checking macros with some of the names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

/* The functions of libcurl that are used, with their types from its header. */
#define CURL_FUNCTIONS(use) \
    use(curl_global_init) use(curl_easy_init) use(curl_easy_setopt) use(curl_easy_getinfo) use(curl_easy_cleanup) \
    use(curl_easy_strerror) use(curl_multi_init) use(curl_multi_add_handle) use(curl_multi_remove_handle) \
    use(curl_multi_perform) use(curl_multi_poll) use(curl_multi_info_read) use(curl_multi_cleanup) \
    use(curl_slist_append) use(curl_slist_free_all)

static struct {
    CURL_FUNCTIONS(LOADED_MEMBER)
} curl;

static bool start(void) { return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

/* Opened at the first request, so that the daemon does not load it. The file is from libcurl4 or libcurl4t64, the
 * OpenSSL variant, which Debian's other programs load too. */
static loaded_library library = LOADED_LIBRARY("libcurl.so.4", curl, CURL_FUNCTIONS, start);

/* Limit of the total size of all header lines. Services send a few hundred bytes. */
#define LONGEST_HEADERS (64 * 1024)

/* State of a transfer. */
typedef struct {
    const chttp_request *request;
    chttp_response *response;
    CURL *easy;
    CURLM *multi;
    struct curl_slist *headers;
    size_t capacity;
    size_t header_bytes;
    /* Reason why a callback ended the transfer; CHTTP_DONE if none did. */
    chttp_outcome ended;
    char words[CURL_ERROR_SIZE];
} transfer;

static size_t end(transfer *under_way, chttp_outcome why) {
    under_way->ended = why;
    return 0;
}

static size_t take_body(char *data, size_t size, size_t count, void *context) {
    transfer *under_way = context;
    chttp_response *response = under_way->response;
    const size_t length = size * count;
    if (length == 0) return 0;
    if (length > under_way->request->longest - response->length) return end(under_way, CHTTP_TOO_LONG);
    if (response->length + length > under_way->capacity) {
        const size_t wanted = 2 * (response->length + length);
        char *grown = realloc(response->body, wanted);
        if (grown == NULL) return end(under_way, CHTTP_NO_MEMORY);
        response->body = grown;
        under_way->capacity = wanted;
    }
    memcpy(response->body + response->length, data, length);
    response->length += length;
    return length;
}

/* Copies the value of a header line with this name, without the blanks around it. */
static void read_header(const char *line, size_t length, const char *name, char *value, size_t size) {
    const size_t prefix = strlen(name);
    if (length <= prefix || strncasecmp(line, name, prefix) != 0 || line[prefix] != ':') return;
    const char *from = line + prefix + 1, *to = line + length;
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (unsigned char)to[-1] <= ' ') to--;
    snprintf(value, size, "%.*s", (int)(to - from), from);
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
    transfer *under_way = context;
    chttp_response *response = under_way->response;
    const size_t length = size * count;
    under_way->header_bytes += length;
    if (under_way->header_bytes > LONGEST_HEADERS) return end(under_way, CHTTP_TOO_LONG);
    read_header(line, length, "Content-Type", response->content_type, sizeof response->content_type);
    read_header(line, length, "Content-Encoding", response->content_encoding, sizeof response->content_encoding);
    read_header(line, length, "Location", response->location, sizeof response->location);
    return length;
}

static bool add_header(transfer *under_way, const char *line) {
    struct curl_slist *longer = curl.curl_slist_append(under_way->headers, line);
    if (longer != NULL) under_way->headers = longer;
    return longer != NULL;
}

/* Sets the body of the request. The header Expect is removed, because simple services never send the response 100 that
 * it waits for. */
static bool set_body(transfer *under_way) {
    const char *body = under_way->request->body;
    if (body == NULL) return true;
    return add_header(under_way, "Content-Type: application/json") && add_header(under_way, "Expect:") &&
           curl.curl_easy_setopt(under_way->easy, CURLOPT_POSTFIELDSIZE, (long)strlen(body)) == CURLE_OK &&
           curl.curl_easy_setopt(under_way->easy, CURLOPT_POSTFIELDS, body) == CURLE_OK;
}

static bool set_options(transfer *under_way) {
    const chttp_request *request = under_way->request;
    bool good = add_header(under_way, "Accept: application/json") && set_body(under_way);
#define SET(option, value) \
    good = good && curl.curl_easy_setopt(under_way->easy, option, value) == CURLE_OK
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_USERAGENT, request->user_agent);
    SET(CURLOPT_HTTPHEADER, under_way->headers);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    /* Only the configured service may learn the positions of the wearer and the destination. */
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_TIMEOUT_MS, request->timeout_milliseconds);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->timeout_milliseconds / 2 + 1);
    SET(CURLOPT_NOSIGNAL, 1L);
    /* With this option, an unresponsive name server does not delay the cleanup. */
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, under_way);
    SET(CURLOPT_HEADERFUNCTION, take_header);
    SET(CURLOPT_HEADERDATA, under_way);
    SET(CURLOPT_ERRORBUFFER, under_way->words);
#undef SET
    return good;
}

static chttp_outcome fail(transfer *under_way, chttp_outcome outcome, const char *words) {
    snprintf(under_way->response->problem, sizeof under_way->response->problem, "%s", words);
    return outcome;
}

/* Whether name lookup, connection and TLS handshake were complete, so that the request could be sent. */
static bool was_connected(transfer *under_way) {
    curl_off_t microseconds = 0;
    curl.curl_easy_getinfo(under_way->easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
    return microseconds > 0;
}

static chttp_outcome outcome(transfer *under_way, CURLcode code) {
    if (under_way->ended != CHTTP_DONE) return under_way->ended;
    if (code == CURLE_OK) return CHTTP_DONE;
    if (code == CURLE_OPERATION_TIMEDOUT) return was_connected(under_way) ? CHTTP_TIMED_OUT : CHTTP_NO_CONNECTION;
    if (code == CURLE_OUT_OF_MEMORY) return CHTTP_NO_MEMORY;
    const bool has_words = under_way->words[0] != '\0';
    return fail(under_way, CHTTP_FAILED, has_words ? under_way->words : curl.curl_easy_strerror(code));
}

/* Runs until the transfer has ended or `cancel` is readable. */
static chttp_outcome run(transfer *under_way) {
    struct curl_waitfd cancel = {.fd = under_way->request->cancel, .events = CURL_WAIT_POLLIN};
    const unsigned watched = cancel.fd >= 0 ? 1 : 0;
    for (;;) {
        int running = 0, left = 0;
        CURLMcode code = curl.curl_multi_perform(under_way->multi, &running);
        const CURLMsg *message = curl.curl_multi_info_read(under_way->multi, &left);
        if (message != NULL && message->msg == CURLMSG_DONE) return outcome(under_way, message->data.result);
        cancel.revents = 0;
        if (code == CURLM_OK) code = curl.curl_multi_poll(under_way->multi, &cancel, watched, 1000, NULL);
        if (code != CURLM_OK) return fail(under_way, CHTTP_FAILED, "libcurl cannot wait for the answer");
        if (cancel.revents != 0) return CHTTP_CANCELLED;
    }
}

static chttp_outcome perform(transfer *under_way) {
    under_way->easy = curl.curl_easy_init();
    under_way->multi = curl.curl_multi_init();
    if (under_way->easy == NULL || under_way->multi == NULL) return CHTTP_NO_MEMORY;
    if (!set_options(under_way)) return fail(under_way, CHTTP_FAILED, "libcurl refuses the request");
    if (curl.curl_multi_add_handle(under_way->multi, under_way->easy) != CURLM_OK) return CHTTP_NO_MEMORY;
    const chttp_outcome result = run(under_way);
    curl.curl_easy_getinfo(under_way->easy, CURLINFO_RESPONSE_CODE, &under_way->response->status);
    curl.curl_multi_remove_handle(under_way->multi, under_way->easy);
    return result;
}

chttp_outcome chttp_perform(const chttp_request *request, chttp_response *response) {
    memset(response, 0, sizeof *response);
    transfer under_way = {.request = request, .response = response};
    if (!loaded_library_open(&library, response->problem, sizeof response->problem)) return CHTTP_NO_LIBRARY;
    const chttp_outcome result = perform(&under_way);
    curl.curl_easy_cleanup(under_way.easy);
    if (under_way.multi != NULL) curl.curl_multi_cleanup(under_way.multi);
    curl.curl_slist_free_all(under_way.headers);
    return result;
}

void chttp_free(chttp_response *response) {
    free(response->body);
    response->body = NULL;
    response->length = 0;
}
