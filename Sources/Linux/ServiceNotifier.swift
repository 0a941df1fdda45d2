import CSystemd
import Glibc

/// Tells the service manager how the service does; without one, every call does nothing.
public struct ServiceNotifier: Sendable {
    public init() {}

    /// How often the manager wants to hear from the watchdog, in nanoseconds; nil: it does not watch this process.
    public var watchdogInterval: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(min(microseconds, UInt64(Int64.max / 1000))) * 1000
    }

    /// The service answers its clients from now on.
    public func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }

    /// One line on what the service does, shown by `systemctl status`.
    public func status(_ status: String) { send("STATUS=\(oneLine(status))") }

    /// A sign of life; to be given by what has to make progress, and at least twice an interval.
    public func watchdog() { send("WATCHDOG=1") }

    /// The configuration is being read again; `ready` ends that.
    public func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Reactor.now / 1000)") }

    /// The service is on its way out.
    public func stopping() { send("STOPPING=1") }

    private func send(_ state: String) { sd_notify(0, state) }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
