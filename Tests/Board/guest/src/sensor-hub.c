/*
 * sensor-hub: virtual HID sensors that the kernel's own IIO drivers bind to, under the host's command. Each line from
 * the host is answered by one that begins with "ok" or "error".
 *
 *   plug LETTERS        plugs these sensors (of a, g, m) in as one hub
 *   unplug LETTERS      takes out their hubs
 *   interval LETTERS N  report interval that the sensors have from now on. Unit: ms
 *   stamps LETTERS 0|1  whether reports carry the rows' times as stamps (else 0: the kernel stamps on arrival)
 *   field LETTERS 0|1   whether reports have a time field at all; from the next plug on
 *   play PATH N         plays rows; again every N ns, once with 0
 *   stop                stops playing
 *   status              key=value words: runs, base, rounds, and of each sensor plugged, on, interval, sent, unsent
 */
#define _GNU_SOURCE
#include "hub.h"
#include "playback.h"
#include "port.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int port;

__attribute__((format(printf, 1, 2))) static void answer(const char *format, ...)
{
	char line[1024];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);
	line[length] = '\n';
	port_write(port, line, length + 1);
}

/* The sensors of these letters; 0 when one of them is none. */
static int chosen(const char *letters, struct sensor **parts)
{
	int count = 0;
	for (; *letters && count < sensor_count; letters++) {
		parts[count] = sensor_of(*letters);
		if (!parts[count++])
			return 0;
	}
	return *letters ? 0 : count;
}

static void tell_status(void)
{
	char text[900];
	int length = snprintf(text, sizeof text, "runs=%d base=%lld rounds=%lu", playback.runs,
		(long long)playback.base, playback.rounds);
	for (int i = 0; i < sensor_count; i++) {
		const struct sensor *s = &sensors[i];
		length += snprintf(text + length, sizeof text - length,
			" %c.plugged=%d %c.on=%d %c.interval=%u %c.sent=%lu %c.unsent=%lu", s->letter,
			hubs_is_plugged(s), s->letter, sensor_is_on(s), s->letter, s->interval, s->letter, s->sent,
			s->letter, s->unsent);
	}
	answer("ok %s", text);
}

/* A command that changes sensors; returns what is wrong, or NULL. */
static const char *change(const char *verb, struct sensor **parts, int count, long value)
{
	if (strcmp(verb, "plug") == 0)
		return hubs_plug(parts, count) < 0 ? "plugging in failed; see standard error" : NULL;
	for (int i = 0; i < count; i++) {
		if (strcmp(verb, "unplug") == 0)
			hubs_unplug(parts[i]);
		else if (strcmp(verb, "interval") == 0)
			parts[i]->interval = (uint32_t)value;
		else if (strcmp(verb, "stamps") == 0)
			parts[i]->stamps = value != 0;
		else if (strcmp(verb, "field") == 0)
			parts[i]->has_time_field = value != 0;
		else
			return "there is no such command";
	}
	return NULL;
}

static void obey(const char *line)
{
	char verb[16] = "", word[256] = "";
	long long value = 0;
	struct sensor *parts[sensor_count];
	sscanf(line, "%15s %255s %lld", verb, word, &value);
	if (strcmp(verb, "status") == 0) {
		tell_status();
		return;
	}
	const char *problem = NULL;
	int count = chosen(word, parts);
	if (strcmp(verb, "stop") == 0)
		playback_stop();
	else if (strcmp(verb, "play") == 0)
		problem = playback_load(word, value) < 0 ? "the rows cannot be read" : NULL;
	else
		problem = count ? change(verb, parts, count, (long)value) : "sensors are named by letters of agm";
	if (problem)
		answer("error %s: %s", line, problem);
	else
		answer("ok");
}

/* Waits for the kernel, the host or the next row. */
static void turn(void)
{
	int64_t wait = playback_advance();
	struct timespec limit = {wait / 1000000000, wait % 1000000000};
	struct pollfd waited[1 + sensor_count] = {{.fd = port, .events = POLLIN}};
	int count = 1 + hubs_polled(waited + 1);
	if (ppoll(waited, count, wait < 0 ? NULL : &limit, NULL) <= 0)
		return;
	hubs_serve(waited + 1, count - 1);
	if (waited[0].revents & POLLIN) {
		char line[512];
		port_line(port, line, sizeof line);
		obey(line);
	}
}

int main(void)
{
	for (int i = 0; i < sensor_count; i++) {
		sensors[i].interval = 10;
		sensors[i].has_time_field = sensors[i].stamps = 1;
	}
	port = port_open("sensors");
	for (;;)
		turn();
}
