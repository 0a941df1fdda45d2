import Glibc
import Linux

/// Limits of a server: for all clients together, for each user and for each client.
public struct ServerLimits: Sendable {
    /// Maximum length of a call; a longer call gets an error, and the connection is closed. Unit: bytes.
    public var messageLength = 64 * 1024
    /// Maximum number of connections. A further connection gets an error and is closed.
    public var clients = 128
    /// Maximum number of streams of all clients. A further stream gets an error.
    public var streams = 128
    /// Maximum number of connections of one user; a further connection gets an error and is closed. Privileged users
    /// are exempt.
    public var clientsOfUser = 96
    /// Maximum number of streams of one user; a further stream gets an error. Privileged users are exempt.
    public var streamsOfUser = 96
    /// Maximum number of one user's calls under way, such as searches, whose answers take time; further calls wait.
    /// Privileged users are exempt.
    public var callsOfUser = 16
    /// Number of connections, and of streams, that are reserved for privileged users; at most a quarter of the total.
    public var reserve = 8
    /// Users with access to the reserve: root and the process's own user, who can stop the server anyway.
    public var privilegedUsers: Set<UInt32> = [0, geteuid()]
    /// Maximum number of waiting calls of one client, above which no further calls are read.
    public var pendingCalls = 32
    /// Maximum size of unread replies of one client, above which the client's further calls wait. Unit: bytes.
    public var pendingReplyBytes = 256 * 1024
    /// Time after which a client with waiting output is disconnected if it has read nothing. Unit: nanoseconds.
    public var stallTimeout: Int64 = 30_000_000_000
    /// Time for which the calls of an unhurried client may wait to be read together with those of others. Unit:
    /// nanoseconds.
    public var patience: Int64 = 20_000_000
    /// Size of the kernel's send buffer for one client; it is small, since its content is outdated when a slow reader
    /// resumes. Unit: bytes.
    public var sendBufferBytes = 16 * 1024

    /// Makes the default limits, which each member states.
    public init() {}

    /// Maximum number of descriptors that all clients together can occupy in the process: a socket for each client,
    /// descriptors that clients send, and descriptors that wait to be closed.
    public var descriptors: Int { clients * (1 + FrameBuffer.descriptorLimit) + DescriptorCloser.maximumWaitingCount }
}

/// Counters of a server since its start; the first two members are current numbers.
public struct ServerStatistics: Equatable, Sendable {
    /// Number of current connections.
    public var clients = 0
    /// Number of current streams.
    public var streams = 0
    /// Number of accepted connections.
    public var accepted = 0
    /// Number of connections refused because of a limit.
    public var refused = 0
    /// Number of received calls, whatever the answer.
    public var calls = 0
    /// Number of calls answered with an error.
    public var failures = 0
    /// Number of stream messages that were not sent: replaced by newer ones before a slow client read them, or skipped.
    public var missed = 0
    /// Number of clients disconnected because they had stopped reading.
    public var stalled = 0
}
