#pragma once
/* Opens libsystemd by dlopen at the first call: sd-daemon, for readiness and watchdog notifications and socket
 * activation; sd-id128, for identifiers derived from the machine-id; and sd-bus. Callers use the functions of its
 * headers; there is nothing to adapt. */
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
