/* Diverts what libraries print to stdio's stderr, separately for each thread. */
#define _GNU_SOURCE
#include "CLinux.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static waymark_line_handler *handler;
static __thread int diverted;

/* Write function of a cookie stream. Since the stream is line-buffered, it is called with whole lines, by the thread
   that ended them. Swift's runtime reports the reason for the end of a program in a line with "Fatal error", which must
   never be lost. */
static ssize_t take(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	if (diverted && !memmem(text, size, "Fatal error", 11)) {
		handler(text, size);
		return size;
	}
	size_t done = 0;
	while (done < size) {
		ssize_t count = write(STDERR_FILENO, text + done, size - done);
		if (count <= 0)
			break;
		done += count;
	}
	/* A failed write is ignored: a stream in its error state would serve no purpose. */
	return size;
}

static void install(void)
{
	FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = take });
	if (!stream)
		return;
	setvbuf(stream, NULL, _IOLBF, 0);
	/* stderr is a variable in glibc: it now names another stream, while descriptor 2 is unchanged. */
	stderr = stream;
}

void waymark_divert_stderr_of_thread(waymark_line_handler *lines)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	__atomic_store_n(&handler, lines, __ATOMIC_RELEASE);
	pthread_once(&once, install);
	diverted = 1;
}
