#include "CNotifications.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <systemd/sd-bus.h>

static const char name[] = "org.freedesktop.Notifications";
static const char path[] = "/org/freedesktop/Notifications";

/* Time limit of a call. A server that the call starts takes a second. Unit: microseconds. */
#define PATIENCE (10 * 1000000ull)

struct cnotifications {
    sd_bus *bus;
    /* Unique name of the server that has answered. Names on the bus have at most 255 bytes. */
    char owner[256];
};

int cnotifications_open(cnotifications **made) {
    cnotifications *server = calloc(1, sizeof *server);
    if (server == NULL) return -ENOMEM;
    int result = sd_bus_open_user(&server->bus);
    if (result >= 0) result = sd_bus_set_method_call_timeout(server->bus, PATIENCE);
    if (result < 0) {
        cnotifications_close(server);
        return result;
    }
    *made = server;
    return 0;
}

void cnotifications_close(cnotifications *server) {
    sd_bus_close_unref(server->bus);
    free(server);
}

static int failed(int result, sd_bus_error *problem, char *error) {
    snprintf(error, CNOTIFICATIONS_ERROR, "%s", problem->message != NULL ? problem->message : "");
    sd_bus_error_free(problem);
    return result;
}

static int find_markup(sd_bus_message *reply) {
    const char *capability;
    int found = 0;
    int result = sd_bus_message_enter_container(reply, 'a', "s");
    while (result >= 0 && (result = sd_bus_message_read(reply, "s", &capability)) > 0)
        found = found || strcmp(capability, "body-markup") == 0;
    return result < 0 ? result : found;
}

int cnotifications_has_markup(cnotifications *server, char *error) {
    /* Discards signals of the server, which would otherwise fill the connection's queue. */
    while (sd_bus_process(server->bus, NULL) > 0) {}
    sd_bus_error problem = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    int result = sd_bus_call_method(server->bus, name, path, name, "GetCapabilities", &problem, &reply, NULL);
    if (result >= 0) {
        const char *sender = sd_bus_message_get_sender(reply);
        snprintf(server->owner, sizeof server->owner, "%s", sender != NULL ? sender : "");
        result = find_markup(reply);
    }
    sd_bus_message_unref(reply);
    return result < 0 ? failed(result, &problem, error) : result;
}

const char *cnotifications_owner(const cnotifications *server) { return server->owner; }

int cnotifications_show(cnotifications *server, const cnotification *notification, uint32_t *id, char *error) {
    sd_bus_error problem = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    /* Arguments: program, id, icon, texts, no actions, hints, and the server's default time until the notification
       disappears. */
    int result = sd_bus_call_method(
        server->bus, name, path, name, "Notify", &problem, &reply, "susssasa{sv}i", "Waymark",
        notification->replaces, "mark-location", notification->summary, notification->body, 0, 1, "urgency", "y",
        notification->urgency, -1);
    if (result >= 0) result = sd_bus_message_read(reply, "u", id);
    sd_bus_message_unref(reply);
    return result < 0 ? failed(result, &problem, error) : 0;
}
