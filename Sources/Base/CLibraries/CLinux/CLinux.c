#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/timex.h>

void waymark_name_thread(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
}

int waymark_open_lock(const char *path)
{
	int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return descriptor >= 0 ? descriptor : -errno;
}

int waymark_lock(int descriptor)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (fcntl(descriptor, F_SETLK, &lock) == 0)
		return 0;
	if (errno != EACCES && errno != EAGAIN)
		return -errno;
	if (fcntl(descriptor, F_GETLK, &lock) != 0)
		return -errno;
	/* The lock was released meanwhile, or the process that holds it has no number here, for example because it is
	   in another container. */
	return lock.l_type != F_UNLCK && lock.l_pid > 0 ? lock.l_pid : -EAGAIN;
}

void waymark_forbid_tracing(void)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int waymark_memory_file(const char *name)
{
	int descriptor = memfd_create(name, MFD_CLOEXEC);
	return descriptor >= 0 ? descriptor : -errno;
}

int waymark_nameless_file(const char *folder)
{
	int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return descriptor >= 0 ? descriptor : -errno;
}

int waymark_clock_is_synchronised(void)
{
	struct timex clock = {.modes = 0};
	int state = adjtimex(&clock);
	return state < 0 ? -errno : state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}
