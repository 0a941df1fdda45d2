import CSensorProxy
import Glibc
import Linux

/// Keeps track of whether the service owns its name on the bus, and logs problems with the name.
struct BusName {
    enum Event {
        case acquired
        case lost
        case departure(String)
    }

    /// Reason why the service cannot be reached.
    enum Problem: Equatable, CustomStringConvertible {
        case noBus(SystemError)
        case taken
        case forbidden
        case refused(String)

        var description: String {
            switch self {
            case .noBus(let error): "\(error); trying again"
            case .taken:
                "another program owns \(CSENSOR_PROXY_NAME): `systemctl mask --now iio-sensor-proxy` ends and disables it; "
                    + "waiting for the name"
            case .forbidden:
                "the policy of the system bus does not permit this user to own \(CSENSOR_PROXY_NAME): install "
                    + "org.waymark.SensorProxy.conf in /etc/dbus-1/system.d and `systemctl reload dbus`; trying again"
            case .refused(let reason): "the system bus refuses the name \(CSENSOR_PROXY_NAME): \(reason); trying again"
            }
        }
    }

    private var isOwned = false
    private var reported: Problem?

    /// Match rule for the departure of any client: its name then has an empty new owner (`arg2`).
    static let departures =
        "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''"
    /// Flag to wait for the name if another program owns it.
    static let queue = UInt64(SD_BUS_NAME_QUEUE)
    /// Handler that does nothing, for a match whose messages are handled by a filter.
    static let ignore: sd_bus_message_handler_t = { _, _, _ in 0 }

    /// Records that the name is owned; returns true if it was not owned before.
    mutating func acquired() -> Bool {
        reported = nil
        defer { isOwned = true }
        return !isOwned
    }

    mutating func lost() { isOwned = false }

    /// Logs a problem, once until it changes.
    mutating func report(_ problem: Problem) {
        isOwned = false
        guard problem != reported else { return }
        reported = problem
        Log.error("sensor proxy: \(problem)")
    }

    /// Returns the event that a message reports; nil for any other message.
    static func event(_ message: OpaquePointer) -> Event? {
        let bus = "org.freedesktop.DBus"
        guard let sender = sd_bus_message_get_sender(message), String(cString: sender) == bus else { return nil }
        func isSignal(_ member: String) -> Bool { sd_bus_message_is_signal(message, bus, member) > 0 }
        if isSignal("NameAcquired") { return text(message) == CSENSOR_PROXY_NAME ? .acquired : nil }
        if isSignal("NameLost") { return text(message) == CSENSOR_PROXY_NAME ? .lost : nil }
        guard isSignal("NameOwnerChanged"), let name = text(message), text(message) != nil, text(message) == "" else {
            return nil
        }
        return .departure(name)
    }

    /// Returns the reason why a request did not get the name; nil if it did.
    static func problem(_ answer: OpaquePointer) -> Problem? {
        if let error = sd_bus_message_get_error(answer), let name = error.pointee.name {
            guard String(cString: name) != "org.freedesktop.DBus.Error.AccessDenied" else { return .forbidden }
            return .refused(error.pointee.message.map { String(cString: $0) } ?? String(cString: name))
        }
        var result: UInt32 = 0
        guard sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "u")), &result) > 0 else {
            return .refused("its answer has no result")
        }
        // 1 means that the service has become the owner, 4 that it already was, and 2 that it is queued.
        return [1, 4].contains(result) ? nil : .taken
    }

    /// Returns the next argument of a message; nil if it is not a text.
    private static func text(_ message: OpaquePointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }
}
