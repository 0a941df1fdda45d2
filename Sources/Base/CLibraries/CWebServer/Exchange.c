#include "Exchange.h"

#include <string.h>
#include <strings.h>

#include "Request.h"

/* Limits of size and time (seconds) for the rest of a request's body. It is read and ignored after the response, so
 * that the client receives the response. */
#define IGNORED_BYTES (64 * 1024)
#define IGNORED_SECONDS 2

int exchange_answer(cweb_server *server, connection *of) {
    request_text text;
    cweb_request request = {.user = of->user};
    if (of->phase != REQUESTING || !request_read(server->library, of->wsi, &text, &request)) return -1;
    of->phase = ANSWERING;
    of->has_body = request_announces_body(server->library, of->wsi);
    server->settings.handlers.request(server->settings.handlers.context, &request, &of->reply);
    if (of->reply.bytes == NULL) return -1;
    server->library->lws_set_timeout(of->wsi, PENDING_TIMEOUT_HTTP_CONTENT, server->settings.response_seconds);
    server->library->lws_callback_on_writable(of->wsi);
    return 0;
}

int exchange_send(cweb_server *server, connection *of) {
    if (of->phase != ANSWERING) return 0;
    const size_t left = of->reply.length - of->sent;
    const size_t portion = left < PORTION ? left : PORTION;
    const int written =
        server->library->lws_write(of->wsi, of->reply.bytes + LWS_PRE + of->sent, portion, LWS_WRITE_HTTP);
    if (written < (int)portion) return -1;
    of->sent += portion;
    if (of->sent < of->reply.length) {
        server->library->lws_callback_on_writable(of->wsi);
        return 0;
    }
    if (!of->has_body) return -1;
    of->phase = DRAINING;
    server->library->lws_set_timeout(of->wsi, PENDING_TIMEOUT_HTTP_CONTENT, IGNORED_SECONDS);
    return 0;
}

int exchange_ignore_body(cweb_server *server, connection *of, size_t length, bool complete) {
    of->ignored += length;
    if (of->ignored > IGNORED_BYTES) return -1;
    if (!complete) return 0;
    of->has_body = false;
    if (of->phase != ANSWERING) return -1;
    server->library->lws_set_timeout(of->wsi, PENDING_TIMEOUT_HTTP_CONTENT, server->settings.response_seconds);
    return 0;
}

/* Does not use the protocol name that libwebsockets passes. If libwebsockets itself has refused the request, it may
 * have freed the name and the headers, which are then empty (CVE-2025-11677). */
int exchange_upgrade(cweb_server *server, connection *of) {
    request_text text;
    cweb_request request = {.user = of->user, .upgrade = true};
    if (of->phase != REQUESTING || !request_read(server->library, of->wsi, &text, &request)) return -1;
    /* A request may also ask for an upgrade to HTTP/2. */
    if (strcasecmp(text.upgrade, "websocket") != 0) return -1;
    of->phase = ANSWERING;
    of->route = server->settings.handlers.request(server->settings.handlers.context, &request, &of->reply);
    if (of->reply.bytes == NULL && of->route >= 0) {
        of->phase = SOCKET;
        return 0;
    }
    /* A refusal is short: it fits into the empty buffer of the socket. */
    if (of->reply.bytes != NULL)
        (void)!server->library->lws_write(of->wsi, of->reply.bytes + LWS_PRE, of->reply.length, LWS_WRITE_HTTP);
    return -1;
}
