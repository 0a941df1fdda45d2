import Glibc
import Linux

/// File, pipe or socket that a client passes to the daemon. Reading and writing have a timeout, in case the client is
/// stuck, and end early when the stop flag is set.
package struct DocumentFile: Sendable {
    private let owner: OwnedDescriptor
    private let stop: StopFlag
    private let clock: CallClock
    private var delivery: DeliveryWindow
    /// Sum of all waits for the other end. Unit: seconds.
    private var waited = 0.0

    package enum Failure: Error, CustomStringConvertible {
        case cancelled
        case stuck(seconds: Double)
        case slow(bytes: Int, seconds: Double)
        case long(seconds: Double)
        case system(FileError)

        package var description: String {
            switch self {
            case .cancelled: "cancelled"
            case .stuck(let seconds): "timeout: no progress for \(Int(seconds.rounded(.up))) s"
            case .slow(let bytes, let seconds):
                "timeout: \(bytes) bytes in \(Int(seconds.rounded(.up))) s, less than \(DeliveryWindow.minimumRate) bytes/s; "
                    + "use a file in between"
            case .long(let seconds):
                "timeout: not read within \(Int(seconds)) s; use a file in between"
            case .system(let error): error.description
            }
        }
    }

    /// Time within which the reader of an export has to read `DeliveryWindow.minimumByteCount`. Unit: seconds.
    package static let patience = 60.0
    /// Maximum time that an export waits for its reader, summed over all waits. Unit: seconds.
    private static let maximumWait = 1800.0
    /// Time after which a system call is abandoned, in addition to the wait for the other end. Unit: seconds.
    package static let callPatience = 5.0
    /// Time within which the writer of an import has to deliver `DeliveryWindow.minimumByteCount`. The number of
    /// simultaneous imports is limited, so a client whose source starts slowly has to wait for the first byte before it
    /// makes the call. Unit: seconds.
    package static let importPatience = 10.0
    /// Number of bytes that a writable pipe accepts without blocking, according to POSIX.
    private static let atomic = Int(PIPE_BUF)

    /// - Parameter patience: time within which the other end has to make progress (`DeliveryWindow.minimumByteCount`),
    ///   or else it counts as stuck. Unit: seconds.
    package init(_ owner: OwnedDescriptor, stop: StopFlag, clock: CallClock, patience: Double = Self.patience) {
        self.owner = owner
        self.stop = stop
        self.clock = clock
        delivery = DeliveryWindow(seconds: patience)
    }

    // MARK: reading

    /// Reads the next bytes; returns their number, 0 at the end.
    package mutating func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            try waitUntilReady(for: POLLIN)
            let descriptor = owner.descriptor
            let count = timed { Glibc.read(descriptor, room.baseAddress, room.count) }
            // If the call took long, the work may have been abandoned meanwhile; the stop flag is then set.
            guard !stop.isSet else { throw .cancelled }
            if count >= 0 {
                delivery.add(bytes: count)
                return count
            }
            guard errno == EINTR || errno == EAGAIN else { throw .system(.last) }
        }
    }

    private mutating func waitUntilReady(for events: Int32) throws(Failure) {
        var isReady = false
        while !isReady {
            try checkDelivery()
            let (left, stop, descriptor) = (delivery.secondsLeft, stop, owner.descriptor)
            isReady = timed { stop.wait(seconds: left, for: Int16(events), on: descriptor) }
            guard !stop.isSet else { throw .cancelled }
        }
    }

    /// Makes a system call. Its duration counts as a wait for the other end, because a file system may take arbitrarily
    /// long.
    private mutating func timed<Result>(_ call: () -> Result) -> Result {
        let start = Reactor.now
        let result = clock.time(call)
        let seconds = Double(Reactor.now - start) * 1e-9
        delivery.add(seconds: seconds)
        waited += seconds
        return result
    }

    /// If the window is over, checks that enough bytes were transferred, and begins the next window.
    private mutating func checkDelivery() throws(Failure) {
        guard delivery.isOver else { return }
        guard delivery.bytes > 0 else { throw .stuck(seconds: delivery.seconds) }
        guard delivery.isEnough else { throw .slow(bytes: delivery.bytes, seconds: delivery.seconds) }
        delivery = DeliveryWindow(seconds: delivery.seconds)
    }

    // MARK: writing

    package mutating func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            guard waited < Self.maximumWait else { throw .long(seconds: Self.maximumWait) }
            try waitUntilReady(for: POLLOUT)
            let descriptor = owner.descriptor
            let count = timed {
                bytes.withUnsafeBytes { all in
                    Glibc.write(descriptor, all.baseAddress! + written, min(Self.atomic, all.count - written))
                }
            }
            guard !stop.isSet else { throw .cancelled }
            if count >= 0 {
                written += count
                delivery.add(bytes: count)
            } else if errno != EINTR && errno != EAGAIN {
                throw .system(.last)
            }
        }
    }
}

/// Amount of data that a client delivers or accepts while the daemon waits for it.
///
/// The duration of a window is the sum of its waits. The daemon's own processing time does not count, so that a slow
/// daemon never makes a client count as too slow.
package struct DeliveryWindow: Sendable {
    /// Minimum mean rate, far below the rate of any disk or network and far above that of a trickle of single bytes.
    /// Unit: bytes/s.
    package static let minimumRate = 1000

    /// Duration of the window. Unit: seconds.
    package let seconds: Double
    package private(set) var bytes = 0
    /// Sum of the waits in the window. Unit: seconds.
    private var waited = 0.0

    package init(seconds: Double) { self.seconds = seconds }

    /// Remaining waiting time. Unit: seconds.
    package var secondsLeft: Double { max(0, seconds - waited) }

    /// Whether the daemon has waited for the whole window.
    package var isOver: Bool { waited >= seconds }

    /// Number of bytes required in the window.
    package var minimumByteCount: Int { Int((seconds * Double(Self.minimumRate)).rounded(.up)) }

    /// Whether enough bytes have been transferred in the window.
    package var isEnough: Bool { bytes >= minimumByteCount }

    /// Adds a wait for the client.
    package mutating func add(seconds: Double) { waited += seconds }

    package mutating func add(bytes: Int) { self.bytes += bytes }
}
