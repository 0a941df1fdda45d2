import CSystemd
import Glibc

/// Notifications to systemd (`sd_notify`); every call does nothing without a service manager.
public struct ServiceNotifier: Sendable {
    /// Needs nothing: the service manager's socket is named by the environment.
    public init() {}

    /// Watchdog interval of the service manager, in nanoseconds; nil if the watchdog is off.
    public var watchdogInterval: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(min(microseconds, UInt64(Int64.max / 1000))) * 1000
    }

    /// Reports that the service is ready, or that a reload has finished.
    public func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }

    /// Sets the status line that `systemctl status` shows.
    public func status(_ status: String) { send("STATUS=\(oneLine(status))") }

    /// Resets the watchdog. To be called by the code whose progress is supervised, at least twice per interval.
    public func watchdog() { send("WATCHDOG=1") }

    /// Reports the start of a reload; `ready` reports its end.
    public func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Reactor.now / 1000)") }

    /// Reports that the service is shutting down.
    public func stopping() { send("STOPPING=1") }

    private func send(_ state: String) { sd_notify(0, state) }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
