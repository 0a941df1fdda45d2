#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef union {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
} endpoint;

/* Port and address in the kernel's form. */
static bool split(const endpoint *of, __be16 *port, __be32 address[4]) {
    switch (of->any.sa_family) {
        case AF_INET:
            *port = of->ipv4.sin_port;
            memcpy(address, &of->ipv4.sin_addr, sizeof of->ipv4.sin_addr);
            return true;
        case AF_INET6:
            *port = of->ipv6.sin6_port;
            memcpy(address, &of->ipv6.sin6_addr, sizeof of->ipv6.sin6_addr);
            return true;
        default: return false;
    }
}

/* Identifies the two sockets of a connection: `own`, and `peer` at the other end, whose own address is the peer address
   of `own`. */
static int identify(int socket, struct inet_diag_sockid *peer, struct inet_diag_sockid *own, uint8_t *family) {
    endpoint here, there;
    socklen_t here_size = sizeof here, there_size = sizeof there;
    if (getsockname(socket, &here.any, &here_size) != 0) return -errno;
    if (getpeername(socket, &there.any, &there_size) != 0) return -errno;
    memset(peer, 0, sizeof *peer);
    peer->idiag_cookie[0] = peer->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    *own = *peer;
    *family = (uint8_t)there.any.sa_family;
    if (!split(&there, &peer->idiag_sport, peer->idiag_src) || !split(&here, &peer->idiag_dport, peer->idiag_dst))
        return -EAFNOSUPPORT;
    split(&here, &own->idiag_sport, own->idiag_src);
    split(&there, &own->idiag_dport, own->idiag_dst);
    return 0;
}

typedef struct {
    struct nlmsghdr header;
    union {
        struct inet_diag_msg socket;
        struct nlmsgerr error;
        /* Attributes of the socket, which are ignored. */
        char room[4096];
    } content;
} answer;

/* The kernel answers within send(). */
static ssize_t ask(uint8_t family, const struct inet_diag_sockid *identity, answer *reply) {
    const int asked = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (asked < 0) return -errno;
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 sought;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .sought = {
            .sdiag_family = family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX, .id = *identity},
    };
    ssize_t count = send(asked, &request, sizeof request, MSG_DONTWAIT);
    if (count >= 0) count = recv(asked, reply, sizeof *reply, MSG_DONTWAIT);
    if (count < 0) count = -errno;
    close(asked);
    return count;
}

/* Gets the kernel's description of a socket. Returns 0 or a negated errno. */
static int look_up(uint8_t family, const struct inet_diag_sockid *identity, struct inet_diag_msg *found) {
    answer reply;
    const ssize_t length = ask(family, identity, &reply);
    if (length < 0) return (int)length;
    const size_t content = (size_t)length < sizeof reply.header ? 0 : (size_t)length - sizeof reply.header;
    if (reply.header.nlmsg_type == NLMSG_ERROR && content >= sizeof reply.content.error)
        return reply.content.error.error < 0 ? reply.content.error.error : -EPROTO;
    if (reply.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || content < sizeof *found) return -EPROTO;
    *found = reply.content.socket;
    /* If no connection has these addresses, the kernel answers with a listener. */
    return found->id.idiag_dport == identity->idiag_dport ? 0 : -ENOENT;
}

/* Like `look_up`, but on any interface. A socket that is bound to an interface is found only with the index of this
   interface, and any other socket with any index. */
static int look_up_anywhere(uint8_t family, struct inet_diag_sockid *identity, struct inet_diag_msg *found) {
    /* Connections within a computer arrive on the loopback interface, which always has this index. */
    identity->idiag_if = 1;
    int result = look_up(family, identity, found);
    struct if_nameindex *interfaces = result == -ENOENT ? if_nameindex() : NULL;
    for (struct if_nameindex *each = interfaces; each != NULL && each->if_index != 0 && result == -ENOENT; each++) {
        identity->idiag_if = each->if_index;
        result = look_up(family, identity, found);
    }
    if (interfaces != NULL) if_freenameindex(interfaces);
    return result;
}

/* Reason why the peer was not found. A kernel without sock_diag for TCP gives the same answer as for a socket that does
   not exist. To tell the two cases apart, this function looks up this end of the connection, which certainly exists. */
static int reason(int socket, uint8_t family, struct inet_diag_sockid *own) {
    struct inet_diag_msg found;
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    const int result = look_up_anywhere(family, own, &found);
    if (result == 0 || getpeername(socket, (struct sockaddr *)&peer, &size) != 0) return -ENOENT;
    return result == -ENOENT ? -EOPNOTSUPP : result;
}

int waymark_tcp_peer_user(int socket, uint32_t *user) {
    struct inet_diag_sockid peer, own;
    uint8_t family;
    const int unidentified = identify(socket, &peer, &own, &family);
    if (unidentified != 0) return unidentified;
    struct inet_diag_msg found;
    const int result = look_up_anywhere(family, &peer, &found);
    if (result != 0) return result == -ENOENT ? reason(socket, family, &own) : result;
    /* A socket that its program has closed has no inode, and its user is reported as root. */
    if (found.idiag_inode == 0) return -ENOENT;
    *user = found.idiag_uid;
    return 0;
}
