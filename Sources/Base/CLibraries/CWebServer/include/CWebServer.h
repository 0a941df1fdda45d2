#pragma once
/* Wraps libwebsockets, an HTTP and WebSocket server. The library is opened when a server is made, so that the daemon,
 * which is the same program and serves no pages, does not load it.
 *
 * A server belongs to one thread, which calls `cweb_turn` again and again; all handlers run within these calls. Only
 * `cweb_wake` may be called from other threads. Each connection answers one request and is then closed, or becomes a
 * WebSocket. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cweb_server cweb_server;

/* Parts of a request, which are valid during the call. A part that the client does not send is empty. */
typedef struct {
    const char *method;
    /* Without the query; %-sequences are decoded. */
    const char *path;
    /* The argument `token` of the query. */
    const char *token;
    const char *host;
    const char *origin;
    const char *accept;
    /* Whether the request asks for a WebSocket, and if so, of which version and with which subprotocols. */
    bool upgrade;
    const char *version;
    const char *subprotocols;
    /* User who makes the request, as `user` of the handlers returns it. */
    uint32_t user;
    /* Whether one of these texts is longer than the server accepts, and therefore missing here. */
    bool too_long;
} cweb_request;

/* Response to a request: all bytes from the status line to the end of the body. */
typedef struct cweb_reply cweb_reply;

/* Copies the response; false if there is no memory. */
bool cweb_reply_set(cweb_reply *reply, const void *bytes, size_t length);

typedef struct {
    void *context;
    /* Returns the user who runs the client of a new connection. */
    uint32_t (*user)(void *context, int descriptor);
    /* Whether the user may have one more connection, if all users together have `total` and this user has `own`. */
    bool (*has_room)(void *context, uint32_t user, unsigned total, unsigned own);
    /* Whether a connection of `holder` that has made no request may be closed for one of `user`. */
    bool (*yields)(void *context, uint32_t holder, uint32_t user, unsigned total, unsigned own);
    /* Sets the response. For a request to upgrade, it may instead accept the request by returning a route, which is 0
     * or more. For other requests the returned value is ignored. */
    int (*request)(void *context, const cweb_request *request, cweb_reply *reply);
    /* A WebSocket is open. The subprotocol is empty if the client offered none. */
    void (*opened)(void *context, uint64_t socket, uint32_t user, int route, const char *subprotocol);
    /* A complete message has arrived. If it is text, it is valid UTF-8. */
    void (*received)(void *context, uint64_t socket, bool binary, const void *bytes, size_t length);
    /* These bytes have left the queue of messages to send. */
    void (*sent)(void *context, uint64_t socket, size_t length);
    void (*closed)(void *context, uint64_t socket);
    /* Called at least once after `cweb_wake`, and occasionally without it. */
    void (*woken)(void *context);
} cweb_handlers;

typedef struct {
    /* Listening TCP socket, which the server owns from now on, even if it cannot be made. */
    int listener;
    /* Maximum number of connections that `has_room` ever permits. */
    unsigned connections;
    /* Maximum sizes of a request's header and of a received message. Unit: bytes. */
    unsigned short header_bytes;
    size_t message_bytes;
    /* Maximum size of the kernel's buffer for a WebSocket. It is limited because messages in it may no longer be the
     * newest. Unit: bytes. */
    int send_buffer_bytes;
    /* Time limits for a request, for a response, and for the silence of a WebSocket, which is pinged before it is
     * closed. Unit: s. */
    unsigned short request_seconds;
    unsigned short response_seconds;
    unsigned short silence_seconds;
    /* Names of the subprotocols of all routes. */
    const char *const *subprotocols;
    size_t subprotocol_count;
    cweb_handlers handlers;
} cweb_settings;

/* Makes a server. Returns NULL on failure, with the reason in `problem`. Sets `library_missing` if libwebsockets cannot
 * be opened. */
cweb_server *cweb_create(const cweb_settings *settings, bool *library_missing, char *problem, size_t size);

/* Waits for something to do and does it; returns false if the server cannot continue. */
bool cweb_turn(cweb_server *server);

/* Ends the wait of `cweb_turn`, from any thread. */
void cweb_wake(cweb_server *server);

/* Appends a message to the queue of a WebSocket; returns false if the WebSocket is closed or there is no memory. The
 * caller limits the size of the queue by the bytes that `sent` reports. */
bool cweb_send(cweb_server *server, uint64_t socket, bool binary, const void *bytes, size_t length);

/* Closes a WebSocket with a status (RFC 6455, 7.4) after the messages of its queue. */
void cweb_close(cweb_server *server, uint64_t socket, uint16_t status);

/* Closes all connections and the listener. */
void cweb_destroy(cweb_server *server);

#ifdef __cplusplus
}
#endif
