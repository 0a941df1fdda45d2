import Linux
import WaymarkClient
import WaymarkInterface

/// Sends HEARTBEAT, ATTITUDE_QUATERNION, ODOMETRY and GLOBAL_POSITION_INT of MAVLink 2, predicted to the time of
/// sending.
///
/// Each message is one datagram. For a local address, the kernel reports whether a program listens. If none does, only
/// HEARTBEAT is sent, once a second, and poses are not acquired. Replies of receivers are not read.
package final class MAVLinkOutput: BridgeOutput {
    private let reactor: Reactor
    private let sender: DatagramSender
    private let poses: PoseSource
    private let receiver: () -> ReceiverView
    private var encoder: MAVLinkEncoder
    private var resets = FrameResets()
    private var heartbeat: TimerIdentifier?
    /// Timer that sends poses; nil while no program listens.
    private var timer: TimerIdentifier?
    private var ticks = 0

    /// Interval of attitudes: 50 Hz, within the 30 to 50 Hz that PX4 and ArduPilot expect of odometry. Unit: ns.
    private static let interval: Int64 = 20_000_000
    /// Number of attitudes per geodetic position, which is thus sent at 10 Hz.
    private static let ticksOfPosition = 5
    /// Interval required by the heartbeat protocol. Unit: ns.
    private static let heartbeatInterval: Int64 = 1_000_000_000

    package var description: String { "MAVLink's messages to \(sender.address)" }

    /// - Parameter system: MAVLink system ID, 1 to 255.
    package init(
        _ reactor: Reactor, _ sender: DatagramSender, system: UInt8, poses: PoseSource,
        receiver: @escaping () -> ReceiverView
    ) {
        self.reactor = reactor
        self.sender = sender
        self.poses = poses
        self.receiver = receiver
        encoder = MAVLinkEncoder(system: system, component: MAVLinkHeartbeat.component)
        listen(true)
        heartbeat = reactor.every(Self.heartbeatInterval) { [unowned self] in sendHeartbeat() }
    }

    package func close() {
        if let heartbeat { reactor.cancel(heartbeat) }
        heartbeat = nil
        listen(false)
    }

    /// Starts or stops acquiring and sending poses.
    private func listen(_ isListening: Bool) {
        guard isListening != (timer != nil) else { return }
        if isListening {
            poses.acquire()
            timer = reactor.every(Self.interval) { [unowned self] in sendPose() }
        } else if let timer {
            poses.release()
            reactor.cancel(timer)
            self.timer = nil
        }
    }

    /// Sends a heartbeat, and starts or stops sending poses. The kernel reports a missing listener only when the next
    /// datagram is sent.
    private func sendHeartbeat() {
        let message = MAVLinkPose.heartbeat(poses.newest)
        if send(message) { listen(true) } else { ask(message) }
    }

    /// Sends a heartbeat while there is no listener; the next heartbeat detects whether this one has found a listener.
    private func ask(_ message: MAVLinkHeartbeat) {
        listen(false)
        _ = send(message)
    }

    private func sendPose() {
        guard let pose = poses.pose(at: BootClock.nanoseconds) else { return }
        resets.take(daemon: pose.daemonGeneration, generation: pose.generation)
        let converted = MAVLinkPose(pose.message, alignment: pose.map?.alignment)
        ticks = (ticks + 1) % Self.ticksOfPosition
        let separation = pose.message.geo.flatMap { receiver().separation(at: $0) }
        let position = ticks == 0 ? converted.globalPosition(geoidSeparation: separation) : nil
        let odometry = converted.odometry(resetCounter: resets.count)
        let isReceived = send(converted.attitude) && send(odometry) && send(position)
        if !isReceived { ask(MAVLinkPose.heartbeat(nil)) }
    }

    /// - Returns: false if the kernel reports that no program received an earlier datagram.
    private func send(_ message: (some MAVLinkMessage)?) -> Bool {
        guard let message else { return true }
        encoder.write(message)
        return encoder.bytes.withUnsafeBytes { sender.send($0) } != .refused
    }
}

/// Counts changes of the scene frame. These are new generations, and restarts of the daemon, which then numbers the
/// generations anew.
private struct FrameResets {
    private(set) var count: UInt8 = 0
    private var frame: (daemon: UInt64, generation: UInt32)?

    mutating func take(daemon: UInt64, generation: UInt32) {
        if let frame, frame != (daemon, generation) { count &+= 1 }
        frame = (daemon, generation)
    }
}
