/* The HID report descriptor (HID 1.11, 6.2.2; usages: HID Sensor Usages, "Review request 39"). */
#include "sensor.h"

/* Short items, without the two bits of their size. */
enum item {
	input = 0x80, collection = 0xA0, feature = 0xB0, end_collection = 0xC0,
	usage_page = 0x04, logical_minimum = 0x14, logical_maximum = 0x24, unit_exponent = 0x54, unit = 0x64,
	report_size = 0x74, report_id = 0x84, report_count = 0x94,
	usage = 0x08,
};
enum { physical = 0, application = 1, logical = 2 };
enum { data_array = 0, data_variable = 2 };
enum { sensor_page = 0x20, sensor_hub = 0x01, milliseconds = 0x19 };
/* Usages of properties and of the data fields that every sensor has. */
enum {
	report_interval = 0x030E, sensitivity = 0x030F, reporting_state = 0x0316, power_state = 0x0319,
	time_stamp = 0x0529, reporting_no_events = 0x0840, power_undefined = 0x0850,
};

struct text {
	uint8_t *bytes;
	size_t size;
};

static void add(struct text *text, enum item item, uint32_t value, int size)
{
	text->bytes[text->size++] = (uint8_t)(item | (size == 4 ? 3 : size));
	for (int i = 0; i < size; i++)
		text->bytes[text->size++] = (uint8_t)(value >> 8 * i);
}

static void add_fields(struct text *text, int bits, int count)
{
	add(text, report_size, bits, 1);
	add(text, report_count, count, 1);
}

static void add_unit(struct text *text, uint32_t value, int exponent)
{
	add(text, unit, value, 4);
	add(text, unit_exponent, exponent & 0xF, 1);
}

static void add_range(struct text *text, uint32_t minimum, uint32_t maximum)
{
	add(text, logical_minimum, minimum, 4);
	add(text, logical_maximum, maximum, 4);
}

/* One byte that says which of the usages from `first` on holds. */
static void add_choice(struct text *text, uint16_t property, uint16_t first, int count)
{
	add(text, usage, property, 2);
	add(text, collection, logical, 1);
	add_range(text, 1, count);
	add_fields(text, 8, 1);
	for (int i = 0; i < count; i++)
		add(text, usage, first + i, 2);
	add(text, feature, data_array, 1);
	add(text, end_collection, 0, 0);
}

static void add_feature_report(struct text *text, const struct sensor *sensor)
{
	add_unit(text, milliseconds, 0);
	add(text, usage, report_interval, 2);
	add_range(text, 0, 0x7FFFFFFF);
	add_fields(text, 32, 1);
	add(text, feature, data_variable, 1);
	add_unit(text, 0, 0);
	add_choice(text, reporting_state, reporting_no_events, 6);
	add_choice(text, power_state, power_undefined, 6);
	add(text, usage, sensitivity, 2);
	add_range(text, 0, 0x7FFF);
	add(text, unit_exponent, sensor->exponent & 0xF, 1);
	add_fields(text, 16, 1);
	add(text, feature, data_variable, 1);
}

static void add_input_report(struct text *text, const struct sensor *sensor)
{
	if (sensor->has_time_field) {
		/* Milliseconds with exponent -6 are nanoseconds. */
		add_unit(text, milliseconds, -6);
		add(text, usage, time_stamp, 2);
		add_range(text, 0, 0x7FFFFFFF);
		add_fields(text, 64, 1);
		add(text, input, data_variable, 1);
	}
	add_unit(text, sensor->unit, sensor->exponent);
	add_range(text, 0x80000000u, 0x7FFFFFFF);
	add_fields(text, 32, 1);
	for (int axis = 0; axis < 3; axis++) {
		add(text, usage, sensor->axis + axis, 2);
		add(text, input, data_variable, 1);
	}
	add_unit(text, 0, 0);
}

size_t describe(uint8_t descriptor[largest_descriptor], const struct sensor *const *parts, int count)
{
	struct text text = {descriptor, 0};
	add(&text, usage_page, sensor_page, 1);
	add(&text, usage, sensor_hub, 1);
	add(&text, collection, application, 1);
	for (int i = 0; i < count; i++) {
		add(&text, report_id, report_number(parts[i]), 1);
		add(&text, usage, parts[i]->collection, 1);
		add(&text, collection, physical, 1);
		add_feature_report(&text, parts[i]);
		add_input_report(&text, parts[i]);
		add(&text, end_collection, 0, 0);
	}
	add(&text, end_collection, 0, 0);
	return text.size;
}
