#define _GNU_SOURCE
#include "CWebServer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Exchange.h"
#include "Server.h"
#include "WebSocket.h"

/* Number of descriptors that libwebsockets needs besides those of connections: listener, wake-up and spare ones. */
#define OTHER_DESCRIPTORS 8

/* Sends a response to a client that cannot be served. It fits into the empty buffer of the new socket. */
static void refuse(int descriptor) {
    static const char response[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
                                   "Connection: close\r\nContent-Length: 48\r\n\r\n"
                                   "too many connections are open: close some first\n";
    (void)!send(descriptor, response, sizeof response - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(descriptor);
}

/* Connections. */

static void append(cweb_server *server, connection *added) {
    added->previous = server->last;
    if (server->last != NULL) server->last->next = added;
    else server->first = added;
    server->last = added;
    server->count++;
}

static void forget(cweb_server *server, connection *removed) {
    if (removed->previous != NULL) removed->previous->next = removed->next;
    else server->first = removed->next;
    if (removed->next != NULL) removed->next->previous = removed->previous;
    else server->last = removed->previous;
    server->count--;
    if (server->adopting == removed) server->adopting = NULL;
    connection_free(removed);
}

static connection *find(cweb_server *server, uint64_t identifier) {
    connection *found = server->first;
    while (found != NULL && found->identifier != identifier) found = found->next;
    return found != NULL && found->phase == SOCKET ? found : NULL;
}

static unsigned count_of_user(const cweb_server *server, uint32_t user) {
    unsigned count = 0;
    for (const connection *each = server->first; each != NULL; each = each->next) count += each->user == user;
    return count;
}

/* Finds the connection that gives way to a new one of a user: the oldest one without a request, preferably one of the
   same user. */
static connection *find_idle(cweb_server *server, uint32_t user, unsigned own) {
    const cweb_handlers *handlers = &server->settings.handlers;
    connection *found = NULL;
    for (connection *each = server->first; each != NULL; each = each->next) {
        if (each->phase != REQUESTING || (found != NULL && each->user != user)) continue;
        if (!handlers->yields(handlers->context, each->user, user, server->count, own)) continue;
        found = each;
        if (each->user == user) break;
    }
    return found;
}

/* Closes a connection that has not made a request, so that clients that make none do not keep others out. */
static bool make_room(cweb_server *server, uint32_t user) {
    const cweb_handlers *handlers = &server->settings.handlers;
    const unsigned own = count_of_user(server, user);
    if (handlers->has_room(handlers->context, user, server->count, own)) return true;
    connection *idle = find_idle(server, user, own);
    if (idle == NULL) return false;
    idle->phase = ENDING;
    /* The connection is closed at the beginning of the next turn, because this turn iterates over the table from which
       it is then removed. */
    server->library->lws_set_timeout(idle->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    return true;
}

static void adopt(cweb_server *server, int descriptor) {
    const uint32_t user = server->settings.handlers.user(server->settings.handlers.context, descriptor);
    connection *added = make_room(server, user) ? calloc(1, sizeof *added) : NULL;
    if (added == NULL) return refuse(descriptor);
    const int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    added->identifier = ++server->latest;
    added->user = user;
    append(server, added);
    server->adopting = added;
    lws_adopt_desc_t description = {
        .vh = server->host, .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP, .fd.sockfd = descriptor, .opaque = added};
    /* This call closes the descriptor if it fails. */
    struct lws *wsi = server->library->lws_adopt_descriptor_vhost_via_info(&description);
    if (wsi != NULL) added->wsi = wsi;
    else if (server->adopting != NULL) forget(server, added);
    server->adopting = NULL;
}

/* Accepts one connection per turn, so that the requests of connected clients are read before these clients can be
   closed to make room. */
static void accept_one(cweb_server *server) {
    const int descriptor = accept4(server->settings.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor >= 0) return adopt(server, descriptor);
    /* If no descriptor or memory is free, the listener stays readable, and this pause prevents a busy loop. */
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) poll(NULL, 0, 20);
}

/* Callbacks of libwebsockets. */

static int serve(cweb_server *server, connection *of, enum lws_callback_reasons reason, void *bytes, size_t length) {
    switch (reason) {
        case LWS_CALLBACK_HTTP: return exchange_answer(server, of);
        case LWS_CALLBACK_HTTP_WRITEABLE: return exchange_send(server, of);
        case LWS_CALLBACK_HTTP_BODY: return exchange_ignore_body(server, of, length, false);
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return exchange_ignore_body(server, of, 0, true);
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return exchange_upgrade(server, of);
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return of->phase == SOCKET ? 0 : -1;
        case LWS_CALLBACK_ESTABLISHED: websocket_open(server, of); return 0;
        case LWS_CALLBACK_RECEIVE: return websocket_receive(server, of, bytes, length);
        case LWS_CALLBACK_SERVER_WRITEABLE: return websocket_send(server, of);
        /* Requests that are not HTTP. */
        case LWS_CALLBACK_RAW_ADOPT:
        case LWS_CALLBACK_RAW_RX:
        case LWS_CALLBACK_RAW_WRITEABLE: return -1;
        default: return 0;
    }
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *bytes, size_t length) {
    (void)user;
    char unused[1];
    const websockets_library *library = websockets_library_open(unused, sizeof unused);
    cweb_server *server = library->lws_context_user(library->lws_get_context(wsi));
    switch (reason) {
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            server->settings.handlers.woken(server->settings.handlers.context);
            return 0;
        case LWS_CALLBACK_RAW_RX_FILE: accept_one(server); return 0;
        case LWS_CALLBACK_PROTOCOL_INIT:
        case LWS_CALLBACK_PROTOCOL_DESTROY:
        case LWS_CALLBACK_GET_THREAD_ID:
        case LWS_CALLBACK_WSI_CREATE: return 0;
        default: break;
    }
    connection *of = library->lws_get_opaque_user_data(wsi);
    if (of == NULL) return 0;
    of->wsi = wsi;
    if (reason != LWS_CALLBACK_WSI_DESTROY) return serve(server, of, reason, bytes, length);
    if (of->is_open) server->settings.handlers.closed(server->settings.handlers.context, of->identifier);
    forget(server, of);
    return 0;
}

/* The server. */

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static char said[256];

/* Keeps the last message of libwebsockets. */
static void keep(int level, const char *line) {
    (void)level;
    snprintf(said, sizeof said, "%.*s", (int)strcspn(line, "\n"), line);
}

static bool list_protocols(cweb_server *server) {
    const cweb_settings *settings = &server->settings;
    server->protocols = calloc(settings->subprotocol_count + 2, sizeof *server->protocols);
    if (server->protocols == NULL) return false;
    for (size_t index = 0; index <= settings->subprotocol_count; index++) {
        const char *name = index == 0 ? PLAIN : settings->subprotocols[index - 1];
        /* Without tx_packet_size, libwebsockets would send at most the size of its receive buffer at once. */
        server->protocols[index] = (struct lws_protocols){
            .name = strdup(name), .callback = callback, .rx_buffer_size = 4096, .tx_packet_size = PORTION};
        if (server->protocols[index].name == NULL) return false;
    }
    return true;
}

static bool start(cweb_server *server) {
    const cweb_settings *settings = &server->settings;
    const websockets_library *library = server->library;
    server->silence.secs_since_valid_ping = settings->silence_seconds / 2;
    server->silence.secs_since_valid_hangup = settings->silence_seconds;
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = server->protocols,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS,
        .user = server,
        .vhost_name = "waymark",
        .fd_limit_per_thread = settings->connections + OTHER_DESCRIPTORS,
        .max_http_header_data = settings->header_bytes,
        /* One header buffer for each connection, so that connections that wait for a header do not keep others
           waiting. */
        .max_http_header_pool = (unsigned short)(settings->connections + OTHER_DESCRIPTORS),
        .timeout_secs = settings->request_seconds,
        .timeout_secs_ah_idle = settings->request_seconds,
        .retry_and_idle_policy = &server->silence,
    };
    server->context = library->lws_create_context(&info);
    if (server->context == NULL) return false;
    server->host = library->lws_create_vhost(server->context, &info);
    if (server->host == NULL) return false;
    lws_adopt_desc_t listener = {
        .vh = server->host, .type = LWS_ADOPT_RAW_FILE_DESC, .fd.filefd = settings->listener, .vh_prot_name = PLAIN};
    server->has_listener = library->lws_adopt_descriptor_vhost_via_info(&listener) != NULL;
    return server->has_listener;
}

/* Starts without the changes that libwebsockets otherwise makes to the whole process: messages on stderr, and the
   handling of SIGPIPE. */
static bool start_quietly(cweb_server *server, char *problem, size_t size) {
    struct sigaction before;
    pthread_mutex_lock(&making);
    said[0] = '\0';
    server->library->lws_set_log_level(LLL_ERR, keep);
    const bool has_handler = sigaction(SIGPIPE, NULL, &before) == 0;
    const bool started = start(server);
    if (has_handler) sigaction(SIGPIPE, &before, NULL);
    server->library->lws_set_log_level(0, keep);
    if (!started) snprintf(problem, size, "%s", said[0] != '\0' ? said : "libwebsockets does not start");
    pthread_mutex_unlock(&making);
    return started;
}

cweb_server *cweb_create(const cweb_settings *settings, bool *library_missing, char *problem, size_t size) {
    snprintf(problem, size, "out of memory");
    const websockets_library *library = websockets_library_open(problem, size);
    *library_missing = library == NULL;
    cweb_server *server = library != NULL ? calloc(1, sizeof *server) : NULL;
    if (server == NULL) {
        close(settings->listener);
        return NULL;
    }
    server->library = library;
    server->settings = *settings;
    if (list_protocols(server) && start_quietly(server, problem, size)) return server;
    if (!server->has_listener) close(settings->listener);
    cweb_destroy(server);
    return NULL;
}

bool cweb_turn(cweb_server *server) { return server->library->lws_service(server->context, 0) >= 0; }

void cweb_wake(cweb_server *server) { server->library->lws_cancel_service(server->context); }

bool cweb_send(cweb_server *server, uint64_t socket, bool binary, const void *bytes, size_t length) {
    connection *to = find(server, socket);
    if (to == NULL || to->closing != 0 || !connection_enqueue(to, binary, bytes, length)) return false;
    server->library->lws_callback_on_writable(to->wsi);
    return true;
}

void cweb_close(cweb_server *server, uint64_t socket, uint16_t status) {
    connection *to = find(server, socket);
    if (to == NULL) return;
    to->closing = status;
    server->library->lws_callback_on_writable(to->wsi);
}

void cweb_destroy(cweb_server *server) {
    if (server->context != NULL) server->library->lws_context_destroy(server->context);
    for (size_t index = 0; server->protocols != NULL && index <= server->settings.subprotocol_count; index++)
        free((char *)server->protocols[index].name);
    free(server->protocols);
    free(server);
}
