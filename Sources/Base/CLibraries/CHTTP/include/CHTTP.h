#pragma once
/* Wraps libcurl for single HTTP requests. The library is opened at the first request, so that the daemon, which is the
 * same program and never uses the network, does not load it and its thirty dependencies. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CHTTP_DONE,
    /* libcurl cannot be opened; the reason is in `problem`. */
    CHTTP_NO_LIBRARY,
    CHTTP_CANCELLED,
    /* No connection within half of the time limit. */
    CHTTP_NO_CONNECTION,
    CHTTP_TIMED_OUT,
    /* The response or its header exceeds the size limit. */
    CHTTP_TOO_LONG,
    CHTTP_NO_MEMORY,
    /* Any other failure; libcurl's message is in `problem`. */
    CHTTP_FAILED,
} chttp_outcome;

typedef struct {
    const char *url;
    const char *user_agent;
    /* JSON body of a POST request; NULL for a GET request. */
    const char *body;
    long timeout_milliseconds;
    /* Size limit of the response's body. Unit: bytes. */
    size_t longest;
    /* Descriptor that cancels the request when it is readable; -1 for none. */
    int cancel;
} chttp_request;

typedef struct {
    /* HTTP status code; 0 before there is one. */
    long status;
    /* Empty if the server sends none; truncated if too long. */
    char content_type[128];
    char content_encoding[64];
    /* Target of a redirect. */
    char location[512];
    /* To be freed by chttp_free. */
    char *body;
    size_t length;
    /* Message of an outcome other than CHTTP_DONE. */
    char problem[256];
} chttp_response;

/* Performs a request without redirects, proxies, .netrc, cookies or content decoding. */
chttp_outcome chttp_perform(const chttp_request *request, chttp_response *response);

void chttp_free(chttp_response *response);

#ifdef __cplusplus
}
#endif
