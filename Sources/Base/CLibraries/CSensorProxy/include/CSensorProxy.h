#pragma once
/* The interfaces net.hadess.SensorProxy and net.hadess.SensorProxy.Compass on libsystemd's sd-bus. They are in C
 * because tables of methods and properties are made with macros, which Swift does not import. Swift calls the rest of
 * sd-bus directly, but only this header includes it. */
#include <systemd/sd-bus.h>

#define CSENSOR_PROXY_NAME "net.hadess.SensorProxy"

/* Changed properties, as bits. */
enum {
    CSENSOR_PROXY_HAS_ACCELEROMETER = 1,
    CSENSOR_PROXY_ORIENTATION = 2,
    CSENSOR_PROXY_TILT = 4,
    CSENSOR_PROXY_HAS_COMPASS = 8,
    CSENSOR_PROXY_HEADING = 16
};

/* Values of the properties, which sd-bus reads directly from this object. The object belongs to the caller, and must
 * not move while the bus uses it. Texts are static. */
typedef struct csensor_proxy {
    int has_accelerometer;
    const char *orientation;
    const char *tilt;
    int has_ambient_light;
    const char *light_level_unit;
    double light_level;
    int has_proximity;
    int proximity_near;
    int has_compass;
    /* Degrees, or -1. */
    double compass_heading;
    /* Called for each method call with the name of the method, such as ClaimCompass, and the unique name of the client.
     * Returns 0 to have the call answered, or 1 to answer it later, which requires a reference to the message. On
     * failure, sets the error and returns a negative errno. */
    int (*call)(void *context, sd_bus_message *message, const char *member, const char *client, sd_bus_error *error);
    void *context;
} csensor_proxy;

/* Sets the properties to those without sensors: orientation, tilt and heading are unknown. */
void csensor_proxy_init(csensor_proxy *proxy);

/* Adds both objects to a bus for its lifetime; returns a negative errno on failure. */
int csensor_proxy_add(sd_bus *bus, csensor_proxy *proxy);

/* Sends PropertiesChanged with the present values of the properties in a mask, to one client or, if NULL, to all. */
int csensor_proxy_emit(sd_bus *bus, const csensor_proxy *proxy, const char *client, unsigned properties);
