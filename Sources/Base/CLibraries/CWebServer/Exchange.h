#pragma once
/* A request and its response. Each function returns -1 if the connection should be closed, as libwebsockets expects. */
#include "Server.h"

/* Has the handler answer a request that is complete except for its body. */
int exchange_answer(cweb_server *server, connection *of);

/* Sends the next portion of the response. After the last one, closes the connection, or reads the rest of the
   request. */
int exchange_send(cweb_server *server, connection *of);

/* Ignores a part of the request's body; `complete` is true at the end of the body. */
int exchange_ignore_body(cweb_server *server, connection *of, size_t length, bool complete);

/* Decides on a request to upgrade to a WebSocket. */
int exchange_upgrade(cweb_server *server, connection *of);
