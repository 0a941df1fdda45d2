#define _GNU_SOURCE
#include "port.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const folder = "/sys/class/virtio-ports";

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Whether the port of this device file has the name. */
static int is_called(const char *file, const char *name)
{
	char path[512], text[64] = "";
	snprintf(path, sizeof path, "%s/%s/name", folder, file);
	FILE *attribute = fopen(path, "re");
	if (!attribute)
		return 0;
	if (!fgets(text, sizeof text, attribute))
		text[0] = 0;
	fclose(attribute);
	text[strcspn(text, "\n")] = 0;
	return strcmp(text, name) == 0;
}

/* udev's links by name are not there without udev, nor early at boot. */
static int try_open(const char *name)
{
	DIR *ports = opendir(folder);
	int port = -1;
	if (!ports)
		return -1;
	for (struct dirent *entry; port < 0 && (entry = readdir(ports));) {
		char path[512];
		if (!is_called(entry->d_name, name))
			continue;
		snprintf(path, sizeof path, "/dev/%s", entry->d_name);
		port = open(path, O_RDWR | O_CLOEXEC);
	}
	closedir(ports);
	return port;
}

int port_open(const char *name)
{
	for (int attempt = 0; attempt < 600; attempt++) {
		int port = try_open(name);
		if (port >= 0)
			return port;
		usleep(100000);
	}
	fprintf(stderr, "there is no virtio port named %s\n", name);
	exit(1);
}

void port_write(int port, const void *data, size_t size)
{
	for (const char *rest = data; size > 0;) {
		ssize_t written = write(port, rest, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			fail("writing to the host");
		rest += written;
		size -= written;
	}
}

void port_line(int port, char *line, size_t size)
{
	for (size_t length = 0; length < size; length++) {
		ssize_t got;
		/* 0: the host is not there yet, or no more. */
		while ((got = read(port, line + length, 1)) == 0 || (got < 0 && errno == EINTR))
			usleep(50000);
		if (got < 0)
			fail("reading from the host");
		if (line[length] == '\n') {
			line[length] = 0;
			return;
		}
	}
	fprintf(stderr, "a line from the host is too long\n");
	exit(1);
}
