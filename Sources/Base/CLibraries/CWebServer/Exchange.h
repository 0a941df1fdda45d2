#pragma once
/* A request and its response. Each function returns -1 to have the connection closed, as libwebsockets asks for it. */
#include "Server.h"

/* Has a request handled that is complete but for its body. */
int exchange_answer(cweb_server *server, connection *of);

/* Sends of the response as much as goes at once; then the end, or what is left of the request. */
int exchange_send(cweb_server *server, connection *of);

/* Passes over a part of the request's body; `complete` at its end. */
int exchange_ignore_body(cweb_server *server, connection *of, size_t length, bool complete);

/* Decides on a request to upgrade to a WebSocket. */
int exchange_upgrade(cweb_server *server, connection *of);
