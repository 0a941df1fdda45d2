import CLinux
import Glibc
import Synchronization

/// The program at the other end of a TCP connection.
package enum TCPPeer {
    /// Stands for users on other computers, and for users that the kernel does not report. No account has this number.
    package static let unnamedUser = UInt32.max

    /// Whether the kernel lacks support for the request. If so, no more requests are made, because each one would make
    /// the kernel look for the module.
    private static let isUnsupported = Atomic(false)
    private static let problems = LogLimiter("users of TCP clients", lines: 1, interval: 3_600_000_000_000)

    /// Finds the user that created the peer's socket if it is on this computer, so that limits per user also apply to
    /// TCP.
    ///
    /// Returns `unnamedUser` if the user is unknown, for example because the program has closed its socket already.
    package static func user(_ descriptor: Int32) -> UInt32 {
        var user = unnamedUser
        guard !isUnsupported.load(ordering: .relaxed) else { return user }
        let result = waymark_tcp_peer_user(descriptor, &user)
        if result < 0 { report(-result) }
        return user
    }

    private static func report(_ code: Int32) {
        // A peer that is gone or remote is not worth reporting.
        guard ![ENOENT, ENOTCONN].contains(code) else { return }
        if [EOPNOTSUPP, EPROTONOSUPPORT].contains(code) { isUnsupported.store(true, ordering: .relaxed) }
        let reason = SystemError("find the user of a TCP client", code: code)
        problems.write(.notice, "\(reason); all such clients together have the share of one user")
    }
}
