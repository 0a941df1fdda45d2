import CSystemd
import Glibc
import Linux

/// Sends notifications to systemd (`sd_notify`). Without a service manager, every call does nothing.
package struct ServiceNotifier: Sendable {
    package init() {}

    /// Whether a service manager started this process and awaits notifications.
    package var hasManager: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// If this process runs as a service, keeps other processes of the same user from reading or changing its memory,
    /// which holds positions.
    package func protectMemory() {
        if hasManager { ProcessResources.forbidTracing() }
    }

    /// Watchdog interval that the service manager has set, in nanoseconds; nil if the watchdog is off.
    package var watchdogInterval: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(min(microseconds, UInt64(Int64.max / 1000))) * 1000
    }

    /// Reports that the service is ready, or that a reload has finished.
    package func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }

    /// Sets the status line that `systemctl status` shows.
    package func status(_ status: String) { send("STATUS=\(oneLine(status))") }

    /// Resets the watchdog. The supervised code has to call this at least twice per interval.
    package func watchdog() { send("WATCHDOG=1") }

    /// Reports the start of a reload; `ready` reports its end.
    package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Reactor.now / 1000)") }

    package func stopping() { send("STOPPING=1") }

    private func send(_ state: String) { sd_notify(0, state) }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}

/// Socket activation: listening sockets that systemd opened before it started this process.
package enum SocketActivation {
    /// Returns the listening Unix sockets (stream or packet) in the order of the socket unit; none if the process was
    /// started without socket activation.
    ///
    /// May be called only once, because it clears the environment variables, so that no child process inherits them.
    package static func takeListeners() throws(SystemError) -> [UnixListener] {
        let count = sd_listen_fds(1)
        guard count >= 0 else { throw SystemError("take the sockets of the service manager", code: -count) }
        var listeners: [UnixListener] = []
        for descriptor in SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count) {
            listeners.append(try adopt(descriptor))
        }
        return listeners
    }

    /// Checks that a descriptor is a listening Unix stream or packet socket, and takes ownership of it.
    package static func adopt(_ descriptor: Int32) throws(SystemError) -> UnixListener {
        let types = [SOCK_STREAM, SOCK_SEQPACKET]
        let answers = types.map { sd_is_socket_unix(descriptor, Int32($0.rawValue), 1, nil, 0) }
        guard let answer = answers.max(), answer > 0 else {
            throw SystemError(
                "descriptor \(descriptor) of the service manager is not a listening Unix stream or packet socket: "
                    + "use ListenStream= and ListenSequentialPacket= with paths in the socket unit",
                code: answers[0] < 0 ? -answers[0] : ENOTSOCK)
        }
        return UnixListener(adopting: descriptor)
    }
}
