#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/prctl.h>

void waymark_name_thread(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
}
