import CLinux
import Glibc
import Linux

/// The program at the other end of a TCP connection.
package enum TCPPeer {
    /// Stands for the users of other computers, and for those that the kernel does not name. No account has this
    /// number.
    package static let unnamedUser = UInt32.max

    private static let problems = LogLimiter("users of TCP clients", lines: 1, interval: 3_600_000_000_000)

    /// User of the program, if it runs on this computer, so that limits for each user hold over TCP too.
    ///
    /// `unnamedUser` also for a program that has closed its socket already.
    package static func user(_ descriptor: Int32) -> UInt32 {
        var user = unnamedUser
        let result = waymark_tcp_peer_user(descriptor, &user)
        // A peer that is gone, or elsewhere, is nothing to report.
        if result < 0, ![-ENOENT, -ENOTCONN].contains(result) {
            let reason = SystemError("find the user of a TCP client", code: -result)
            problems.write(.notice, "\(reason); all such clients together have the share of one user")
        }
        return user
    }
}
