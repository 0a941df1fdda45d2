import Linux
import Model
import Synchronization

/// Measurement source without hardware, which delivers simulated or recorded measurements in real time.
package final class PacedSource: MeasurementSource {
    /// Returns the next measurement in order of arrival; nil ends the source.
    package typealias Supply = @Sendable () -> Measurement?

    private let name: String
    private let supply: Supply
    private let queue: MeasurementQueue
    private let aids: MeasurementQueue
    private let thread = Mutex<WorkerThread?>(nil)
    private let tallies = Mutex<[PacedSensor: PacedTally]>([:])
    private let ended = Atomic(false)

    /// Prepares the source; `start` begins the delivery.
    ///
    /// - Parameters:
    ///   - name: prefix of the sensors' names in the reports, such as `simulated`.
    ///   - aids: receives other programs' measurements; nil if `queue` receives them too.
    ///   - supply: called from one thread only.
    package init(
        name: String, queue: MeasurementQueue, aids: MeasurementQueue? = nil, supply: @escaping Supply
    ) {
        self.name = name
        self.queue = queue
        self.aids = aids ?? queue
        self.supply = supply
    }

    package func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: name) { [self] stop in deliver(stop) }
        }
    }

    package func requestStop() { thread.withLock { $0?.requestStop() } }

    package func stop(timeoutSeconds: Double) {
        let running = thread.withLock { $0.take() }
        running?.stop(timeoutSeconds: timeoutSeconds)
    }

    /// Whether the supply is exhausted.
    package var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// One report per kind of sensor that has delivered.
    package var reports: [DeviceReport] {
        let tallies = tallies.withLock { $0 }
        return PacedSensor.allCases.compactMap { sensor in
            tallies[sensor].map {
                $0.report(name: "\(name) \(sensor.rawValue)", identifier: name, hasEnded: hasEnded)
            }
        }
    }

    private func queue(for measurement: Measurement) -> MeasurementQueue {
        if case .aid = measurement { aids } else { queue }
    }

    private func deliver(_ stop: StopFlag) {
        var pacer = Pacer()
        while let next = supply(), let measurement = pacer.pace(next, until: stop) {
            let isTaken = queue(for: measurement).push(measurement)
            guard let sensor = PacedSensor(measurement) else { continue }
            tallies.withLock { $0[sensor, default: PacedTally()].count(measurement.time, isTaken: isTaken) }
        }
        if !stop.isSet { ended.store(true, ordering: .releasing) }
    }
}

/// Sensors that a paced source replaces.
private enum PacedSensor: String, CaseIterable {
    case inertial = "inertial unit"
    case magnetometer
    case barometer
    case receiver = "GNSS receiver"

    /// Sensor of a measurement; nil if the measurement has no sensor. Also nil for a specific force, because an
    /// inertial sample is counted by its angular rate.
    init?(_ measurement: Measurement) {
        switch measurement {
        case .angularRate: self = .inertial
        case .magneticField: self = .magnetometer
        case .pressure: self = .barometer
        case .fix: self = .receiver
        case .specificForce, .aid, .clock, .calibration: return nil
        }
    }
}

private struct PacedTally {
    private var samples: UInt64 = 0
    private var dropped: UInt64 = 0
    private var gaps: UInt64 = 0
    private var last: BootTime?
    /// Shortest interval so far, which determines the rate and the gaps. Unit: ns.
    private var interval: Int64?

    mutating func count(_ time: BootTime, isTaken: Bool) {
        samples += 1
        if !isTaken { dropped += 1 }
        if let last, time > last {
            // A recording may contain any times, so their difference may overflow.
            let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
            let passed = overflow ? .max : difference
            if let interval, passed - interval > interval { gaps += 1 }
            interval = min(interval ?? passed, passed)
        }
        last = time
    }

    func report(name: String, identifier: String, hasEnded: Bool) -> DeviceReport {
        var report = DeviceReport(name: name, identifier: identifier, state: hasEnded ? .silent : .streaming)
        report.detail = hasEnded ? "end of the measurements" : nil
        report.grantedRate = interval.map { 1e9 / Double($0) }
        report.clock = "boottime"
        report.samples = samples
        report.gaps = gaps
        report.dropped = dropped
        report.lastSample = last
        return report
    }
}

/// Delivers prepared measurements in real time: shifts their timestamps to boot time, and waits until each is due.
///
/// After a delay of more than a second (a suspend, or a stop in a debugger), the remaining measurements are shifted to
/// later times and not delivered all at once. This appears as a gap.
struct Pacer {
    /// Offset from the original timestamps to boot time. Unit: ns.
    private var shift: Int64?

    /// Maximum delay after which pacing still catches up. Unit: ns.
    private static let patience: Int64 = 1_000_000_000
    /// Shortest wait for which a sleep is worthwhile. Unit: ns.
    private static let slack: Int64 = 500_000

    /// Waits until `measurement` is due, and returns it with its timestamps in boot time.
    ///
    /// - Returns: nil if `stop` was set meanwhile.
    mutating func pace(_ measurement: Measurement, until stop: StopFlag) -> Measurement? {
        let now = BootClock.nanoseconds
        let arrival = measurement.arrival.nanoseconds
        var shift = self.shift ?? now &- arrival
        if now &- (arrival &+ shift) > Self.patience { shift = now &- arrival }
        self.shift = shift
        let early = arrival &+ shift &- now
        if early > Self.slack { _ = stop.wait(seconds: Double(early) * 1e-9) }
        return stop.isSet ? nil : measurement.shifted(by: shift)
    }
}
