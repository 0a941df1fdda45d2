#pragma once
/* A server: its settings, and what libwebsockets has of it. */
#include "CWebServer.h"
#include "Connection.h"
#include "Library.h"

/* Protocol of requests and of WebSockets without a subprotocol. A client cannot offer it: it is no token. */
#define PLAIN "(plain)"
/* What is handed to libwebsockets at once. Unit: bytes. */
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
    /* The connection that libwebsockets is being handed; NULL once it has given it up. */
    connection *adopting;
    bool has_listener;
};
