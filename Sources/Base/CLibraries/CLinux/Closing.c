/* A variant of close() that waits at most a millisecond for a peer. */
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Any signal to the thread ends a lingering close; the kernel then closes the connection in the background, as it does
   without SO_LINGER. The signal is repeated, since the first one may arrive before the wait begins. */
static const struct itimerspec impatient = {{0, 1000000}, {0, 1000000}};
static const struct itimerspec off;

static __thread timer_t timer;
static __thread int has_timer;

static void nothing(int signal) { (void)signal; }

int waymark_become_closer(void)
{
	struct sigaction action = {.sa_handler = nothing};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGURG);
	event.sigev_notify_thread_id = gettid();
	if (sigaction(SIGURG, &action, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		return -errno;
	has_timer = 1;
	return -pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void waymark_close_impatiently(int descriptor)
{
	if (has_timer)
		timer_settime(timer, 0, &impatient, NULL);
	close(descriptor);
	if (has_timer)
		timer_settime(timer, 0, &off, NULL);
}
