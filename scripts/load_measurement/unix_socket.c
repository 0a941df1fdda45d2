/* Preloaded into the daemon by scripts/daemon-load: what connects to WAYMARK_LOAD_PORT of TCP gets the Unix socket
 * WAYMARK_LOAD_SOCKET instead. libiio reaches a server by TCP alone, whose cost a board's sensors do not have. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_kernel(int socket, const struct sockaddr *address, socklen_t length) {
    return (int)syscall(SYS_connect, socket, address, length);
}

static int is_redirected(const struct sockaddr *address) {
    const char *port = getenv("WAYMARK_LOAD_PORT");
    struct sockaddr_in internet;
    if (!port || address->sa_family != AF_INET) return 0;
    memcpy(&internet, address, sizeof internet);
    return ntohs(internet.sin_port) == atoi(port);
}

/* Puts a connected Unix socket, which blocks as the other did, in the place of `replaced`. */
static int redirect(int replaced, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int flags = fcntl(replaced, F_GETFL), unix_socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (unix_socket < 0) return -1;
    int is_connected = connect_kernel(unix_socket, (struct sockaddr *)&address, sizeof address) == 0;
    int error = errno;
    if (is_connected && dup3(unix_socket, replaced, O_CLOEXEC) >= 0) fcntl(replaced, F_SETFL, flags);
    close(unix_socket);
    errno = error;
    return is_connected ? 0 : -1;
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    const char *path = getenv("WAYMARK_LOAD_SOCKET");
    if (path && is_redirected(address)) return redirect(socket, path);
    return connect_kernel(socket, address, length);
}

/* A Unix socket refuses the options of TCP. */
int setsockopt(int socket, int level, int name, const void *value, socklen_t length) {
    if (level == IPPROTO_TCP && getenv("WAYMARK_LOAD_SOCKET")) return 0;
    return (int)syscall(SYS_setsockopt, socket, level, name, value, length);
}

/* TCP alone discards what is received into nowhere. */
ssize_t recv(int socket, void *buffer, size_t size, int flags) {
    char discarded[4096];
    if (!buffer && size && getenv("WAYMARK_LOAD_SOCKET")) {
        buffer = discarded;
        if (size > sizeof discarded) size = sizeof discarded;
        flags &= ~MSG_TRUNC;
    }
    return syscall(SYS_recvfrom, socket, buffer, size, flags, NULL, NULL);
}
