import CLinux
import CSystemd
import Glibc

/// Listening sockets that the service manager opened before it started this process.
public enum SocketActivation {
    /// The Unix stream listeners handed over, in the order of the unit; empty when started in another way.
    ///
    /// To be called once: it takes them out of the environment, so that no child believes they are its own.
    public static func takeListeners() throws(SystemError) -> [UnixListener] {
        let count = sd_listen_fds(1)
        guard count >= 0 else { throw SystemError("take the sockets of the service manager", code: -count) }
        var listeners: [UnixListener] = []
        for descriptor in SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count) {
            listeners.append(try adopt(descriptor))
        }
        return listeners
    }

    /// Takes over one descriptor, which becomes the listener's if it is a listening Unix stream socket.
    package static func adopt(_ descriptor: Int32) throws(SystemError) -> UnixListener {
        let kind = sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0)
        guard kind > 0 else {
            throw SystemError(
                "descriptor \(descriptor) of the service manager is not a listening Unix stream socket: "
                    + "use ListenStream= with a path in the socket unit",
                code: kind < 0 ? -kind : ENOTSOCK)
        }
        return UnixListener(adopting: descriptor)
    }
}
