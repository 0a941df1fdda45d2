#pragma once
/* State of one client, from its acceptance to the end of its connection. */
#include "CWebServer.h"
#include "Library.h"

typedef enum {
    /* Its request is not complete. Only such a connection is closed to make room for another. */
    REQUESTING,
    ANSWERING,
    /* The whole response was sent. The rest of the request is read, because closing earlier would discard the
     * response. */
    DRAINING,
    SOCKET,
    ENDING,
} connection_phase;

/* A message of a WebSocket, preceded by the free space that libwebsockets requires. */
typedef struct message {
    struct message *next;
    size_t length;
    bool binary;
    unsigned char bytes[];
} message;

struct cweb_reply {
    /* Complete response behind LWS_PRE bytes of space. */
    unsigned char *bytes;
    size_t length;
};

typedef struct connection {
    struct connection *previous, *next;
    struct lws *wsi;
    uint64_t identifier;
    uint32_t user;
    connection_phase phase;

    /* Response, number of its bytes that were sent, and number of bytes of the request's body that were ignored. */
    cweb_reply reply;
    size_t sent;
    bool has_body;
    size_t ignored;

    /* For a WebSocket: its route, the messages to send, the number of bytes of the last one that libwebsockets has, and
     * the message that is being received. */
    int route;
    bool is_open;
    message *first, *last;
    size_t in_flight;
    unsigned char *received;
    size_t received_length, received_capacity;
    /* Status to close it with; 0 while it stays open. */
    uint16_t closing;
} connection;

/* Appends a message; false if there is no memory. */
bool connection_enqueue(connection *of, bool binary, const void *bytes, size_t length);

/* Appends a part of the message that is being received; false if it exceeds `longest` or there is no memory. */
bool connection_collect(connection *of, const void *bytes, size_t length, size_t longest);

void connection_free(connection *of);
