#pragma once
/* Wraps Linux and glibc interfaces that Swift's Glibc module does not import: epoll, eventfd, timerfd, signalfd,
 * variadic functions, ancillary data of sockets and others. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>

/* Credentials of a Unix socket's peer, as the kernel recorded them at connect() or socketpair(). */
struct waymark_peer {
    int32_t process;
    uint32_t user;
    uint32_t group;
};

/* 0, or a negated errno. */
int waymark_peer_credentials(int socket, struct waymark_peer *peer);

/* The number of supplementary groups written, or a negated errno (-ERANGE: more than `capacity`). */
int waymark_peer_groups(int socket, uint32_t *groups, int capacity);

/* Finds the user who made the socket at the other end of a TCP connection, if it is on this computer and in the same
   network namespace, with the kernel's sock_diag(7). Returns 0, or a negated errno: -ENOENT if the socket does not
   exist (any more); -EOPNOTSUPP if the kernel has no sock_diag for TCP (CONFIG_INET_TCP_DIAG). */
int waymark_tcp_peer_user(int socket, uint32_t *user);

/* Calls accept4 with close-on-exec and non-blocking; returns a descriptor or a negated errno. Bytes that the peer sends
   out of band are read in order with its other bytes. Otherwise a read would drop such a byte, and close the
   descriptors that came with it. */
int waymark_accept(int socket);

/* Lets the kernel refuse descriptors that peers of this socket send, or those of the connections that it accepts,
   before they leave the sender (SO_PASSRIGHTS, Linux 6.16). Returns 0, or a negated errno: -ENOPROTOOPT if the kernel
   is older. */
int waymark_refuse_descriptors(int socket);

/* Calls sendmsg with at most WAYMARK_DESCRIPTORS descriptors. It raises no SIGPIPE and never blocks. Returns the number
   of bytes, or a negated errno. */
ssize_t waymark_send(int socket, const struct iovec *parts, int part_count, const int *descriptors,
                     int descriptor_count);

/* Calls recvmsg, never blocks, and receives all descriptors that one message can bring, close-on-exec, into a buffer of
   WAYMARK_DESCRIPTORS_SENT. If any were left, the kernel would close them in the caller's thread, for as long as the
   sender likes; this can happen only if the process has no free descriptor. Returns the number of bytes (0 at the end)
   or a negated errno. */
#define WAYMARK_DESCRIPTORS 4
#define WAYMARK_DESCRIPTORS_SENT 253
ssize_t waymark_receive(int socket, void *buffer, size_t size, int *descriptors, int *descriptor_count);

/* Number of bytes that a read of `size` would take, 0 at the end; -EPERM if descriptors come with them, or another
   negated errno. Copies the bytes into the buffer without taking them from the socket. */
ssize_t waymark_waiting_without_descriptors(int socket, void *buffer, size_t size);

/* Prepares the calling thread for `waymark_close_impatiently`; 0 or a negated errno. */
int waymark_become_closer(void);

/* Closes a descriptor without lingering. If a TCP socket, even one in an unread message, would wait for its peer
   (SO_LINGER), the wait ends after a millisecond. A wait for an unresponsive file system is not cut short. */
void waymark_close_impatiently(int descriptor);

/* Creates a file in memory (memfd). Returns a descriptor with close-on-exec, or a negated errno. */
int waymark_memory_file(const char *name);

/* Creates memory of a fixed, sealed size that is shared through a descriptor, and maps it for writing. Its pages are
   allocated and zero. If `others_write` is 0, no later mapping or write can change it. Returns a descriptor with
   close-on-exec, or a negated errno. */
int waymark_shared_memory(const char *name, size_t size, int others_write, void **memory);

/* Whether the memory of a descriptor can no longer shrink, so that a mapping of it never faults: 1 or 0. */
int waymark_has_fixed_size(int descriptor);

/* Creates an unnamed file (O_TMPFILE) in a directory. Returns a descriptor with close-on-exec, or a negated errno. */
int waymark_nameless_file(const char *folder);

/* Whether the kernel considers the system clock synchronised: 1 or 0, or a negated errno. */
int waymark_clock_is_synchronised(void);

/* Opens a lock file, and creates it if it is missing. Returns a descriptor with close-on-exec, or a negated errno. */
int waymark_open_lock(const char *path);

/* Locks a file with a record lock, which lasts until the process closes any descriptor of the file. Returns 0 if the
   lock was taken, the number of the process that has it, -EAGAIN if that process has no number here, or another negated
   errno. */
int waymark_lock(int descriptor);

/* Makes the process undumpable, so that only root may trace it or read its memory, and there is no core dump. */
void waymark_forbid_tracing(void);

/* Sets the name of the calling thread, which ps -L shows; at most 15 bytes are kept. */
void waymark_name_thread(const char *name);

/* From now on, passes what libraries on the calling thread write to stdio's stderr to a function, in pieces that end
   with a line or a full buffer. Other threads and descriptor 2 are not affected. All callers have to pass the same
   function. */
typedef void waymark_line_handler(const char *text, size_t size);
void waymark_divert_stderr_of_thread(waymark_line_handler *lines);
