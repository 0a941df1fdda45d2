import Linux
import Measurements
import Synchronization

/// Measurements that are made without hardware, by a simulation or from a recording, at the pace of the clock.
public final class PacedSource: MeasurementSource {
    /// Gives the next measurement in order of arrival; nil ends the source.
    public typealias Supply = @Sendable () -> Measurement?

    private let name: String
    private let supply: Supply
    private let queue: MeasurementQueue
    private let thread = Mutex<WorkerThread?>(nil)
    private let tallies = Mutex<[PacedSensor: PacedTally]>([:])
    private let ended = Atomic(false)

    /// - Parameters:
    ///   - name: what goes before each sensor's name in the reports, such as `simulated`.
    ///   - supply: called from one thread only.
    public init(name: String, queue: MeasurementQueue, supply: @escaping Supply) {
        self.name = name
        self.queue = queue
        self.supply = supply
    }

    public func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: name) { [self] stop in deliver(stop) }
        }
    }

    public func requestStop() { thread.withLock { $0?.requestStop() } }

    public func stop(timeoutSeconds: Double) {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.stop(timeoutSeconds: timeoutSeconds)
    }

    public var hasEnded: Bool { ended.load(ordering: .acquiring) }

    public var reports: [DeviceReport] {
        let tallies = tallies.withLock { $0 }
        return PacedSensor.allCases.compactMap { sensor in
            tallies[sensor].map {
                $0.report(name: "\(name) \(sensor.rawValue)", identifier: name, hasEnded: hasEnded)
            }
        }
    }

    private func deliver(_ stop: StopFlag) {
        var pacer = Pacer()
        while let next = supply(), let measurement = pacer.pace(next, until: stop) {
            let isTaken = queue.push(measurement)
            guard let sensor = PacedSensor(measurement) else { continue }
            tallies.withLock { $0[sensor, default: PacedTally()].count(measurement.time, isTaken: isTaken) }
        }
        if !stop.isSet { ended.store(true, ordering: .releasing) }
    }
}

/// What a paced source stands in for.
private enum PacedSensor: String, CaseIterable {
    case inertial = "inertial unit"
    case magnetometer
    case barometer
    case receiver = "GNSS receiver"

    /// Nil for what no sensor delivers, and for the half of an inertial sample that is counted with the other.
    init?(_ measurement: Measurement) {
        switch measurement {
        case .angularRate: self = .inertial
        case .magneticField: self = .magnetometer
        case .pressure: self = .barometer
        case .fix: self = .receiver
        case .specificForce, .clock, .calibration: return nil
        }
    }
}

/// What one of them has delivered.
private struct PacedTally {
    private var samples: UInt64 = 0
    private var dropped: UInt64 = 0
    private var gaps: UInt64 = 0
    private var last: BootTime?
    /// The shortest so far, for the rate and to tell gaps by. Nanoseconds.
    private var interval: Int64?

    mutating func count(_ time: BootTime, isTaken: Bool) {
        samples += 1
        if !isTaken { dropped += 1 }
        if let last, time > last {
            // A recording may say anything: the two may lie farther apart than nanoseconds can tell.
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
