/* Wraps libsystemd's sd-daemon: readiness and watchdog notifications, and socket activation; and sd-id128: identifiers
 * derived from the machine-id. Swift calls them directly; there is nothing to adapt. */
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
