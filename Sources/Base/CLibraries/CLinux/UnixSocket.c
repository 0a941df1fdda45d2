#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <string.h>

int waymark_peer_credentials(int socket, struct waymark_peer *peer) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    return 0;
}

int waymark_peer_groups(int socket, uint32_t *groups, int capacity) {
    socklen_t size = (socklen_t)((size_t)capacity * sizeof *groups);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return -errno;
    return (int)(size / sizeof *groups);
}

int waymark_accept(int socket) {
    int accepted = accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) return -errno;
    int yes = 1;
    setsockopt(accepted, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes);
    return accepted;
}

// Not yet in the headers of Debian 12 and 13. Waymark's architectures all use the generic number.
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int waymark_refuse_descriptors(int socket) {
    int no = 0;
    return setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0 ? 0 : -errno;
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(WAYMARK_DESCRIPTORS_SENT * sizeof(int))];
};

ssize_t waymark_send(int socket, const struct iovec *parts, int part_count, const int *descriptors,
                   int descriptor_count) {
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)part_count};
    union control control;
    if (descriptor_count > WAYMARK_DESCRIPTORS) return -EINVAL;
    if (descriptor_count > 0) {
        size_t size = (size_t)descriptor_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    ssize_t sent;
    do {
        // Most messages have one part, for which send() is less work for the kernel than sendmsg().
        sent = descriptor_count == 0 && part_count == 1 ? send(socket, parts->iov_base, parts->iov_len, flags)
                                                        : sendmsg(socket, &message, flags);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0 ? sent : -errno;
}

ssize_t waymark_receive(int socket, void *buffer, size_t size, int *descriptors, int *descriptor_count) {
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    union control control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor_count = 0;
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors + *descriptor_count, CMSG_DATA(header), (size_t)count * sizeof(int));
        *descriptor_count += count;
    }
    return received;
}

ssize_t waymark_waiting_without_descriptors(int socket, void *buffer, size_t size) {
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t waiting;
    do waiting = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
    while (waiting < 0 && errno == EINTR);
    if (waiting < 0) return -errno;
    // There is no room for descriptors, so the kernel reports them with MSG_CTRUNC.
    return message.msg_flags & MSG_CTRUNC ? -EPERM : waiting;
}
