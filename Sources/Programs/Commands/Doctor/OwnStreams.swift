import Configuration
import Documents
import Geometry
import Linux
import Model
import Persistence
import Sensors
import Service

/// Survey of samples that this program itself reads from the sensors while no daemon uses them.
struct OwnStreams {
    let settings: Configuration.IIO
    let calibrations: [DeviceCalibration]
    let seconds: Double

    /// Time limit for finding and starting the devices. Unit: s.
    private static let patience = 8.0
    /// Number of samples that the queue can hold: more than a minute of the fastest board.
    private static let capacity = 1 << 20

    /// - Parameter stop: ends the survey early.
    func look(_ stop: StopFlag) -> [StreamFacts] {
        let wake = EventDescriptor()
        let queue = MeasurementQueue(capacity: Self.capacity, wake: wake)
        let source = IIOSource(settings: IIOSettings(settings), queue: queue)
        source.setPace(.following(interval: 0.04))
        source.start()
        settle(source, stop)
        // Earlier samples come only from the devices that were found first, so they are discarded.
        while queue.pop() != nil {}
        let before = source.reports
        let started = BootClock.nanoseconds
        wait(seconds, for: source, stop) { false }
        let reports = source.reports
        let passed = max(Double(BootClock.nanoseconds - started) * 1e-9, 0.001)
        source.stop()
        var samples = Samples(calibrations: inForce(reports))
        while let measurement = queue.pop() { samples.take(measurement) }
        return streams(reports, before, passed, samples.summaries)
    }

    /// Waits until each device that was found delivers samples or reports a problem, but not longer than `patience`.
    private func settle(_ source: IIOSource, _ stop: StopFlag) {
        wait(Self.patience, for: source, stop) {
            let reports = source.reports
            let isSettled = reports.allSatisfy { $0.lastSample != nil || $0.channels.isEmpty && $0.detail != nil }
            return !reports.isEmpty && isSettled
        }
    }

    /// Collects samples for some seconds, or until a condition is met.
    private func wait(_ seconds: Double, for source: IIOSource, _ stop: StopFlag, until isMet: () -> Bool) {
        let end = BootClock.nanoseconds + Int64(seconds * 1e9)
        while BootClock.nanoseconds < end, !stop.wait(seconds: 0.1) {
            source.collect()
            if isMet() { return }
        }
    }

    private func inForce(_ reports: [DeviceReport]) -> [SensorCalibration] {
        let accelerometer = reports.lazy.compactMap { $0.mounts[.accelerometer] }.first
        return reports.flatMap { report in
            let mounts = report.mounts
            let device = CalibratedDevice(
                name: report.name, label: report.label, serial: report.serial, location: report.location)
            let records = calibrations.first { $0.device == device }?.sensors ?? []
            return records.compactMap { records -> SensorCalibration? in
                guard let mount = mounts[records.sensor.kind] else { return nil }
                let record = records.present.turned(to: mount, accelerometer: accelerometer)
                return record.flaw == nil ? record.calibration(at: BootTime(nanoseconds: 0)) : nil
            }
        }
    }

    private func streams(
        _ reports: [DeviceReport], _ before: [DeviceReport], _ passed: Double,
        _ summaries: [SensorFacts.Kind: SampleSummary]
    ) -> [StreamFacts] {
        reports.flatMap { report in
            let first = before.first { $0.identifier == report.identifier }?.samples ?? 0
            return SensorKinds.of(channels: report.channels.map(\.name), name: report.name).map { kind in
                var stream = StreamFacts(kind, of: report.message(now: BootClock.nanoseconds))
                stream.countedRate = Double(report.samples - min(first, report.samples)) / passed
                stream.summary = summaries[kind]
                return stream
            }
        }
    }
}

/// Calibrated samples of some seconds, by sensor. Frame: body.
struct Samples {
    private struct Series {
        var nanoseconds: [Int64] = []
        var values: [Vector3] = []
    }

    private var series: [SensorFacts.Kind: Series] = [:]
    private var calibrations: [SensorCalibration.Sensor: SensorCalibration] = [:]

    /// Maximum number of samples per sensor: a minute of the fastest sensor.
    private static let maximumCount = 300_000

    init(calibrations: [SensorCalibration] = []) {
        for calibration in calibrations { self.calibrations[calibration.sensor] = calibration }
    }

    mutating func take(_ measurement: Measurement) {
        switch measurement {
        case .specificForce(let sample): add(.accelerometer, .accelerometer, sample.time, sample.force)
        case .angularRate(let sample): add(.gyroscope, .gyroscope, sample.time, sample.rate)
        case .magneticField(let sample): add(.magnetometer, .magnetometer, sample.time, sample.field)
        case .calibration(let calibration): calibrations[calibration.sensor] = calibration
        case .pressure, .fix, .aid, .clock: break
        }
    }

    private mutating func add(
        _ kind: SensorFacts.Kind, _ sensor: SensorCalibration.Sensor, _ time: BootTime, _ value: Vector3
    ) {
        guard value.isFinite, series[kind, default: Series()].values.count < Self.maximumCount else { return }
        let own = calibrations[sensor]?.applied(to: value) ?? value
        series[kind, default: Series()].nanoseconds.append(time.nanoseconds)
        series[kind, default: Series()].values.append(calibrations[.mount]?.applied(to: own) ?? own)
    }

    var summaries: [SensorFacts.Kind: SampleSummary] {
        series.compactMapValues { SampleSummary(nanoseconds: $0.nanoseconds, values: $0.values) }
    }
}
