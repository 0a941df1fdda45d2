#define _GNU_SOURCE
#include "hub.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { bus_usb = 3, vendor = 0x1234, product = 0x5670 };

/* The hub that a sensor is on; -1: unplugged. A hub has the number of its first sensor. */
static int hub_of[sensor_count] = {-1, -1, -1};
static int files[sensor_count] = {-1, -1, -1};

static int send_event(int hub, const struct uhid_event *event)
{
	size_t size = sizeof *event;
	if (event->type == UHID_INPUT2)
		size = offsetof(struct uhid_event, u.input2.data) + event->u.input2.size;
	if (write(files[hub], event, size) >= 0)
		return 0;
	fprintf(stderr, "uhid event %u: %s\n", event->type, strerror(errno));
	return -1;
}

int hubs_plug(struct sensor *const *parts, int count)
{
	int hub = (int)(parts[0] - sensors);
	for (int i = 0; i < count; i++)
		if (hubs_is_plugged(parts[i]))
			return 0;
	int file = open("/dev/uhid", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (file < 0) {
		perror("/dev/uhid");
		return -1;
	}
	struct uhid_event event = {.type = UHID_CREATE2};
	struct uhid_create2_req *create = &event.u.create2;
	snprintf((char *)create->name, sizeof create->name, "Virtual sensor hub %d", hub);
	create->rd_size = (uint16_t)describe(create->rd_data, (const struct sensor *const *)parts, count);
	create->bus = bus_usb;
	create->vendor = vendor;
	create->product = product + hub;
	files[hub] = file;
	if (send_event(hub, &event) < 0) {
		close(file);
		files[hub] = -1;
		return -1;
	}
	for (int i = 0; i < count; i++) {
		hub_of[parts[i] - sensors] = hub;
		/* As after power-up. */
		parts[i]->power = parts[i]->reporting = 0;
	}
	return 0;
}

void hubs_unplug(const struct sensor *sensor)
{
	int hub = hub_of[sensor - sensors];
	if (hub < 0)
		return;
	struct uhid_event event = {.type = UHID_DESTROY};
	send_event(hub, &event);
	close(files[hub]);
	files[hub] = -1;
	for (int i = 0; i < sensor_count; i++)
		if (hub_of[i] == hub)
			hub_of[i] = -1;
}

int hubs_is_plugged(const struct sensor *sensor)
{
	return hub_of[sensor - sensors] >= 0;
}

void hubs_report(struct sensor *sensor)
{
	if (!hubs_is_plugged(sensor) || !sensor_is_on(sensor)) {
		sensor->unsent++;
		return;
	}
	struct uhid_event event = {.type = UHID_INPUT2};
	event.u.input2.size = (uint16_t)input_report(sensor, event.u.input2.data);
	if (send_event(hub_of[sensor - sensors], &event) == 0)
		sensor->sent++;
	else
		sensor->unsent++;
}

int hubs_polled(struct pollfd *descriptors)
{
	int count = 0;
	for (int hub = 0; hub < sensor_count; hub++)
		if (files[hub] >= 0)
			descriptors[count++] = (struct pollfd){.fd = files[hub], .events = POLLIN};
	return count;
}

/* The sensor of a report, if it is on this hub. */
static struct sensor *numbered(int hub, unsigned number)
{
	if (number < 1 || number > sensor_count || hub_of[number - 1] != hub)
		return NULL;
	return &sensors[number - 1];
}

static void answer_get(int hub, const struct uhid_get_report_req *request)
{
	struct uhid_event event = {.type = UHID_GET_REPORT_REPLY};
	struct uhid_get_report_reply_req *reply = &event.u.get_report_reply;
	const struct sensor *sensor = numbered(hub, request->rnum);
	reply->id = request->id;
	if (!sensor)
		reply->err = EIO;
	else if (request->rtype == UHID_FEATURE_REPORT)
		reply->size = (uint16_t)feature_report(sensor, reply->data);
	else
		reply->size = (uint16_t)input_report(sensor, reply->data);
	send_event(hub, &event);
}

static void answer_set(int hub, const struct uhid_set_report_req *request)
{
	struct uhid_event event = {.type = UHID_SET_REPORT_REPLY};
	struct sensor *sensor = numbered(hub, request->rnum);
	event.u.set_report_reply.id = request->id;
	if (!sensor || set_feature_report(sensor, request->data, request->size) < 0)
		event.u.set_report_reply.err = EIO;
	send_event(hub, &event);
}

static void serve(int hub)
{
	struct uhid_event event;
	if (read(files[hub], &event, sizeof event) <= 0)
		return;
	if (event.type == UHID_GET_REPORT)
		answer_get(hub, &event.u.get_report);
	else if (event.type == UHID_SET_REPORT)
		answer_set(hub, &event.u.set_report);
}

void hubs_serve(const struct pollfd *descriptors, int count)
{
	for (int i = 0; i < count; i++)
		for (int hub = 0; hub < sensor_count; hub++)
			if (descriptors[i].revents && files[hub] == descriptors[i].fd)
				serve(hub);
}
