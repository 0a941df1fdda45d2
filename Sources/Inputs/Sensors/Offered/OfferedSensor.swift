import Geometry
import Linux
import Model

/// One sensor whose samples a program provides: its mount, its report, and the times of its samples.
struct OfferedSensor {
    let kind: SensorKind
    let status: DeviceStatus
    /// Time of the newest sample, from any program.
    private(set) var newest: BootTime?
    private let mount: DeviceMount
    private let program: String
    private var tally = SampleTally(interval: Self.unknownInterval)
    private var rate = RateEstimate()
    /// Boot time at which the newest sample arrived; nil while the sensor is not streaming. Unit: nanoseconds.
    private var arrival: Int64?
    private var hasDelivered = false

    /// Interval while the rate is unknown. It is so large that no pause counts as a gap. Unit: nanoseconds.
    private static let unknownInterval = Int64.max / 8

    /// - Parameter program: name of the source that provides the samples.
    init(_ kind: SensorKind, program: String, settings: IIOSettings) {
        self.kind = kind
        self.program = program
        let own = settings.mountMatrices[kind]
        mount = DeviceMount(
            matrix: own ?? .identity, origin: own == nil ? "none" : "configuration", sign: settings.signs[kind] ?? 1)
        // While the sensor is missing, its kind serves as its name, as for IIO devices.
        status = DeviceStatus(name: kind.rawValue, identifier: "aid \(program) \(kind.rawValue)")
        status.update { report in
            report.sampling = DeviceReport.Sampling(.program)
            report.clock = StampClock.boottime.rawValue
        }
    }

    /// Report; nil for an optional sensor that has not delivered anything.
    var report: DeviceReport? { hasDelivered || !kind.isOptional ? status.snapshot : nil }

    /// Converts a sample to body axes; nil for a value that no sensor of this kind can measure.
    func measurement(_ sample: SampleBatch.Sample) -> Measurement? {
        let measurement = kind.measurement(sample.value, mount.signedMatrix, time: sample.time)
        return measurement.isInRange ? measurement.rounded : nil
    }

    /// Counts a sample that was accepted.
    /// - Parameter isTaken: whether the queue had room, so that no older sample was dropped.
    mutating func count(_ time: BootTime, isTaken: Bool) {
        newest = time
        tally.accept(at: time.nanoseconds)
        if !isTaken { tally.drop() }
        if let interval = rate.learn(time) { tally.adopt(interval: interval) }
    }

    /// Updates the report after a batch with samples of this sensor.
    ///
    /// - Parameter now: boot time at which the batch arrived. Unit: nanoseconds.
    mutating func flush(temperature: Double?, at now: Int64) {
        if !hasDelivered { describe() }
        hasDelivered = true
        status.update { report in
            tally.flush(into: &report)
            if rate.isKnown { report.grantedRate = 1e9 / Double(tally.interval) }
            if let temperature { report.temperature = temperature }
        }
        if arrival == nil { status.set(.streaming, nil) }
        arrival = now
    }

    /// Detects that samples have stopped.
    ///
    /// - Parameter silence: minimum time without samples. Unit: nanoseconds.
    mutating func observe(at now: Int64, silence: Int64) {
        guard let arrival else { return }
        let maximumSilence = rate.isKnown ? max(silence, 3 * tally.interval) : silence
        guard now - arrival > maximumSilence else { return }
        self.arrival = nil
        status.set(.silent, "no sample for \(Double(maximumSilence / 1_000_000) / 1000) s")
    }

    /// Adapts to a program that has opened or closed the source.
    mutating func follow(isOpen: Bool) {
        arrival = nil
        // Another program may have another rate.
        rate = RateEstimate()
        tally.begin(interval: Self.unknownInterval)
        guard hasDelivered || !kind.isOptional else { return }
        status.set(.searching, Self.detail(program, isOpen: isOpen, hasDelivered: hasDelivered))
    }

    private static func detail(_ program: String, isOpen: Bool, hasDelivered: Bool) -> String {
        if isOpen { return "the source \(program) is open, and has offered no such sample yet" }
        return hasDelivered
            ? "the program that offered the samples of \(program) has gone"
            : "no program has opened the source \(program) for samples: see waymark-protocol(7), org.waymark.Aid"
    }

    /// Replaces the report of a missing sensor with a description of the source's sensor.
    private func describe() {
        let scale = 1 / kind.unitFactor
        status.update { report in
            report.name = "\(program) \(kind.rawValue)"
            report.channels = kind.channelNames.map {
                DeviceReport.Channel(name: $0, format: nil, scale: scale, offset: 0)
            }
            guard kind != .barometer else { return }
            let matrix = mount.matrix.elements
            report.mountMatrix = matrix
            report.mountMatrixOrigin = mount.origin
            report.mountMatrices = [kind: matrix]
            report.axes = [
                DeviceReport.Axes(kind: kind, mountMatrix: matrix, origin: mount.origin, sign: mount.sign)
            ]
        }
    }
}

/// Estimates the sampling interval of a sensor of unknown rate. It takes the mean of the first intervals, because a
/// single one may differ much, for example at the start of a phone's recording.
private struct RateEstimate {
    private var first: BootTime?
    private var intervals: Int64 = 0

    /// Number of intervals averaged.
    private static let needed: Int64 = 16
    /// Shortest interval: 16 kHz. Unit: nanoseconds.
    private static let minimumInterval: Int64 = 62_500

    var isKnown: Bool { intervals >= Self.needed }

    /// Adds the time of a sample; times must increase. Returns the interval once, as soon as it is known. Unit of the
    /// interval: nanoseconds.
    mutating func learn(_ time: BootTime) -> Int64? {
        guard let first else {
            first = time
            return nil
        }
        guard !isKnown else { return nil }
        intervals += 1
        return isKnown ? max((time.nanoseconds - first.nanoseconds) / intervals, Self.minimumInterval) : nil
    }
}
