import CPoseRing
import Glibc
import Linux
import Varlink

/// The parts of a connection that a reader needs, without reference counting.
struct RingView {
    var ring: waymark_ring
    let doorbell: UnsafeMutablePointer<waymark_ring_doorbell>
    let socket: Int32
    let daemonGeneration: UInt64
}

/// Connection to the daemon's ring, whose memory is mapped as long as this object exists.
///
/// No property changes after initialization; the mapped memory changes according to the rules of the ring.
final class RingConnection: @unchecked Sendable {
    /// View of the connection. Its address is fixed.
    let view: UnsafeMutablePointer<RingView>
    private let socket: UnixStream
    private let memory: SharedMemory
    private let doorbell: SharedMemory

    /// Connects, and maps the memory whose descriptor the daemon sends.
    init(path: String, until deadline: Int64, cancel: Int32? = nil) throws(WaymarkError) {
        do throws(SystemError) {
            socket = try UnixStream.connect(path: path, kind: .packets, until: deadline, cancel: cancel)
        } catch {
            throw WaymarkError(connecting: path, error)
        }
        let received = try Self.offer(socket, path, deadline, cancel)
        do throws(SystemError) {
            memory = try SharedMemory(
                received.ring, mapped: .reading, minimumSize: MemoryLayout<waymark_ring_header>.size)
            doorbell = try SharedMemory(
                received.doorbell, mapped: .writing, minimumSize: MemoryLayout<waymark_ring_doorbell>.size)
        } catch {
            throw .unexpected("pose ring: \(error)")
        }
        view = try Self.view(memory, doorbell, socket.descriptor)
    }

    deinit {
        view.deinitialize(count: 1)
        view.deallocate()
    }

    /// Descriptor that becomes readable when the daemon has closed the connection.
    var descriptor: Int32 { socket.descriptor }

    private static func view(
        _ memory: SharedMemory, _ doorbell: SharedMemory, _ socket: Int32
    ) throws(WaymarkError) -> UnsafeMutablePointer<RingView> {
        var ring = waymark_ring()
        switch waymark_ring_open(&ring, memory.address, memory.size) {
        case WAYMARK_RING_READABLE: break
        case WAYMARK_RING_OTHER_LAYOUT: throw .ringOtherLayout
        default: throw .unexpected("the shared memory is no pose ring")
        }
        guard isOfThisBoot(ring) else { throw .ringOtherBoot }
        let view = UnsafeMutablePointer<RingView>.allocate(capacity: 1)
        view.initialize(
            to: RingView(
                ring: ring, doorbell: doorbell.address.assumingMemoryBound(to: waymark_ring_doorbell.self),
                socket: socket, daemonGeneration: ring.header.pointee.daemon_generation))
        return view
    }

    /// Whether the ring was created in this boot; also true if this system does not report its boot identifier.
    private static func isOfThisBoot(_ ring: waymark_ring) -> Bool {
        let text = Array(BootClock.bootIdentifier.utf8)
        guard text.count == 36 else { return true }
        var boot = [UInt8](repeating: 0, count: 16)
        waymark_ring_boot_id(text, &boot)
        return withUnsafeBytes(of: ring.header.pointee.boot_id) { $0.elementsEqual(boot) }
    }

    // MARK: the offer

    private static func offer(
        _ socket: UnixStream, _ path: String, _ deadline: Int64, _ cancel: Int32?
    ) throws(WaymarkError) -> (ring: OwnedDescriptor, doorbell: OwnedDescriptor) {
        var offer = waymark_ring_offer()
        let received = try receive(&offer, socket, deadline, cancel)
        let magic = Array(WAYMARK_RING_MAGIC.utf8)
        guard received.count >= MemoryLayout<waymark_ring_offer>.size,
            withUnsafeBytes(of: offer.magic, { $0.elementsEqual(magic) })
        else {
            throw received.count == 0 ? .disconnected : .unexpected("\(path) is not the socket of a pose ring")
        }
        guard offer.answer == WAYMARK_RING_GRANTED.rawValue else { throw refusal(offer.answer) }
        guard offer.layout_version == WAYMARK_RING_LAYOUT else { throw .ringOtherLayout }
        guard received.descriptors.count == 2 else { throw .unexpected("a pose ring without its descriptors") }
        return (received.descriptors[0], received.descriptors[1])
    }

    private static func refusal(_ answer: UInt32) -> WaymarkError {
        switch answer {
        case WAYMARK_RING_OFF.rawValue: .ringOff
        case WAYMARK_RING_TOO_MANY_CLIENTS.rawValue: .ringLimitReached
        default: .unexpected("the pose ring is refused for the reason \(answer)")
        }
    }

    private static func receive(
        _ offer: inout waymark_ring_offer, _ socket: UnixStream, _ deadline: Int64, _ cancel: Int32?
    ) throws(WaymarkError) -> UnixStream.Received {
        let outcome = try? Waiting.wait(socket.descriptor, events: POLLIN, until: deadline, cancel: cancel)
        switch outcome {
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        case .ready, nil: break
        }
        let received = try? withUnsafeMutableBytes(of: &offer) { bytes throws(SystemError) in
            try socket.receive(into: bytes)
        }
        guard let received else { throw .disconnected }
        return received
    }
}
