#define _GNU_SOURCE
#include "playback.h"

#include "hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct row {
	int64_t time;
	struct sensor *sensor;
	int32_t counts[3];
};

struct playback playback;

static struct row *rows;
static size_t row_count, next_row;
static int64_t period;
/* What the schedule lags behind the stamps. */
static int64_t lag;
/* This part of the time between two rows may be left out to catch up: a guest that stood still must not flood the
 * kernel's short buffers. */
enum { catch_up_divisor = 2 };
/* Beyond this the motion restarts from now. Nanoseconds. */
static const int64_t longest_lag = 1000000000;

static int64_t boot_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void playback_stop(void)
{
	playback.runs = 0;
	free(rows);
	rows = NULL;
	row_count = next_row = 0;
}

static int add_row(const char *line)
{
	static size_t capacity;
	struct row row;
	char letter;
	long long time;
	if (!rows)
		capacity = 0;
	if (sscanf(line, "%lld %c %d %d %d", &time, &letter, &row.counts[0], &row.counts[1], &row.counts[2]) != 5)
		return -1;
	row.time = time;
	row.sensor = sensor_of(letter);
	if (!row.sensor)
		return -1;
	if (row_count == capacity) {
		capacity = capacity ? 2 * capacity : 1024;
		rows = realloc(rows, capacity * sizeof *rows);
		if (!rows)
			abort();
	}
	rows[row_count++] = row;
	return 0;
}

int playback_load(const char *path, int64_t again_after)
{
	char line[256];
	FILE *file = fopen(path, "re");
	playback_stop();
	if (!file)
		return -1;
	while (fgets(line, sizeof line, file))
		if (add_row(line) < 0) {
			fclose(file);
			playback_stop();
			return -1;
		}
	fclose(file);
	period = again_after;
	lag = 0;
	playback.base = boot_time();
	playback.rounds = 0;
	playback.runs = row_count > 0;
	return 0;
}

static void send_row(const struct row *row)
{
	struct sensor *sensor = row->sensor;
	for (int axis = 0; axis < 3; axis++)
		sensor->counts[axis] = row->counts[axis];
	sensor->time = (uint64_t)(playback.base + row->time);
	hubs_report(sensor);
}

/* Goes to the next row; the file ends, or begins again. */
static void step(void)
{
	if (++next_row < row_count)
		return;
	next_row = 0;
	playback.rounds++;
	playback.base += period > 0 ? period : 0;
	/* What plays for ever need not be whole: stamps do not stay behind for good where the guest is too slow. A lag that
	   can be caught up leaves the motion where it was, so that who began it knows where it is. */
	if (period > 0 && lag > longest_lag) {
		playback.base += lag;
		lag = 0;
	}
	playback.runs = period > 0;
}

int64_t playback_advance(void)
{
	if (!playback.runs)
		return -1;
	int64_t now = boot_time();
	int64_t due = playback.base + rows[next_row].time + lag;
	if (due > now)
		return due - now;
	int64_t late = now - due;
	int64_t before = playback.base + rows[next_row].time;
	send_row(&rows[next_row]);
	step();
	if (!playback.runs)
		return -1;
	/* Late: go on from now, a little faster than the rows say until the lag is gone. */
	int64_t distance = playback.base + rows[next_row].time - before;
	lag += late;
	lag -= lag < distance / catch_up_divisor ? lag : distance / catch_up_divisor;
	return 0;
}
