#pragma once
/* Wraps libmosquitto, opened by dlopen at the first connection, so that the daemon does not load it. */
#include <mosquitto.h>
#include <stdbool.h>
#include <stddef.h>

#include "CLoadedLibrary.h"

/* The functions of libmosquitto that are used, with the types of its header. */
#define MOSQUITTO_FUNCTIONS(use) \
    use(mosquitto_lib_init) use(mosquitto_new) use(mosquitto_destroy) use(mosquitto_int_option) \
    use(mosquitto_threaded_set) use(mosquitto_will_set) use(mosquitto_username_pw_set) use(mosquitto_tls_set) \
    use(mosquitto_connect) use(mosquitto_disconnect) use(mosquitto_loop) use(mosquitto_publish) \
    use(mosquitto_subscribe) use(mosquitto_socket) use(mosquitto_strerror) \
    use(mosquitto_connect_callback_set) use(mosquitto_publish_callback_set) use(mosquitto_message_callback_set) \
    use(mosquitto_subscribe_callback_set) use(mosquitto_log_callback_set)

typedef struct {
    MOSQUITTO_FUNCTIONS(LOADED_MEMBER)
} mosquitto_library;

/* Opens the library at the first call. NULL on failure, with the reason in `problem`. */
const mosquitto_library *mosquitto_library_open(char *problem, size_t size);
