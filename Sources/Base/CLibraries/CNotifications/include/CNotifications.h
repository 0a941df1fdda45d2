#pragma once
/* Notifications of the desktop (org.freedesktop.Notifications) on libsystemd's sd-bus, whose calls have variable
 * arguments that Swift cannot pass. */
#include <stdint.h>

typedef struct cnotifications cnotifications;

/* What is shown; all texts are UTF-8 without control characters. */
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

/* Whether the server reads the body as markup: 1 or 0, or a negative errno with a text. */
int cnotifications_has_markup(cnotifications *server, char *error);

/* Unique name on the bus of the server that answered cnotifications_has_markup last; empty before. */
const char *cnotifications_owner(const cnotifications *server);

/* Shows a notification. Returns 0 and its id, or a negative errno with a text, which may be empty. */
int cnotifications_show(cnotifications *server, const cnotification *notification, uint32_t *id, char *error);

void cnotifications_close(cnotifications *server);
