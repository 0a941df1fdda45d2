#pragma once
/* A WebSocket, from its upgrade to its end. Functions that return an int return -1 to have the connection closed. */
#include "Server.h"

void websocket_open(cweb_server *server, connection *of);

/* Takes a part of a message, and passes the message on when it is whole. */
int websocket_receive(cweb_server *server, connection *of, const void *bytes, size_t length);

/* Sends the next message, once the previous one has been sent. */
int websocket_send(cweb_server *server, connection *of);
