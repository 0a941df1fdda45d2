#pragma once
/* One HTTP request by libcurl, which is opened when the first one is made: the daemon, which is the same program and never
 * uses the network, does not load it and the thirty libraries behind it. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CHTTP_DONE,
    /* libcurl cannot be opened; `problem` says why. */
    CHTTP_NO_LIBRARY,
    CHTTP_CANCELLED,
    /* Not even a connection in half of the time. */
    CHTTP_NO_CONNECTION,
    CHTTP_TIMED_OUT,
    /* The answer, or what stands ahead of it, is longer than allowed. */
    CHTTP_TOO_LONG,
    CHTTP_NO_MEMORY,
    /* Any other failure; `problem` is libcurl's word for it. */
    CHTTP_FAILED,
} chttp_outcome;

typedef struct {
    const char *url;
    const char *user_agent;
    /* JSON to be posted; NULL gets. */
    const char *body;
    long timeout_milliseconds;
    /* Of the body of the answer. Unit: bytes. */
    size_t longest;
    /* The request ends when this becomes readable; -1 is none. */
    int cancel;
} chttp_request;

typedef struct {
    /* As the server gives it; 0 before there is one. */
    long status;
    /* Empty where the server names none. Cut at the end. */
    char content_type[128];
    char content_encoding[64];
    /* Where a redirect leads. */
    char location[512];
    /* To be freed by chttp_free. */
    char *body;
    size_t length;
    /* Of an outcome that is not CHTTP_DONE. */
    char problem[256];
} chttp_response;

/* Follows no redirect, uses no proxy, reads no .netrc, keeps no cookies, and decodes nothing. */
chttp_outcome chttp_perform(const chttp_request *request, chttp_response *response);

void chttp_free(chttp_response *response);

#ifdef __cplusplus
}
#endif
