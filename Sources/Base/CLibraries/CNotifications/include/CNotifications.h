#pragma once
/* Desktop notifications (org.freedesktop.Notifications) through libsystemd's sd-bus, whose functions take variable
 * arguments that Swift cannot pass. */
#include <stdint.h>

typedef struct cnotifications cnotifications;

/* Content of a notification. All texts are UTF-8 without control characters. */
typedef struct {
    const char *summary;
    const char *body;
    /* Id of the notification that it replaces; 0 for none. */
    uint32_t replaces;
    /* 0 low, 1 normal, 2 critical. */
    uint8_t urgency;
} cnotification;

/* Size of the text of an error. */
#define CNOTIFICATIONS_ERROR 256

/* Connects to the session bus. Returns 0 or a negative errno. */
int cnotifications_open(cnotifications **made);

/* Whether the server interprets the body as markup: 1 or 0, or a negative errno with a text. */
int cnotifications_has_markup(cnotifications *server, char *error);

/* Unique bus name of the server that last answered cnotifications_has_markup; empty before the first answer. */
const char *cnotifications_owner(const cnotifications *server);

/* Shows a notification. Returns 0 and its id, or a negative errno with a text, which may be empty. */
int cnotifications_show(cnotifications *server, const cnotification *notification, uint32_t *id, char *error);

void cnotifications_close(cnotifications *server);
