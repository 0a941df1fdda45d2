#pragma once
/* Access to the parts of a request that libwebsockets has read. */
#include "CWebServer.h"
#include "Library.h"

/* Texts that a request points to. */
typedef struct {
    char path[1024], token[160], host[256], origin[256], accept[1024], subprotocols[120], version[16], upgrade[32];
} request_text;

/* Fills in what the client has sent; false if the connection is to be closed without a response. */
bool request_read(const websockets_library *library, struct lws *wsi, request_text *text, cweb_request *request);

/* Whether a body may follow. */
bool request_announces_body(const websockets_library *library, struct lws *wsi);
