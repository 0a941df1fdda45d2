#pragma once
/* A server: its settings, its connections, and the objects of libwebsockets. */
#include "CWebServer.h"
#include "Connection.h"
#include "Library.h"

/* Protocol of requests and of WebSockets without a subprotocol. A client cannot offer this name, because parentheses
   are not allowed in the name of a subprotocol. */
#define PLAIN "(plain)"
/* Maximum number of bytes that are passed to libwebsockets at once. */
#define PORTION (64 * 1024)

struct cweb_server {
    const websockets_library *library;
    cweb_settings settings;
    struct lws_context *context;
    struct lws_vhost *host;
    struct lws_protocols *protocols;
    lws_retry_bo_t silence;
    /* Oldest connection first. */
    connection *first, *last;
    unsigned count;
    uint64_t latest;
    /* The connection that is being passed to libwebsockets; NULL once libwebsockets has closed it. */
    connection *adopting;
    bool has_listener;
};
