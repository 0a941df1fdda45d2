#pragma once
/* A WebSocket, from its upgrade to its end. A function with an int result returns -1 if the connection should be
   closed. */
#include "Server.h"

void websocket_open(cweb_server *server, connection *of);

/* Takes a part of a message, and passes the message on when it is complete. */
int websocket_receive(cweb_server *server, connection *of, const void *bytes, size_t length);

/* Sends the next message, once the previous one has been sent. */
int websocket_send(cweb_server *server, connection *of);
