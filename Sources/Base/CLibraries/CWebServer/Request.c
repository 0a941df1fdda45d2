#include "Request.h"

#include <stdio.h>
#include <string.h>

static void copy(const websockets_library *library, struct lws *wsi, enum lws_token_indexes token, char *to, int size,
                 bool *too_long) {
    to[0] = '\0';
    if (library->lws_hdr_total_length(wsi, token) <= 0) return;
    if (library->lws_hdr_copy(wsi, to, size, token) >= 0) return;
    to[0] = '\0';
    *too_long = true;
}

/* Copies the argument `token` of the query. The copy is empty if there is none, or if it or an argument before it is
   too long. */
static void copy_token(const websockets_library *library, struct lws *wsi, char *to, int size) {
    static const char name[] = "token=";
    const size_t skipped = sizeof name - 1;
    int length = 0;
    for (int index = 0; length >= 0; index++) {
        length = library->lws_hdr_copy_fragment(wsi, to, size, WSI_TOKEN_HTTP_URI_ARGS, index);
        if (length < (int)skipped || strncmp(to, name, skipped) != 0) continue;
        memmove(to, to + skipped, (size_t)length - skipped + 1);
        return;
    }
    to[0] = '\0';
}

static const char *method_name(int method) {
    switch (method) {
        case LWSHUMETH_GET: return "GET";
        case LWSHUMETH_HEAD: return "HEAD";
        case LWSHUMETH_POST: return "POST";
        case LWSHUMETH_PUT: return "PUT";
        case LWSHUMETH_PATCH: return "PATCH";
        case LWSHUMETH_DELETE: return "DELETE";
        case LWSHUMETH_OPTIONS: return "OPTIONS";
        default: return "";
    }
}

bool request_read(const websockets_library *library, struct lws *wsi, request_text *text, cweb_request *request) {
    char *path = NULL;
    int length = 0;
    const int method = library->lws_http_get_uri_and_method(wsi, &path, &length);
    if (method < 0 || path == NULL || length <= 0) return false;
    request->too_long = (size_t)length >= sizeof text->path;
    /* An encoded zero would hide the rest of the path. */
    if (memchr(path, '\0', (size_t)length) != NULL) return false;
    snprintf(text->path, sizeof text->path, "%.*s", length, path);
    copy_token(library, wsi, text->token, (int)sizeof text->token);
#define COPY(token, member) copy(library, wsi, token, text->member, (int)sizeof text->member, &request->too_long)
    COPY(WSI_TOKEN_HOST, host);
    COPY(WSI_TOKEN_ORIGIN, origin);
    COPY(WSI_TOKEN_HTTP_ACCEPT, accept);
    COPY(WSI_TOKEN_PROTOCOL, subprotocols);
    COPY(WSI_TOKEN_VERSION, version);
    COPY(WSI_TOKEN_UPGRADE, upgrade);
#undef COPY
    request->method = method_name(method);
    request->path = text->path;
    request->token = text->token;
    request->host = text->host;
    request->origin = text->origin;
    request->accept = text->accept;
    request->subprotocols = text->subprotocols;
    request->version = text->version;
    return true;
}

bool request_announces_body(const websockets_library *library, struct lws *wsi) {
    return library->lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 ||
           library->lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) > 0 ||
           library->lws_hdr_total_length(wsi, WSI_TOKEN_PATCH_URI) > 0 ||
           library->lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0;
}
