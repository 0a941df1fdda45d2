/* The three virtual sensors as the kernel sees them: what they measure, and their settings behind HID reports. */
#ifndef SENSOR_H
#define SENSOR_H

#include <stddef.h>
#include <stdint.h>

enum { sensor_count = 3, largest_descriptor = 2048 };

struct sensor {
	/* For commands: a, g or m. */
	char letter;
	/* Usages of the HID sensor page: the collection, and the data field of the x axis; y and z follow. */
	uint8_t collection;
	uint16_t axis;
	/* HID unit that the kernel's driver knows the scale of: m/s^2, rad/s, gauss. */
	uint32_t unit;
	/* A count is 10^exponent of the unit. */
	int exponent;

	/* What commands choose. */
	int has_time_field;
	int stamps;

	/* What the kernel sets by feature reports. */
	uint32_t interval;
	uint8_t reporting, power;
	uint16_t sensitivity;

	/* The newest measurement, in counts, and its stamp in ns; 0 is no stamp. */
	int32_t counts[3];
	uint64_t time;

	/* Reports that the kernel took, and rows that met a sensor unplugged or switched off. */
	unsigned long sent, unsent;
};

extern struct sensor sensors[sensor_count];

/* NULL for a letter that is none. */
struct sensor *sensor_of(char letter);

/* Whether the kernel has it measure and report. */
int sensor_is_on(const struct sensor *sensor);

/* The HID report descriptor of a hub with these sensors; returns its size. */
size_t describe(uint8_t descriptor[largest_descriptor], const struct sensor *const *parts, int count);

/* Reports by number (1 is the first sensor); each returns its size. */
size_t input_report(const struct sensor *sensor, uint8_t *report);
size_t feature_report(const struct sensor *sensor, uint8_t *report);
/* What the kernel sets; -1 for a report that is too short. */
int set_feature_report(struct sensor *sensor, const uint8_t *report, size_t size);

uint8_t report_number(const struct sensor *sensor);

#endif
