/* Wraps libsystemd's sd-daemon: readiness and watchdog notifications, and socket activation. Swift calls it directly;
 * there is nothing to adapt. */
#include <systemd/sd-daemon.h>
