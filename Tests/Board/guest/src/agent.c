/*
 * board-agent: runs the tests' shell commands in the guest, one at a time.
 *
 *   host:  run LENGTH\n COMMAND      agent: done CODE LENGTH\n OUTPUT
 *   host:  kill\n                    ends the running command's process group; done follows with code 137
 *   host:  ask PATH SECONDS LENGTH\n MESSAGE
 *                                    sends the message to the Unix socket of this path; done follows with code 0 and
 *                                    the answer up to its zero byte, or with code 1 and why there is none
 *
 * Asking starts no program, which is what costs most in a guest: it is for what tests look at again and again.
 *
 * Output goes to a file in memory, so that what a command leaves running in the background neither blocks nor holds
 * back the answer.
 */
#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { longest_command = 1 << 20, longest_output = 8 << 20 };

static void ignore(int number)
{
	(void)number;
}

static char *read_command(int port, size_t length)
{
	char *command = malloc(length + 1);
	if (!command)
		exit(1);
	for (size_t have = 0; have < length;) {
		ssize_t got = read(port, command + have, length - have);
		if (got < 0)
			exit(1);
		have += got;
	}
	command[length] = 0;
	return command;
}

static pid_t start(const char *command, int output)
{
	pid_t child = fork();
	if (child != 0)
		return child;
	setsid();
	int nothing = open("/dev/null", O_RDONLY);
	dup2(nothing, 0);
	dup2(output, 1);
	dup2(output, 2);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Waits for the command; a word from the host meanwhile ends it. */
static int await(int port, pid_t child)
{
	sigset_t none;
	sigemptyset(&none);
	for (;;) {
		int status;
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		struct pollfd host = {.fd = port, .events = POLLIN};
		/* SIGCHLD is blocked elsewhere, so that it cannot come unseen between waitpid and here. */
		if (ppoll(&host, 1, NULL, &none) > 0 && host.revents & POLLIN) {
			char line[64];
			port_line(port, line, sizeof line);
			kill(-child, SIGKILL);
		}
	}
}

static void answer(int port, int code, int output)
{
	off_t size = lseek(output, 0, SEEK_END);
	off_t first = size > longest_output ? size - longest_output : 0;
	char line[64];
	snprintf(line, sizeof line, "done %d %lld\n", code, (long long)(size - first));
	port_write(port, line, strlen(line));
	static char part[65536];
	while (first < size) {
		size_t wanted = size - first < (off_t)sizeof part ? (size_t)(size - first) : sizeof part;
		ssize_t got = pread(output, part, wanted, first);
		if (got <= 0)
			exit(1);
		port_write(port, part, got);
		first += got;
	}
}

static void serve(int port, size_t length)
{
	char *command = read_command(port, length);
	int output = memfd_create("output", MFD_CLOEXEC);
	if (output < 0)
		exit(1);
	/* Several descriptors of the command share one place in the file. */
	fcntl(output, F_SETFL, O_APPEND);
	pid_t child = start(command, output);
	answer(port, await(port, child), output);
	close(output);
	free(command);
}

/* Waits for the answer of a server; returns what is wrong, or NULL once the answer's zero byte has come. */
static const char *hear(int server, int seconds, char *text, size_t *length)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	long long end = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + seconds * 1000LL;
	for (*length = 0; *length < longest_output;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		long long left = end - (now.tv_sec * 1000LL + now.tv_nsec / 1000000);
		struct pollfd waited = {.fd = server, .events = POLLIN};
		int ready = left > 0 ? poll(&waited, 1, (int)left) : 0;
		if (ready == 0)
			return "no answer in time";
		if (ready < 0 && errno != EINTR)
			return strerror(errno);
		if (ready < 0)
			continue;
		ssize_t got = read(server, text + *length, longest_output - *length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? strerror(errno) : "closed without an answer";
		char *end_of_answer = memchr(text + *length, 0, got);
		if (end_of_answer) {
			*length = end_of_answer - text;
			return NULL;
		}
		*length += got;
	}
	return "the answer is too long";
}

static const char *exchange(const char *path, int seconds, const char *message, size_t length, char *text, size_t *size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof address.sun_path)
		return "the socket's path is too long";
	strcpy(address.sun_path, path);
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server < 0)
		return strerror(errno);
	/* Neither connecting nor sending waits longer than the answer may take: the server may stand still. */
	struct timeval patience = {.tv_sec = seconds};
	setsockopt(server, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	const char *problem = NULL;
	ssize_t sent = connect(server, (struct sockaddr *)&address, sizeof address);
	if (sent == 0)
		sent = send(server, message, length, MSG_NOSIGNAL);
	if (sent < 0)
		problem = strerror(errno);
	else if (sent != (ssize_t)length)
		problem = "the message was not taken in time";
	else
		problem = hear(server, seconds, text, size);
	close(server);
	return problem;
}

static void ask(int port, const char *path, int seconds, size_t length)
{
	static char text[longest_output];
	char line[64], *message = read_command(port, length);
	size_t size = 0;
	const char *problem = exchange(path, seconds, message, length, text, &size);
	if (problem)
		size = strlen(strcpy(text, problem));
	snprintf(line, sizeof line, "done %d %zu\n", problem != NULL, size);
	port_write(port, line, strlen(line));
	port_write(port, text, size);
	free(message);
}

int main(void)
{
	struct sigaction action = {.sa_handler = ignore};
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	int port = port_open("agent");
	port_write(port, "ready\n", 6);
	for (;;) {
		char line[256], path[128];
		size_t length;
		int seconds;
		port_line(port, line, sizeof line);
		/* A kill that came when its command had just ended. */
		if (strcmp(line, "kill") == 0)
			continue;
		if (sscanf(line, "run %zu", &length) == 1 && length <= longest_command) {
			serve(port, length);
		} else if (sscanf(line, "ask %127s %d %zu", path, &seconds, &length) == 3 && length <= longest_command) {
			ask(port, path, seconds, length);
		} else {
			fprintf(stderr, "not understood: %s\n", line);
			return 1;
		}
	}
}
