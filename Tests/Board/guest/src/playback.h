/* Rows of a file, sent at their own times. */
#ifndef PLAYBACK_H
#define PLAYBACK_H

#include <stdint.h>

struct playback {
	/* Whether rows are left to send. */
	int runs;
	/* Boot time of the row at 0 ns: what is added to the rows' times to make stamps. */
	int64_t base;
	unsigned long rounds;
};

extern struct playback playback;

/* Reads a file of rows "time_ns sensor x y z" in counts; -1 when it cannot be read. With a period, it starts over
 * each time this long after its start. The first row goes at once. */
int playback_load(const char *path, int64_t period);

void playback_stop(void);

/* Sends what is due; returns the nanoseconds until the next row, -1 when there is none. */
int64_t playback_advance(void);

#endif
