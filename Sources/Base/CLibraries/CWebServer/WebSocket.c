#include "WebSocket.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void websocket_open(cweb_server *server, connection *of) {
    const char *name = server->library->lws_get_protocol(of->wsi)->name;
    const int size = server->settings.send_buffer_bytes;
    setsockopt(server->library->lws_get_socket_fd(of->wsi), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    of->is_open = true;
    server->settings.handlers.opened(server->settings.handlers.context, of->identifier, of->user, of->route,
                                     strcmp(name, PLAIN) == 0 ? "" : name);
}

static int end(cweb_server *server, connection *of, enum lws_close_status status) {
    of->phase = ENDING;
    server->library->lws_close_reason(of->wsi, status, NULL, 0);
    return -1;
}

int websocket_receive(cweb_server *server, connection *of, const void *bytes, size_t length) {
    const websockets_library *library = server->library;
    if (of->phase != SOCKET || of->closing != 0) return 0;
    if (library->lws_is_first_fragment(of->wsi)) of->received_length = 0;
    if (!connection_collect(of, bytes, length, server->settings.message_bytes))
        return end(server, of, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    if (!library->lws_is_final_fragment(of->wsi) || library->lws_remaining_packet_payload(of->wsi) > 0) return 0;
    server->settings.handlers.received(server->settings.handlers.context, of->identifier,
                                       library->lws_frame_is_binary(of->wsi) != 0, of->received, of->received_length);
    of->received_length = 0;
    return 0;
}

int websocket_send(cweb_server *server, connection *of) {
    const websockets_library *library = server->library;
    if (of->phase != SOCKET) return 0;
    if (of->in_flight > 0) {
        server->settings.handlers.sent(server->settings.handlers.context, of->identifier, of->in_flight);
        of->in_flight = 0;
    }
    message *next = of->first;
    if (next == NULL) return of->closing != 0 ? end(server, of, of->closing) : 0;
    of->first = next->next;
    if (of->first == NULL) of->last = NULL;
    const size_t length = next->length;
    const int written = library->lws_write(of->wsi, next->bytes + LWS_PRE, length,
                                           next->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    free(next);
    if (written < (int)length) return -1;
    of->in_flight = length;
    library->lws_callback_on_writable(of->wsi);
    return 0;
}
