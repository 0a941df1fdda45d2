#pragma once
/* Wraps libwebsockets, opened by dlopen when a server is made, so that the daemon does not load it. */
#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "CLoadedLibrary.h"

/* The functions of libwebsockets that are used, with their types from its headers. */
#define WEBSOCKETS_FUNCTIONS(use) \
    use(lws_adopt_descriptor_vhost_via_info) use(lws_callback_on_writable) use(lws_cancel_service) \
    use(lws_close_reason) use(lws_context_destroy) use(lws_context_user) use(lws_create_context) \
    use(lws_create_vhost) use(lws_frame_is_binary) use(lws_get_context) use(lws_get_opaque_user_data) \
    use(lws_get_protocol) use(lws_get_socket_fd) use(lws_hdr_copy) use(lws_hdr_copy_fragment) \
    use(lws_hdr_total_length) use(lws_http_get_uri_and_method) use(lws_is_final_fragment) use(lws_is_first_fragment) \
    use(lws_remaining_packet_payload) use(lws_service) use(lws_set_log_level) use(lws_set_timeout) use(lws_write)

typedef struct {
    WEBSOCKETS_FUNCTIONS(LOADED_MEMBER)
} websockets_library;

/* Opens the library at the first call. NULL on failure, with the reason in `problem`. */
const websockets_library *websockets_library_open(char *problem, size_t size);
