import CPoseRing
import Engine
import Glibc
import Linux
import Model
import WaymarkInterface

/// Hands the pose ring to clients of its socket. It runs on the reactor's thread, which also writes the poses.
///
/// A client gets one packet with two descriptors and must not send anything, or its connection is closed. The worst
/// that a client can do with its doorbell is to cost one system call for each pose, which wakes at most 64 of its
/// threads (`WAYMARK_RING_WAKES`).
package final class PoseRingService {
    private struct Client {
        let socket: UnixStream
        let user: UInt32
        let doorbell: SharedMemory
        let watch: Reactor.Watch
    }

    /// Number of connected clients and its limit. If the limit is changed, the new one applies to clients that connect
    /// later.
    package var places: SharedPlaces
    /// Called when a client has connected.
    package var onClient: () -> Void = {}
    /// Returns the newest pose, which is written when the first client connects; nil before the first pose.
    package var newest: () -> PoseRingWriter.Entry? = { nil }
    /// Why there is no ring although the settings want one; nil if they want none, or if there is no problem.
    package private(set) var problem: String?
    /// The ring of the poses; nil if the settings want none, or if it could not be made.
    package let writer: PoseRingWriter?
    private let reactor: Reactor
    private var acceptors: [Acceptor] = []
    private var clients: [ObjectIdentifier: Client] = [:]
    private let log = LogLimiter("pose ring", lines: 2, interval: 60_000_000_000)

    /// - Parameters:
    ///   - listeners: packet sockets. Without a ring, their clients get the answer that there is none.
    ///   - isEnabled: whether there is to be a ring.
    package init(_ reactor: Reactor, listeners: [UnixListener], limit: ShareLimit, isEnabled: Bool = true) {
        self.reactor = reactor
        places = SharedPlaces(limit)
        do throws(SystemError) {
            writer = isEnabled ? try PoseRingWriter() : nil
        } catch {
            writer = nil
            report("there is no pose ring: \(error)")
        }
        for listener in listeners { listen(on: listener) }
        if isEnabled, problem == nil, acceptors.isEmpty { problem = Self.noSocket }
    }

    /// This happens under systemd after an upgrade, while the socket unit of an earlier version is still active.
    private static let noSocket =
        "the pose ring has no socket: check service.pose_ring_socket, or restart waymark.socket"

    /// Whether a client uses the ring, and so gets every pose.
    package var hasClients: Bool { !clients.isEmpty }

    /// Whether clients can connect to the ring.
    package var isOpen: Bool { writer != nil && !acceptors.isEmpty }

    /// Takes the next pose. It is written only while there is a client, because that takes a quarter of the time of a
    /// sample; the terms are not even computed otherwise.
    package func take(_ pose: PoseEstimate, utcOffset: Int64?, terms: @autoclosure () -> PredictionTerms?) {
        guard hasClients else { return writer?.skip() ?? () }
        writer?.write(pose, utcOffset: utcOffset, terms: terms())
    }

    /// Marks the ring as ended, and closes all connections.
    package func end() {
        writer?.end()
        for acceptor in acceptors { acceptor.close() }
        acceptors = []
        for identifier in Array(clients.keys) { remove(identifier) }
    }

    // MARK: status

    /// Maximum number of descriptors that clients can make this process hold: one socket each.
    package var descriptors: Int { isOpen ? places.limit.all + 1 : 0 }

    /// State for the status; nil if the settings want no ring.
    package var message: StatusInterface.PoseRing? {
        isOpen || problem != nil ? StatusInterface.PoseRing(clients: clients.count, problem: problem) : nil
    }

    private func report(_ text: String) {
        problem = text
        Log.warning(text)
    }

    // MARK: clients

    private func listen(on listener: UnixListener) {
        listener.refuseDescriptors()
        do throws(SystemError) {
            acceptors.append(
                try Acceptor(reactor, listener, of: "the pose ring") { [weak self] socket throws(SystemError) in
                    try self?.take(socket)
                })
        } catch {
            report("the pose ring has no socket: \(error)")
        }
    }

    private func take(_ socket: UnixStream) throws(SystemError) {
        guard let writer, let ring = writer.memory.descriptor else { return offer(WAYMARK_RING_OFF, to: socket) }
        let user = try socket.peer().user
        if let reached = places.take(user) {
            log.write(.warning, "pose ring: a client of user \(user) was rejected: limit \(reached.maximum) reached")
            return offer(WAYMARK_RING_TOO_MANY_CLIENTS, to: socket)
        }
        do throws(SystemError) {
            try grant(ring, writer, to: socket, of: user)
        } catch {
            places.giveBack(user)
            throw error
        }
    }

    private func grant(
        _ ring: Int32, _ writer: PoseRingWriter, to socket: UnixStream, of user: UInt32
    ) throws(SystemError) {
        let doorbell = try SharedMemory("waymark-doorbell", size: Self.page, others: .writing)
        guard let bell = doorbell.descriptor else { throw SystemError("share a doorbell", code: EBADF) }
        if let entry = newest() { writer.catchUp(entry) }
        let identifier = ObjectIdentifier(socket)
        let watch = try reactor.watch(socket.descriptor, [.reading, .halfClose]) { [weak self] _ in
            self?.remove(identifier)
        }
        clients[identifier] = Client(socket: socket, user: user, doorbell: doorbell, watch: watch)
        writer.add(Self.bell(doorbell))
        offer(WAYMARK_RING_GRANTED, to: socket, descriptors: [ring, bell])
        doorbell.closeDescriptor()
        onClient()
    }

    /// Sends an answer to a client. If it cannot be sent, the connection is closed, so that both sides notice.
    private func offer(_ answer: waymark_ring_answer, to socket: UnixStream, descriptors: [Int32] = []) {
        var offer = waymark_ring_make_offer(answer)
        let sent = withUnsafeBytes(of: &offer) { try? socket.send($0, descriptors: descriptors) }
        if sent == nil, !descriptors.isEmpty { remove(ObjectIdentifier(socket)) }
    }

    /// Forgets a client that has gone, or has sent something.
    private func remove(_ identifier: ObjectIdentifier) {
        guard let client = clients.removeValue(forKey: identifier) else { return }
        reactor.remove(client.watch)
        places.giveBack(client.user)
        writer?.remove(Self.bell(client.doorbell))
    }

    private static let page = 4096

    private static func bell(_ memory: SharedMemory) -> PoseRingWriter.Doorbell {
        memory.address.assumingMemoryBound(to: waymark_ring_doorbell.self)
    }
}

extension PoseRingService: DaemonPart {
    func requestEnd() { end() }
}
