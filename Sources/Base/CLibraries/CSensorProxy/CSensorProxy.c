#include "CSensorProxy.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const char path[] = "/net/hadess/SensorProxy";
static const char compass_path[] = "/net/hadess/SensorProxy/Compass";
static const char interface[] = CSENSOR_PROXY_NAME;
static const char compass_interface[] = CSENSOR_PROXY_NAME ".Compass";

static int handle(sd_bus_message *message, void *data, sd_bus_error *error) {
    csensor_proxy *proxy = data;
    const char *member = sd_bus_message_get_member(message);
    const char *client = sd_bus_message_get_sender(message);
    /* On a bus, each message has the name of its sender; without a bus there is no name. */
    if (member == NULL || client == NULL) return -EINVAL;
    const int answer = proxy->call(proxy->context, message, member, client, error);
    return answer == 0 ? sd_bus_reply_method_return(message, NULL) : answer;
}

/* Every client may call: the policy of the bus decides which clients reach the service. */
#define METHOD(name) SD_BUS_METHOD(name, NULL, NULL, handle, SD_BUS_VTABLE_UNPRIVILEGED)
#define PROPERTY(name, type, member, flags) SD_BUS_PROPERTY(name, type, NULL, offsetof(csensor_proxy, member), flags)

static const sd_bus_vtable methods_and_properties[] = {
    SD_BUS_VTABLE_START(0),
    PROPERTY("HasAccelerometer", "b", has_accelerometer, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("AccelerometerOrientation", "s", orientation, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("AccelerometerTilt", "s", tilt, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("HasAmbientLight", "b", has_ambient_light, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("LightLevelUnit", "s", light_level_unit, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("LightLevel", "d", light_level, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("HasProximity", "b", has_proximity, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("ProximityNear", "b", proximity_near, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    METHOD("ClaimAccelerometer"),
    METHOD("ReleaseAccelerometer"),
    METHOD("ClaimLight"),
    METHOD("ReleaseLight"),
    METHOD("ClaimProximity"),
    METHOD("ReleaseProximity"),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable compass_methods_and_properties[] = {
    SD_BUS_VTABLE_START(0),
    PROPERTY("HasCompass", "b", has_compass, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    PROPERTY("CompassHeading", "d", compass_heading, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    METHOD("ClaimCompass"),
    METHOD("ReleaseCompass"),
    SD_BUS_VTABLE_END,
};

void csensor_proxy_init(csensor_proxy *proxy) {
    memset(proxy, 0, sizeof *proxy);
    proxy->orientation = "undefined";
    proxy->tilt = "undefined";
    proxy->light_level_unit = "lux";
    proxy->compass_heading = -1;
}

int csensor_proxy_add(sd_bus *bus, csensor_proxy *proxy) {
    const int result = sd_bus_add_object_vtable(bus, NULL, path, interface, methods_and_properties, proxy);
    if (result < 0) return result;
    return sd_bus_add_object_vtable(
        bus, NULL, compass_path, compass_interface, compass_methods_and_properties, proxy);
}

/* Appends the changed properties, each a dictionary entry. */
static int append(sd_bus_message *message, const csensor_proxy *proxy, unsigned properties) {
    int result = 0;
    if (properties & CSENSOR_PROXY_HAS_ACCELEROMETER)
        result = sd_bus_message_append(message, "{sv}", "HasAccelerometer", "b", proxy->has_accelerometer);
    if (result >= 0 && properties & CSENSOR_PROXY_ORIENTATION)
        result = sd_bus_message_append(message, "{sv}", "AccelerometerOrientation", "s", proxy->orientation);
    if (result >= 0 && properties & CSENSOR_PROXY_TILT)
        result = sd_bus_message_append(message, "{sv}", "AccelerometerTilt", "s", proxy->tilt);
    if (result >= 0 && properties & CSENSOR_PROXY_HAS_COMPASS)
        result = sd_bus_message_append(message, "{sv}", "HasCompass", "b", proxy->has_compass);
    if (result >= 0 && properties & CSENSOR_PROXY_HEADING)
        result = sd_bus_message_append(message, "{sv}", "CompassHeading", "d", proxy->compass_heading);
    return result;
}

static int fill(sd_bus_message *message, const csensor_proxy *proxy, const char *of, unsigned properties) {
    int result = sd_bus_message_append(message, "s", of);
    if (result >= 0) result = sd_bus_message_open_container(message, 'a', "{sv}");
    if (result >= 0) result = append(message, proxy, properties);
    if (result >= 0) result = sd_bus_message_close_container(message);
    /* The list of properties without values is empty. */
    return result < 0 ? result : sd_bus_message_append(message, "as", 0);
}

static int emit(
    sd_bus *bus, const csensor_proxy *proxy, const char *client, const char *at, const char *of,
    unsigned properties) {
    if (properties == 0) return 0;
    sd_bus_message *message = NULL;
    int result =
        sd_bus_message_new_signal(bus, &message, at, "org.freedesktop.DBus.Properties", "PropertiesChanged");
    if (result >= 0) result = fill(message, proxy, of, properties);
    if (result >= 0 && client != NULL) result = sd_bus_message_set_destination(message, client);
    if (result >= 0) result = sd_bus_send(bus, message, NULL);
    sd_bus_message_unref(message);
    return result;
}

int csensor_proxy_emit(sd_bus *bus, const csensor_proxy *proxy, const char *client, unsigned properties) {
    const unsigned of_compass = CSENSOR_PROXY_HAS_COMPASS | CSENSOR_PROXY_HEADING;
    const int result = emit(bus, proxy, client, path, interface, properties & ~of_compass);
    if (result < 0) return result;
    return emit(bus, proxy, client, compass_path, compass_interface, properties & of_compass);
}
