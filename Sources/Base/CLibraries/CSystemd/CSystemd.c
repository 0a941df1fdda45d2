#include "CSystemd.h"

#include <stdarg.h>
#include <stdlib.h>

#include "CLoadedLibrary.h"

/* The functions that are used: name, type, parameters, arguments. */
#define PLAIN_FUNCTIONS(use) \
    use(sd_bus_add_filter, int, (sd_bus *bus, sd_bus_slot **slot, sd_bus_message_handler_t callback, void *context), \
        (bus, slot, callback, context)) \
    use(sd_bus_add_match_async, int, (sd_bus *bus, sd_bus_slot **slot, const char *match, \
        sd_bus_message_handler_t callback, sd_bus_message_handler_t install_callback, void *context), (bus, slot, \
        match, callback, install_callback, context)) \
    use(sd_bus_add_object_vtable, int, (sd_bus *bus, sd_bus_slot **slot, const char *path, const char *interface, \
        const sd_bus_vtable *vtable, void *context), (bus, slot, path, interface, vtable, context)) \
    use(sd_bus_call_methodv, int, (sd_bus *bus, const char *destination, const char *path, const char *interface, \
        const char *member, sd_bus_error *error, sd_bus_message **reply, const char *types, \
        va_list rest), (bus, destination, path, interface, member, error, reply, types, rest)) \
    use(sd_bus_close_unref, sd_bus *, (sd_bus *bus), (bus)) \
    use(sd_bus_error_free, void, (sd_bus_error *error), (error)) \
    use(sd_bus_error_set, int, (sd_bus_error *error, const char *name, const char *message), (error, name, message)) \
    use(sd_bus_get_events, int, (sd_bus *bus), (bus)) \
    use(sd_bus_get_fd, int, (sd_bus *bus), (bus)) \
    use(sd_bus_get_n_queued_write, int, (sd_bus *bus, uint64_t *result), (bus, result)) \
    use(sd_bus_get_timeout, int, (sd_bus *bus, uint64_t *microseconds), (bus, microseconds)) \
    use(sd_bus_message_append_basic, int, (sd_bus_message *message, char type, const void *value), \
        (message, type, value)) \
    use(sd_bus_message_appendv, int, (sd_bus_message *message, const char *types, va_list rest), \
        (message, types, rest)) \
    use(sd_bus_message_close_container, int, (sd_bus_message *message), (message)) \
    use(sd_bus_message_enter_container, int, (sd_bus_message *message, char type, const char *contents), \
        (message, type, contents)) \
    use(sd_bus_message_get_error, const sd_bus_error *, (sd_bus_message *message), (message)) \
    use(sd_bus_message_get_member, const char *, (sd_bus_message *message), (message)) \
    use(sd_bus_message_get_sender, const char *, (sd_bus_message *message), (message)) \
    use(sd_bus_message_is_method_call, int, (sd_bus_message *message, const char *interface, const char *member), \
        (message, interface, member)) \
    use(sd_bus_message_is_signal, int, (sd_bus_message *message, const char *interface, const char *member), \
        (message, interface, member)) \
    use(sd_bus_message_new_method_call, int, (sd_bus *bus, sd_bus_message **message, const char *destination, \
        const char *path, const char *interface, const char *member), (bus, message, destination, path, interface, \
        member)) \
    use(sd_bus_message_new_method_error, int, (sd_bus_message *call, sd_bus_message **message, \
        const sd_bus_error *error), (call, message, error)) \
    use(sd_bus_message_new_method_return, int, (sd_bus_message *call, sd_bus_message **message), (call, message)) \
    use(sd_bus_message_new_signal, int, (sd_bus *bus, sd_bus_message **message, const char *path, \
        const char *interface, const char *member), (bus, message, path, interface, member)) \
    use(sd_bus_message_open_container, int, (sd_bus_message *message, char type, const char *contents), \
        (message, type, contents)) \
    use(sd_bus_message_read_basic, int, (sd_bus_message *message, char type, void *value), (message, type, value)) \
    use(sd_bus_message_readv, int, (sd_bus_message *message, const char *types, va_list rest), \
        (message, types, rest)) \
    use(sd_bus_message_ref, sd_bus_message *, (sd_bus_message *message), (message)) \
    use(sd_bus_message_set_destination, int, (sd_bus_message *message, const char *destination), \
        (message, destination)) \
    use(sd_bus_message_set_sender, int, (sd_bus_message *message, const char *sender), (message, sender)) \
    use(sd_bus_message_unref, sd_bus_message *, (sd_bus_message *message), (message)) \
    use(sd_bus_negotiate_fds, int, (sd_bus *bus, int on), (bus, on)) \
    use(sd_bus_new, int, (sd_bus **result), (result)) \
    use(sd_bus_open_user, int, (sd_bus **result), (result)) \
    use(sd_bus_process, int, (sd_bus *bus, sd_bus_message **message), (bus, message)) \
    use(sd_bus_reply_method_returnv, int, (sd_bus_message *call, const char *types, va_list rest), \
        (call, types, rest)) \
    use(sd_bus_request_name_async, int, (sd_bus *bus, sd_bus_slot **slot, const char *name, uint64_t flags, \
        sd_bus_message_handler_t callback, void *context), (bus, slot, name, flags, callback, context)) \
    use(sd_bus_send, int, (sd_bus *bus, sd_bus_message *message, uint64_t *cookie), (bus, message, cookie)) \
    use(sd_bus_set_address, int, (sd_bus *bus, const char *address), (bus, address)) \
    use(sd_bus_set_bus_client, int, (sd_bus *bus, int on), (bus, on)) \
    use(sd_bus_set_description, int, (sd_bus *bus, const char *description), (bus, description)) \
    use(sd_bus_set_fd, int, (sd_bus *bus, int input_fd, int output_fd), (bus, input_fd, output_fd)) \
    use(sd_bus_set_method_call_timeout, int, (sd_bus *bus, uint64_t microseconds), (bus, microseconds)) \
    use(sd_bus_set_server, int, (sd_bus *bus, int on, sd_id128_t bus_id), (bus, on, bus_id)) \
    use(sd_bus_start, int, (sd_bus *bus), (bus)) \
    use(sd_bus_unref, sd_bus *, (sd_bus *bus), (bus)) \
    use(sd_id128_get_machine_app_specific, int, (sd_id128_t application, sd_id128_t *result), (application, result)) \
    use(sd_is_socket_unix, int, (int descriptor, int type, int listening, const char *path, size_t length), \
        (descriptor, type, listening, path, length))

/* Functions that do nothing unless the service manager has set an environment variable, which comes last: without it the
 * library is not opened for them. */
#define SERVICE_FUNCTIONS(use) \
    use(sd_listen_fds, int, (int unset_environment), (unset_environment), "LISTEN_FDS") \
    use(sd_notify, int, (int unset_environment, const char *state), (unset_environment, state), "NOTIFY_SOCKET") \
    use(sd_watchdog_enabled, int, (int unset_environment, uint64_t *microseconds), (unset_environment, microseconds), \
        "WATCHDOG_USEC")

#define SYSTEMD_FUNCTIONS(use) PLAIN_FUNCTIONS(use) SERVICE_FUNCTIONS(use)

static struct { SYSTEMD_FUNCTIONS(LOADED_MEMBER) } functions;
static loaded_library library = LOADED_LIBRARY("libsystemd.so.0", functions, SYSTEMD_FUNCTIONS, NULL);

PLAIN_FUNCTIONS(LOADED_FORWARD)

#define FORWARD_IF_SET(name, type, parameters, arguments, variable) \
    type name parameters { \
        if (getenv(variable) == NULL) return 0; \
        return ((__typeof__(&name))loaded_library_function(&library, (void *const *)&functions.name)) arguments; \
    }
SERVICE_FUNCTIONS(FORWARD_IF_SET)

/* Tables of methods refer to this variable of libsystemd, which does not read it. */
const unsigned sd_bus_object_vtable_format = 242;

/* Functions with a variable number of arguments. */

int sd_bus_message_append(sd_bus_message *message, const char *types, ...) {
    va_list rest;
    va_start(rest, types);
    const int result = sd_bus_message_appendv(message, types, rest);
    va_end(rest);
    return result;
}

int sd_bus_message_read(sd_bus_message *message, const char *types, ...) {
    va_list rest;
    va_start(rest, types);
    const int result = sd_bus_message_readv(message, types, rest);
    va_end(rest);
    return result;
}

int sd_bus_reply_method_return(sd_bus_message *call, const char *types, ...) {
    va_list rest;
    va_start(rest, types);
    const int result = sd_bus_reply_method_returnv(call, types, rest);
    va_end(rest);
    return result;
}

int sd_bus_call_method(
    sd_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
    sd_bus_error *error, sd_bus_message **reply, const char *types, ...) {
    va_list rest;
    va_start(rest, types);
    const int result = sd_bus_call_methodv(bus, destination, path, interface, member, error, reply, types, rest);
    va_end(rest);
    return result;
}
