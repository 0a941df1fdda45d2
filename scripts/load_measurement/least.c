/* The least that a daemon must do, for scripts/daemon-load: reads two devices by libiio, and writes to readers.
 *
 *     least RATE BYTES BATCH DEVICE HZ DEVICE HZ SOCKET...
 *
 * Waits for batches of BATCH seconds of both devices, and writes BYTES to each of the sockets, which it inherits, at
 * RATE Hz, when a batch of the first device has come. Runs until it is ended.
 */
#include <iio.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { DEVICES = 2, MOST_BYTES = 65536 };

struct source {
    struct iio_buffer *buffer;
    double rate;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct source open_source(struct iio_context *context, const char *name, double rate, double seconds) {
    struct iio_device *device = iio_context_find_device(context, name);
    if (!device) fail(name);
    for (unsigned int index = 0; index < iio_device_get_channels_count(device); index++) {
        struct iio_channel *channel = iio_device_get_channel(device, index);
        iio_channel_attr_write_double(channel, "sampling_frequency", rate);
        if (iio_channel_is_scan_element(channel)) iio_channel_enable(channel);
    }
    double count = rate * seconds;
    struct source source = {iio_device_create_buffer(device, count > 1 ? (size_t)count : 1, false), rate};
    // Otherwise libiio waits again for what poll has announced.
    if (!source.buffer || iio_buffer_set_blocking_mode(source.buffer, false)) fail("buffer");
    return source;
}

int main(int count, char **arguments) {
    static char message[MOST_BYTES];
    if (count < 8) return 2;
    const double rate = atof(arguments[1]), seconds = atof(arguments[3]);
    const size_t bytes = (size_t)atol(arguments[2]);
    struct iio_context *context = iio_create_context_from_uri("local:");
    if (!context || bytes > sizeof message) fail("context");
    struct source sources[DEVICES];
    struct pollfd ready[DEVICES];
    for (int index = 0; index < DEVICES; index++) {
        sources[index] = open_source(context, arguments[4 + 2 * index], atof(arguments[5 + 2 * index]), seconds);
        ready[index] = (struct pollfd){.fd = iio_buffer_get_poll_fd(sources[index].buffer), .events = POLLIN};
    }
    double due = 0;
    while (poll(ready, DEVICES, -1) > 0) {
        for (int index = 0; index < DEVICES; index++) {
            if (!ready[index].revents) continue;
            struct iio_buffer *buffer = sources[index].buffer;
            ssize_t size = iio_buffer_refill(buffer);
            if (size < 0 || index > 0) continue;
            due += rate * (double)(size / iio_buffer_step(buffer)) / sources[index].rate;
            if (due < 1) continue;
            due -= 1;
            memcpy(message, iio_buffer_start(buffer), (size_t)size < bytes ? (size_t)size : bytes);
            for (int reader = 4 + 2 * DEVICES; reader < count; reader++)
                send(atoi(arguments[reader]), message, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }
    return 1;
}
