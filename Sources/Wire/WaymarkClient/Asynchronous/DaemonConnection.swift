import Linux
import Varlink

/// Connection to the daemon on the reactor's thread: sends calls and receives replies without blocking.
///
/// While the connection is paused, it reads nothing, and the daemon replaces unread messages of a subscription with
/// newer ones.
package final class DaemonConnection {
    private let reactor: Reactor
    private let stream: UnixStream
    private let received: (DaemonConnection, ArraySlice<UInt8>) -> Void
    private let ended: (DaemonConnection) -> Void
    private var watch: Reactor.Watch?
    private var input = FrameBuffer(messageLimit: maximumReplySize)
    /// Calls that the kernel has not accepted yet.
    private var output: [UInt8] = []

    /// Maximum length of a reply, the same as in other Varlink clients. Unit: bytes.
    private static let maximumReplySize = 16 << 20
    /// Maximum size of the calls that wait for the daemon. Unit: bytes.
    private static let maximumOutputSize = 256 * 1024
    /// Receive buffer.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)

    /// Whether replies are left unread.
    package var isPaused = false {
        didSet {
            guard isPaused != oldValue else { return }
            // Replies that have already arrived are delivered first.
            if !isPaused { deliver() }
            updateInterest()
        }
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - socket: the daemon's socket.
    ///   - received: called with each reply, without its zero byte.
    ///   - ended: called once when the daemon has closed the connection; not after `close`.
    package init(
        _ reactor: Reactor, socket: String, received: @escaping (DaemonConnection, ArraySlice<UInt8>) -> Void,
        ended: @escaping (DaemonConnection) -> Void
    ) throws(SystemError) {
        self.reactor = reactor
        self.received = received
        self.ended = ended
        // Does not wait if the daemon's backlog is full: the caller then retries as if there were no daemon.
        stream = try UnixStream.connect(path: socket, until: Reactor.now)
        watch = try reactor.watch(stream.descriptor, .reading) { [unowned self] in handle($0) }
    }

    deinit {
        close()
        room.deallocate()
    }

    /// Sends a call, given without its zero byte. Ends the connection if too many calls wait for the daemon.
    package func send(_ call: [UInt8]) {
        guard watch != nil else { return }
        guard output.count + call.count < Self.maximumOutputSize else { return end() }
        output += call
        output.append(0)
        flush()
    }

    package func close() {
        guard let watch else { return }
        reactor.remove(watch)
        self.watch = nil
        stream.shutdownSending()
    }

    private func end() {
        guard watch != nil else { return }
        close()
        ended(self)
    }

    private func handle(_ readiness: Reactor.Readiness) {
        // Each of these calls may release the last reference to this object.
        withExtendedLifetime(self) {
            if readiness.contains(.writable) { flush() }
            if watch != nil, !isPaused, !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
            // The kernel reports the end of the connection repeatedly, even while nothing is read.
            if watch != nil, isPaused, readiness.contains(.hangup) { end() }
        }
    }

    private func read() {
        do throws(SystemError) {
            let part = try stream.receive(into: room)
            if let part {
                input.append(UnsafeRawBufferPointer(rebasing: room.prefix(part.count)), descriptors: part.descriptors)
            }
            deliver()
            if part?.count == 0 { end() }
        } catch {
            end()
        }
    }

    private func deliver() {
        while watch != nil, !isPaused {
            switch input.next() {
            case .message(let message, _): received(self, message)
            case .none: return
            case .overlong: return end()
            }
        }
    }

    private func flush() {
        do throws(SystemError) {
            let sent = try output.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try stream.send(bytes)
            }
            if let sent { output.removeFirst(sent) }
            updateInterest()
        } catch {
            end()
        }
    }

    private func updateInterest() {
        guard let watch else { return }
        var interest: Reactor.Interest = isPaused ? [] : .reading
        if !output.isEmpty { interest.insert(.writing) }
        reactor.change(watch, to: interest)
    }
}
