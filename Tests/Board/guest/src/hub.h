/* Sensor hubs behind /dev/uhid: one for all sensors, or one for each. */
#ifndef HUB_H
#define HUB_H

#include "sensor.h"

/* The number of descriptors to poll for `hubs_serve`; fills them in. */
struct pollfd;
int hubs_polled(struct pollfd *descriptors);

/* Answers the kernel on each descriptor that is ready. */
void hubs_serve(const struct pollfd *descriptors, int count);

/* Plugs these sensors in as one hub; those that are plugged already stay as they are. -1 on failure. */
int hubs_plug(struct sensor *const *parts, int count);

/* Takes out the hub that the sensor is on, with everything else on it. */
void hubs_unplug(const struct sensor *sensor);

int hubs_is_plugged(const struct sensor *sensor);

/* Hands the sensor's newest measurement to the kernel; counts it. */
void hubs_report(struct sensor *sensor);

#endif
