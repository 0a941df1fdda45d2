#include "sensor.h"

#include <string.h>

/* Values of the "reporting state" and "power state" fields: their places in the lists of descriptor.c. */
enum { reporting_all_events = 2, power_full = 2 };

struct sensor sensors[sensor_count] = {
	{.letter = 'a', .collection = 0x73, .axis = 0x0453, .unit = 0x11E0, .exponent = -4},
	{.letter = 'g', .collection = 0x76, .axis = 0x0457, .unit = 0x12F0, .exponent = -5},
	{.letter = 'm', .collection = 0x83, .axis = 0x0485, .unit = 0x01E1F000, .exponent = -4},
};

struct sensor *sensor_of(char letter)
{
	for (int i = 0; i < sensor_count; i++)
		if (sensors[i].letter == letter)
			return &sensors[i];
	return NULL;
}

int sensor_is_on(const struct sensor *sensor)
{
	return sensor->power == power_full && sensor->reporting == reporting_all_events;
}

uint8_t report_number(const struct sensor *sensor)
{
	return (uint8_t)(sensor - sensors + 1);
}

static uint8_t *put(uint8_t *place, const void *value, size_t size)
{
	memcpy(place, value, size);
	return place + size;
}

size_t input_report(const struct sensor *sensor, uint8_t *report)
{
	uint8_t *end = report;
	uint64_t stamp = sensor->stamps ? sensor->time : 0;
	*end++ = report_number(sensor);
	if (sensor->has_time_field)
		end = put(end, &stamp, sizeof stamp);
	end = put(end, sensor->counts, sizeof sensor->counts);
	return end - report;
}

size_t feature_report(const struct sensor *sensor, uint8_t *report)
{
	uint8_t *end = report;
	*end++ = report_number(sensor);
	end = put(end, &sensor->interval, sizeof sensor->interval);
	*end++ = sensor->reporting;
	*end++ = sensor->power;
	end = put(end, &sensor->sensitivity, sizeof sensor->sensitivity);
	return end - report;
}

int set_feature_report(struct sensor *sensor, const uint8_t *report, size_t size)
{
	if (size < 9)
		return -1;
	memcpy(&sensor->interval, report + 1, 4);
	sensor->reporting = report[5];
	sensor->power = report[6];
	memcpy(&sensor->sensitivity, report + 7, 2);
	return 0;
}
