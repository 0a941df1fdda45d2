#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>

void waymark_name_thread(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
}

int waymark_memory_file(const char *name)
{
	int descriptor = memfd_create(name, MFD_CLOEXEC);
	return descriptor >= 0 ? descriptor : -errno;
}
