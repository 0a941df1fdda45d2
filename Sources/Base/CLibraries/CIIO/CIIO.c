#include "CIIO.h"

#include <sys/types.h>

#include "CLoadedLibrary.h"

/* The functions that are used: name, type, parameters, arguments. */
#define IIO_FUNCTIONS(use) \
    use(iio_buffer_cancel, void, (struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_destroy, void, (struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_end, void *, (const struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_first, void *, (const struct iio_buffer *buffer, const struct iio_channel *channel), \
        (buffer, channel)) \
    use(iio_buffer_get_poll_fd, int, (struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_refill, ssize_t, (struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_start, void *, (const struct iio_buffer *buffer), (buffer)) \
    use(iio_buffer_step, ptrdiff_t, (const struct iio_buffer *buffer), (buffer)) \
    use(iio_channel_attr_read, ssize_t, (const struct iio_channel *channel, const char *attribute, char *text, size_t size), \
        (channel, attribute, text, size)) \
    use(iio_channel_attr_write, ssize_t, (const struct iio_channel *channel, const char *attribute, const char *text), \
        (channel, attribute, text)) \
    use(iio_channel_disable, void, (struct iio_channel *channel), (channel)) \
    use(iio_channel_enable, void, (struct iio_channel *channel), (channel)) \
    use(iio_channel_find_attr, const char *, (const struct iio_channel *channel, const char *name), (channel, name)) \
    use(iio_channel_get_data_format, const struct iio_data_format *, (const struct iio_channel *channel), (channel)) \
    use(iio_channel_get_id, const char *, (const struct iio_channel *channel), (channel)) \
    use(iio_channel_get_index, long, (const struct iio_channel *channel), (channel)) \
    use(iio_channel_is_output, bool, (const struct iio_channel *channel), (channel)) \
    use(iio_channel_is_scan_element, bool, (const struct iio_channel *channel), (channel)) \
    use(iio_context_destroy, void, (struct iio_context *context), (context)) \
    use(iio_context_get_attr_value, const char *, (const struct iio_context *context, const char *name), \
        (context, name)) \
    use(iio_context_get_device, struct iio_device *, (const struct iio_context *context, unsigned int index), \
        (context, index)) \
    use(iio_context_get_devices_count, unsigned int, (const struct iio_context *context), (context)) \
    use(iio_context_set_timeout, int, (struct iio_context *context, unsigned int milliseconds), \
        (context, milliseconds)) \
    use(iio_create_context_from_uri, struct iio_context *, (const char *uri), (uri)) \
    use(iio_device_attr_read, ssize_t, (const struct iio_device *device, const char *attribute, char *text, size_t size), \
        (device, attribute, text, size)) \
    use(iio_device_attr_write, ssize_t, (const struct iio_device *device, const char *attribute, const char *text), \
        (device, attribute, text)) \
    use(iio_device_create_buffer, struct iio_buffer *, (const struct iio_device *device, size_t count, bool cyclic), \
        (device, count, cyclic)) \
    use(iio_device_find_attr, const char *, (const struct iio_device *device, const char *name), (device, name)) \
    use(iio_device_find_channel, struct iio_channel *, (const struct iio_device *device, const char *name, bool output), \
        (device, name, output)) \
    use(iio_device_get_channel, struct iio_channel *, (const struct iio_device *device, unsigned int index), \
        (device, index)) \
    use(iio_device_get_channels_count, unsigned int, (const struct iio_device *device), (device)) \
    use(iio_device_get_id, const char *, (const struct iio_device *device), (device)) \
    use(iio_device_get_label, const char *, (const struct iio_device *device), (device)) \
    use(iio_device_get_name, const char *, (const struct iio_device *device), (device)) \
    use(iio_device_get_sample_size, ssize_t, (const struct iio_device *device), (device)) \
    use(iio_device_get_trigger, int, (const struct iio_device *device, const struct iio_device **trigger), \
        (device, trigger)) \
    use(iio_device_is_trigger, bool, (const struct iio_device *device), (device)) \
    use(iio_device_set_kernel_buffers_count, int, (const struct iio_device *device, unsigned int count), \
        (device, count)) \
    use(iio_device_set_trigger, int, (const struct iio_device *device, const struct iio_device *trigger), \
        (device, trigger))

static struct { IIO_FUNCTIONS(LOADED_MEMBER) } functions;
static loaded_library library = LOADED_LIBRARY("libiio.so.0", functions, IIO_FUNCTIONS, NULL);

bool ciio_open(char *problem, size_t size) { return loaded_library_open(&library, problem, size); }

IIO_FUNCTIONS(LOADED_FORWARD)
