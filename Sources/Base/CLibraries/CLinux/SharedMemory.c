#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* New in Linux 6.3, and not yet in the headers of Debian 12. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static int sealable_file(const char *name)
{
	int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
	if (descriptor < 0 && errno == EINVAL)
		descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return descriptor;
}

int waymark_shared_memory(const char *name, size_t size, int others_write, void **memory)
{
	int descriptor = sealable_file(name), seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	void *mapping = MAP_FAILED;
	if (descriptor < 0)
		return -errno;
	/* F_SEAL_FUTURE_WRITE does not affect mappings that exist already, such as this one. */
	if (!others_write)
		seals |= F_SEAL_FUTURE_WRITE;
	/* The pages are allocated now. If one could not be allocated later, the access would cause a signal instead of
	   an error. */
	if (ftruncate(descriptor, (off_t)size) == 0 && (errno = posix_fallocate(descriptor, 0, (off_t)size)) == 0)
		mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (mapping == MAP_FAILED || fcntl(descriptor, F_ADD_SEALS, seals) != 0) {
		int error = errno;
		if (mapping != MAP_FAILED)
			munmap(mapping, size);
		close(descriptor);
		return -error;
	}
	*memory = mapping;
	return descriptor;
}

int waymark_has_fixed_size(int descriptor)
{
	int seals = fcntl(descriptor, F_GET_SEALS);
	return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}
