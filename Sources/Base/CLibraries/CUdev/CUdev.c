#include "CUdev.h"

#include "CLoadedLibrary.h"

/* The functions that are used: name, type, parameters, arguments. */
#define UDEV_FUNCTIONS(use) \
    use(udev_device_get_action, const char *, (struct udev_device *device), (device)) \
    use(udev_device_get_property_value, const char *, (struct udev_device *device, const char *key), (device, key)) \
    use(udev_device_get_sysname, const char *, (struct udev_device *device), (device)) \
    use(udev_device_new_from_subsystem_sysname, struct udev_device *, (struct udev *udev, const char *subsystem, \
        const char *sysname), (udev, subsystem, sysname)) \
    use(udev_device_unref, struct udev_device *, (struct udev_device *device), (device)) \
    use(udev_monitor_enable_receiving, int, (struct udev_monitor *monitor), (monitor)) \
    use(udev_monitor_filter_add_match_subsystem_devtype, int, (struct udev_monitor *monitor, const char *subsystem, \
        const char *devtype), (monitor, subsystem, devtype)) \
    use(udev_monitor_get_fd, int, (struct udev_monitor *monitor), (monitor)) \
    use(udev_monitor_new_from_netlink, struct udev_monitor *, (struct udev *udev, const char *name), (udev, name)) \
    use(udev_monitor_receive_device, struct udev_device *, (struct udev_monitor *monitor), (monitor)) \
    use(udev_monitor_unref, struct udev_monitor *, (struct udev_monitor *monitor), (monitor)) \
    use(udev_new, struct udev *, (void), ()) \
    use(udev_queue_get_queue_is_empty, int, (struct udev_queue *queue), (queue)) \
    use(udev_queue_new, struct udev_queue *, (struct udev *udev), (udev)) \
    use(udev_queue_unref, struct udev_queue *, (struct udev_queue *queue), (queue)) \
    use(udev_unref, struct udev *, (struct udev *udev), (udev))

static struct { UDEV_FUNCTIONS(LOADED_MEMBER) } functions;
static loaded_library library = LOADED_LIBRARY("libudev.so.1", functions, UDEV_FUNCTIONS, NULL);

UDEV_FUNCTIONS(LOADED_FORWARD)
