import CLinux
import Glibc

/// Looks up users and groups in the system's account databases (NSS).
public enum Accounts {
    /// User ID of `name`, which may also be a decimal ID; nil if there is no such account.
    public static func user(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withBuffer { getpwnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.pw_uid : nil
    }

    /// Group ID of `name`, which may also be a decimal ID; nil if there is no such group.
    public static func group(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withBuffer { getgrnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.gr_gid : nil
    }

    /// Runs a reentrant lookup; returns whether it succeeded. The buffer for the entry's strings grows as long as the
    /// lookup fails with ERANGE, because the buffer is too small.
    private static func withBuffer(_ lookUp: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> Bool {
        var size = 4096
        while size <= 1 << 22 {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            let result = lookUp(buffer, size)
            if result == 0 { return true }
            guard result == ERANGE || result == EINTR else { return false }
            size *= 4
        }
        return false
    }
}

/// Process, user and groups at the other end of a Unix socket, as the kernel recorded them when the connection was
/// made.
public struct PeerCredentials: Equatable, Sendable {
    package let process: Int32
    package let user: UInt32
    /// Effective group ID, followed by the supplementary group IDs.
    public let groups: [UInt32]

    /// Makes credentials from known values, for tests.
    public init(process: Int32, user: UInt32, groups: [UInt32]) {
        self.process = process
        self.user = user
        self.groups = groups
    }

    /// Reads the credentials of a connected socket's peer from the kernel.
    public init(socket: Int32) throws(SystemError) {
        var peer = waymark_peer()
        let result = waymark_peer_credentials(socket, &peer)
        guard result == 0 else { throw SystemError("ask for the peer's credentials", code: -result) }
        self.init(
            process: peer.process, user: peer.user,
            groups: [peer.group] + PeerCredentials.supplementaryGroups(socket))
    }

    /// Supplementary group IDs. If the kernel does not report them, the list is empty and grants no rights.
    private static func supplementaryGroups(_ socket: Int32) -> [UInt32] {
        // 65536 is the kernel's limit for a process (NGROUPS_MAX).
        var capacity = 64
        while capacity <= 65536 {
            var groups = [UInt32](repeating: 0, count: capacity)
            let count = waymark_peer_groups(socket, &groups, Int32(capacity))
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            guard count == -ERANGE else { return [] }
            capacity *= 32
        }
        return []
    }
}
