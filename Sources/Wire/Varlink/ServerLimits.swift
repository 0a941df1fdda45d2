import Glibc
import Linux

/// Limits of a server, for all clients together, for each user, and for each client.
package struct ServerLimits: Sendable {
    /// Maximum length of a call; a longer call gets an error, and the connection is closed. Unit: bytes.
    package var messageLength = 64 * 1024
    /// Maximum number of connections. A further connection gets an error and is closed.
    package var clients = 128
    /// Maximum number of streams of all clients. A further stream gets an error.
    package var streams = 128
    /// Maximum number of connections of one user; a further connection gets an error and is closed. Privileged users
    /// are exempt.
    package var clientsOfUser = 96
    /// Maximum number of streams of one user; a further stream gets an error. Privileged users are exempt.
    package var streamsOfUser = 96
    /// Maximum number of one user's calls under way, whose answers take time, such as searches. Further calls wait.
    /// Privileged users are exempt.
    package var callsOfUser = 16
    /// Number of connections, and number of streams, reserved for privileged users; at most a quarter of the total.
    package var reserve = 8
    /// Users with access to the reserve: root and the process's own user, who can stop the server anyway.
    package var privilegedUsers: Set<UInt32> = [0, geteuid()]
    /// Maximum number of waiting calls of one client. When it is reached, no further calls are read.
    package var pendingCalls = 32
    /// Maximum size of one client's unread replies. Above it, the client's further calls wait. Unit: bytes.
    package var pendingReplyBytes = 256 * 1024
    /// Time after which a client that has read nothing is disconnected if it has waiting output. Unit: nanoseconds.
    package var stallTimeout: Int64 = 30_000_000_000
    /// Time for which calls may wait if they need not be read at once (`Call.letFollowingWait`), so that they are read
    /// together with other clients' calls. Unit: nanoseconds.
    package var patience: Int64 = 20_000_000
    /// Size of the kernel's send buffer for one client. It is small, because its content is outdated when a slow reader
    /// resumes. Unit: bytes.
    package var sendBufferBytes = 16 * 1024

    package init() {}

    /// Maximum number of descriptors that all clients together can occupy in the process: a socket for each client,
    /// descriptors that clients send, and descriptors that wait to be closed.
    package var descriptors: Int { clients * (1 + FrameBuffer.descriptorLimit) + DescriptorCloser.maximumWaitingCount }
}

/// Counters of a server since its start, except that the first two members are current numbers.
package struct ServerStatistics: Equatable, Sendable {
    package var clients = 0
    package var streams = 0
    package var accepted = 0
    /// Number of connections refused because of a limit.
    package var refused = 0
    /// Number of received calls, whatever the answer.
    package var calls = 0
    /// Number of calls answered with an error.
    package var failures = 0
    /// Number of stream messages that were not sent, because newer ones replaced them before a slow client read them,
    /// or because they were skipped.
    package var missed = 0
    /// Number of clients disconnected because they had stopped reading.
    package var stalled = 0
}
