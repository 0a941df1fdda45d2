import Glibc
import Linux

/// Limits that a server sets its clients, all of them together, those of one user and each.
public struct ServerLimits: Sendable {
    /// Bytes of one call. Longer: a named error, then the end of the connection.
    public var messageLength = 64 * 1024
    /// Connections at one time. One too many gets a named error and is closed.
    public var clients = 128
    /// Streams of all clients together. One too many gets a named error.
    public var streams = 128
    /// Connections of one user; one too many gets a named error and is closed. Not for privileged users.
    public var clientsOfUser = 96
    /// Streams of one user; one too many gets a named error. Not for privileged users.
    public var streamsOfUser = 96
    /// Calls of one user whose answer takes time, such as a search; beyond that, those that follow wait. Not for
    /// privileged users.
    public var callsOfUser = 16
    /// The last connections, and the last streams, which privileged users alone can take; at most a quarter of all.
    public var reserve = 8
    /// Users whom the reserve is for: root and the process's own user, who can stop the server anyway.
    public var privilegedUsers: Set<UInt32> = [0, geteuid()]
    /// Calls of one client that wait for the one before them; more are not read until then.
    public var pendingCalls = 32
    /// Bytes of replies that wait for one client to read; until then its further calls wait.
    public var pendingReplyBytes = 256 * 1024
    /// Nanoseconds without any progress in reading after which a client with output waiting is closed.
    public var stallTimeout: Int64 = 30_000_000_000
    /// Nanoseconds for which the calls of a client that is in no hurry may wait, to be read with those of others.
    public var patience: Int64 = 20_000_000
    /// The kernel's buffer towards one client: what lies there when a slow reader comes back is old.
    public var sendBufferBytes = 16 * 1024

    /// Default limits, as each member states them.
    public init() {}

    /// Largest number of descriptors that all clients together can make the process hold: a socket each, those they
    /// send along, and those that wait to be closed.
    public var descriptors: Int { clients * (1 + FrameBuffer.descriptorLimit) + DescriptorCloser.largestNumber }
}

/// Counters of a server since its start; the first two are present numbers.
public struct ServerStatistics: Equatable, Sendable {
    /// Connections now.
    public var clients = 0
    /// Streams now.
    public var streams = 0
    /// Connections that were accepted.
    public var accepted = 0
    /// Connections over the limit.
    public var refused = 0
    /// Calls that were received, whatever the answer.
    public var calls = 0
    /// Calls answered with an error.
    public var failures = 0
    /// Stream messages that were not sent: replaced by newer ones before a slow reader took them, or skipped.
    public var missed = 0
    /// Clients closed because they had stopped reading.
    public var stalled = 0
}
