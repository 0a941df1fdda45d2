import CSensorProxy
import Glibc
import Linux

/// One connection to the system bus on a reactor. It never blocks, and is not re-established once it has ended.
///
/// Not thread-safe: for use on the reactor's thread.
final class BusConnection {
    /// Handle of sd-bus, owned by this object and valid until `close`.
    let bus: OpaquePointer

    private let reactor: Reactor
    private let onEnd: (SystemError) -> Void
    private var watch: Reactor.Watch?
    private var watched: Int32 = -1
    private var interest: Reactor.Interest = []
    private var timer: TimerIdentifier?
    private var hasPortion = false
    private var isClosed = false

    /// Maximum number of messages handled per turn of the reactor, so that a client that floods the bus delays no other
    /// output.
    private static let messagesPerTurn = 32
    /// Number of messages waiting to be written at which no more signals are sent, because the bus reads too slowly.
    /// The newest values are sent once it reads again.
    private static let maximumQueueLength: UInt64 = 256

    /// Starts connecting.
    ///
    /// - Parameters:
    ///   - address: address in D-Bus notation.
    ///   - onEnd: called once, when the connection has failed or ended; not after `close`.
    init(_ reactor: Reactor, to address: String, onEnd: @escaping (SystemError) -> Void) throws(SystemError) {
        let opened = try Self.open(address)
        bus = opened
        self.reactor = reactor
        self.onEnd = onEnd
    }

    /// Does the same as `sd_bus_open_system`, but accepts no messages with descriptors, because closing a client's
    /// descriptors on this thread might block.
    private static func open(_ address: String) throws(SystemError) -> OpaquePointer {
        var made: OpaquePointer?
        var result = sd_bus_new(&made)
        guard result >= 0, let bus = made else { throw SystemError("connect to the system bus", code: -result) }
        for step in [
            { sd_bus_set_description(bus, "waymark-bridge") }, { sd_bus_set_address(bus, address) },
            { sd_bus_set_bus_client(bus, 1) }, { sd_bus_negotiate_fds(bus, 0) }, { sd_bus_start(bus) },
        ] where result >= 0 { result = step() }
        guard result >= 0 else {
            sd_bus_unref(bus)
            throw SystemError("connect to the system bus", code: -result)
        }
        return bus
    }

    /// Address of the system bus: `DBUS_SYSTEM_BUS_ADDRESS` if it is set, as for other programs; otherwise the address
    /// in the D-Bus specification.
    static var systemAddress: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
    }

    deinit { close() }

    /// Starts handling messages; to be called after objects and matches were added.
    func start() { process() }

    /// Closes the connection, with all its objects and matches.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let watch { reactor.remove(watch) }
        if let timer { reactor.cancel(timer) }
        sd_bus_close_unref(bus)
    }

    /// Whether the bus reads messages, so that more may be sent.
    var isKeepingUp: Bool {
        var count: UInt64 = 0
        return sd_bus_get_n_queued_write(bus, &count) < 0 || count < Self.maximumQueueLength
    }

    /// Watches the bus again, so that messages that were sent outside of its handlers are written; to be called after
    /// them.
    func flush() {
        guard !isClosed else { return }
        do throws(SystemError) { try follow() } catch { end(error) }
    }

    private func process() {
        guard !isClosed else { return }
        for _ in 0..<Self.messagesPerTurn {
            let result = sd_bus_process(bus, nil)
            // A handler may have closed the connection.
            if isClosed { return }
            guard result >= 0 else { return end(SystemError("read from the system bus", code: -result)) }
            if result == 0 { return flush() }
        }
        flush()
        guard !hasPortion else { return }
        hasPortion = true
        reactor.perform(inPortions: { [weak self] in
            self?.hasPortion = false
            self?.process()
            return false
        })
    }

    private func end(_ error: SystemError) {
        close()
        onEnd(error)
    }

    /// Watches for the events that sd-bus currently waits for.
    private func follow() throws(SystemError) {
        let descriptor = sd_bus_get_fd(bus)
        let events = sd_bus_get_events(bus)
        guard descriptor >= 0, events >= 0 else {
            throw SystemError("wait for the system bus", code: -min(descriptor, events))
        }
        var wanted: Reactor.Interest = []
        if events & POLLIN != 0 { wanted.insert(.reading) }
        if events & POLLOUT != 0 { wanted.insert(.writing) }
        if let watch, watched == descriptor {
            if wanted != interest { reactor.change(watch, to: wanted) }
        } else {
            if let watch { reactor.remove(watch) }
            watch = try reactor.watch(descriptor, wanted) { [weak self] _ in self?.process() }
            watched = descriptor
        }
        interest = wanted
        setTimer()
    }

    private func setTimer() {
        if let timer { reactor.cancel(timer) }
        timer = nil
        var deadline: UInt64 = .max
        // Deadline on CLOCK_MONOTONIC; the largest number means that there is no deadline.
        guard sd_bus_get_timeout(bus, &deadline) > 0, deadline < UInt64(Int64.max / 1000) else { return }
        timer = reactor.after(Int64(deadline) * 1000 - Reactor.now) { [weak self] in
            self?.timer = nil
            self?.process()
        }
    }
}
