import Linux
import WaymarkClient

/// Sends orientations in OpenTrack's UDP format, predicted to the time of sending.
///
/// For a local address, the kernel reports whether a program listens. If none does, one datagram per second probes for
/// a listener, and poses are not acquired.
package final class OpenTrackOutput: BridgeOutput {
    private let reactor: Reactor
    private let sender: DatagramSender
    private let poses: PoseSource
    private let sendsPosition: Bool
    private let interval: Int64
    private var timer: TimerIdentifier?
    private var isListening = false
    private var datagram = [UInt8](repeating: 0, count: OpenTrackPacket.size)

    /// Interval of probes for a listener. Unit: ns.
    private static let pause: Int64 = 1_000_000_000

    package var description: String { "OpenTrack's datagrams to \(sender.address)" }

    /// - Parameters:
    ///   - rate: datagrams per second.
    ///   - sendsPosition: whether the position in the scene is sent; otherwise zeros are sent.
    package init(
        _ reactor: Reactor, _ sender: DatagramSender, rate: Double, sendsPosition: Bool, poses: PoseSource
    ) {
        self.reactor = reactor
        self.sender = sender
        self.poses = poses
        self.sendsPosition = sendsPosition
        interval = Int64(1e9 / rate)
        schedule(listening: true)
    }

    package func close() {
        if let timer { reactor.cancel(timer) }
        timer = nil
        if isListening { poses.release() }
        isListening = false
    }

    private func schedule(listening: Bool) {
        if let timer { reactor.cancel(timer) }
        if listening != isListening {
            if listening { poses.acquire() } else { poses.release() }
        }
        isListening = listening
        timer = reactor.every(listening ? interval : Self.pause) { [unowned self] in
            if isListening { sendPose() } else { ask() }
        }
    }

    private func sendPose() {
        // Without a pose nothing is sent, because listeners take a pause for the device's end.
        guard let pose = poses.pose(at: BootClock.nanoseconds), pose.isOriented else { return }
        let packet = OpenTrackPacket(
            orientation: pose.orientation, position: sendsPosition ? pose.position : nil)
        datagram.withUnsafeMutableBytes { packet.write(into: $0) }
        if send() == .refused { schedule(listening: false) }
    }

    /// Sends two datagrams, because the kernel reports a missing listener only when the next datagram is sent.
    private func ask() {
        _ = send()
        reactor.after(interval) { [weak self] in
            guard let self, !isListening, timer != nil, send() == .sent else { return }
            schedule(listening: true)
        }
    }

    private func send() -> DatagramSender.Outcome { datagram.withUnsafeBytes { sender.send($0) } }
}

extension Waymark.RingPose {
    /// Whether gravity is known, so that the orientation is meaningful.
    fileprivate var isOriented: Bool { message.tracking.orientation != .invalid }
}
