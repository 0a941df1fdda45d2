import Linux
import WaymarkClient

/// Provides orientation, tilt and heading to clients of iio-sensor-proxy.
///
/// Poses are acquired only while a client claims the accelerometer or the compass, so that the sensors can run more
/// slowly at other times.
package final class SensorProxyOutput: BridgeOutput {
    private let reactor: Reactor
    private let poses: PoseSource
    private let hasPoses: () -> Bool
    private let service: SensorService
    private var readings = SensorReadings()
    private var isClaimed = false
    private var claimed: Int64 = 0
    private var timer: TimerIdentifier?

    /// Interval at which the newest pose is read while a sensor is claimed. It is short, so that a rotation of the
    /// display is followed without visible delay. Unit: ns.
    private static let interval: Int64 = 100_000_000
    /// Interval at which the presence of a daemon with poses is checked while no sensor is claimed. Unit: ns.
    private static let idleInterval: Int64 = 1_000_000_000
    /// Longest time that a claim waits for the first pose, far below the clients' timeout of 25 s. Unit: ns.
    private static let startTime: Int64 = 3_000_000_000

    package var description: String { "orientation and compass as net.hadess.SensorProxy on the system bus" }

    /// Starts connecting to the bus.
    ///
    /// - Parameters:
    ///   - bus: address of the bus; nil for the system bus.
    ///   - hasPoses: whether there is a daemon with poses, according to its status.
    package init(_ reactor: Reactor, poses: PoseSource, bus: String? = nil, hasPoses: @escaping () -> Bool) {
        self.reactor = reactor
        self.poses = poses
        self.hasPoses = hasPoses
        service = SensorService(reactor, at: bus ?? BusConnection.systemAddress)
        service.onClaims = { [unowned self] in follow($0) }
        service.connect()
        schedule(Self.idleInterval)
    }

    package func close() {
        if let timer { reactor.cancel(timer) }
        timer = nil
        service.close()
        if isClaimed { poses.release() }
        isClaimed = false
    }

    private func follow(_ sensors: ProxySensors) {
        let wanted = !sensors.isDisjoint(with: .ofPoses)
        guard wanted != isClaimed else { return }
        isClaimed = wanted
        if wanted {
            poses.acquire()
            claimed = Reactor.now
            service.isStarting = true
            schedule(Self.interval)
        } else {
            poses.release()
            service.answerClaims()
            schedule(Self.idleInterval)
        }
    }

    private func schedule(_ interval: Int64) {
        if let timer { reactor.cancel(timer) }
        timer = reactor.every(interval) { [unowned self] in look() }
    }

    private func look() {
        guard isClaimed else {
            let changes = readings.update(isPresent: hasPoses())
            service.publish(readings, changes)
            return
        }
        let pose = poses.newest
        // While the ring is being connected, the daemon is assumed to be present.
        guard pose != nil || !service.isStarting || Reactor.now - claimed >= Self.startTime else { return }
        let changes = readings.update(pose, at: Reactor.now)
        service.publish(readings, changes)
        if service.isStarting { service.answerClaims() }
    }
}
