import Geometry
import Model

/// Validates and counts incoming measurements, and pairs the inertial samples.
///
/// The value stores its settings. Everything that another module reads at each sample is a stored property, because
/// reading a computed property would copy the whole value.
package struct MeasurementInput: Sendable, Codable {
    package enum Verdict: Hashable, Sendable {
        case accepted
        case refused
        /// The measurement is accepted as the first after the clock was set back.
        case steppedBack
    }

    private let settings: IntakeSettings
    /// Queue that pairs the accepted inertial samples.
    package var assembler: InertialAssembler
    /// Time stamps of the gyroscope.
    package private(set) var rates = StreamGuard()
    /// Time stamps of the accelerometer.
    package private(set) var forces = StreamGuard()
    private var fields = StreamGuard()
    private var clocks = StreamGuard()
    private var cameras = CameraGuard()
    private var offers = OfferGuard()
    private let exposureInterval: Double
    /// Epochs of recent fixes, which may arrive in any order.
    private var epochs = Ring<BootTime>(capacity: Self.epochCount)

    /// Largest number of epochs kept.
    private static let epochCount = 32

    package init(settings: IntakeSettings, estimator: EstimatorSettings) {
        self.settings = settings
        exposureInterval = estimator.camera.minimumInterval
        assembler = InertialAssembler(settings: settings, inertial: estimator.inertial)
    }

    package mutating func admit(_ sample: AngularRateSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.rate, limit: settings.maximumRate, &counters) else {
            return .refused
        }
        return count(rates.admit(sample.time), &counters)
    }

    package mutating func admit(_ sample: SpecificForceSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.force, limit: settings.maximumForce, &counters)
        else { return .refused }
        return count(forces.admit(sample.time), &counters)
    }

    package mutating func admit(_ sample: MagneticSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.field, limit: settings.maximumField, &counters)
        else { return .refused }
        let verdict = fields.admit(sample.time)
        // Only the inertial streams can reveal that the clock was set back.
        return count(verdict == .steppedBack ? .accepted : verdict, &counters)
    }

    package mutating func admit(_ sample: PressureSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), require(sample.pressureHectopascal.isFinite, &counters.notFinite),
            require(settings.pressures.contains(sample.pressureHectopascal), &counters.outOfRange)
        else { return .refused }
        return count(.accepted, &counters)
    }

    package mutating func admit(_ fix: GNSSFix, _ counters: inout MeasurementCounters) -> Verdict {
        // The range is checked before the epoch is recorded as used. A reader of recordings omits a fix that is out of
        // range, and a replay must accept the same fixes.
        guard check(fix.epoch, &counters), require(fix.isInRange, &counters.outOfRange) else { return .refused }
        return count(admit(epoch: fix.epoch), &counters)
    }

    package mutating func admit(_ aid: AidMeasurement, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(aid.time, &counters), require(aid.isInRange, &counters.outOfRange) else { return .refused }
        guard case .odometry(let pose) = aid.content else {
            return offers.admit(aid) ? count(.accepted, &counters) : .refused
        }
        guard pose.tracking >= OdometryPose.minimumTracking,
            let verdict = cameras.admit(aid, minimumInterval: exposureInterval)
        else { return .refused }
        return count(verdict, &counters)
    }

    /// Validates a calibration; nil if it is refused.
    package mutating func admit(_ calibration: SensorCalibration, _ counters: inout MeasurementCounters)
        -> SensorCalibration?
    {
        guard check(calibration.time, &counters), require(calibration.isFinite, &counters.notFinite) else { return nil }
        guard let usable = calibration.usable(settings) else {
            counters.outOfRange += 1
            return nil
        }
        counters.accepted += 1
        return usable
    }

    package mutating func admit(clock time: BootTime, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(time, &counters) else { return .refused }
        return count(clocks.admit(time) == .jumpedAhead ? .jumpedAhead : .accepted, &counters)
    }

    @inline(__always)
    private func count(_ verdict: StreamGuard.Verdict, _ counters: inout MeasurementCounters) -> Verdict {
        switch verdict {
        case .accepted:
            counters.accepted += 1
            return .accepted
        case .steppedBack:
            counters.accepted += 1
            counters.clockSteps += 1
            return .steppedBack
        case .duplicate: counters.duplicate += 1
        case .reordered: counters.reordered += 1
        case .jumpedAhead: counters.fromTheFuture += 1
        }
        return .refused
    }

    private mutating func admit(epoch: BootTime) -> StreamGuard.Verdict {
        for index in 0..<epochs.count where epochs[index] == epoch { return .duplicate }
        epochs.append(epoch)
        return .accepted
    }

    @inline(__always)
    private func check(_ time: BootTime, _ counters: inout MeasurementCounters) -> Bool {
        require(MeasurementRange.holds(time), &counters.outOfRange)
    }

    @inline(__always)
    private func check(_ vector: Vector3, limit: Double, _ counters: inout MeasurementCounters) -> Bool {
        require(vector.isFinite, &counters.notFinite) && require(vector.norm <= limit, &counters.outOfRange)
    }

    /// Returns whether a condition is met. If not, counts the measurement as refused.
    @inline(__always)
    private func require(_ isMet: Bool, _ refused: inout UInt64) -> Bool {
        if !isMet { refused += 1 }
        return isMet
    }

    /// Restarts the streams after the clock was set back. The stream whose sample was just accepted keeps its time.
    package mutating func restart() {
        assembler.restart()
        rates.restart()
        forces.restart()
        fields.restart()
        clocks.restart()
        epochs.removeAll()
        cameras = CameraGuard()
        offers = OfferGuard()
    }
}

/// Checks the time stamps of one stream. They must increase.
package struct StreamGuard: Sendable, Codable {
    package enum Verdict: Hashable, Sendable {
        case accepted
        case duplicate
        /// The sample is older than an earlier sample of the stream.
        case reordered
        /// The time stamp is far ahead of all earlier ones and is not yet confirmed.
        case jumpedAhead
        /// The clock was set back. Time stamps continue from this sample.
        case steppedBack
    }

    package private(set) var latest: BootTime?
    private var backward = 0
    private var previous: BootTime?
    private var unconfirmed: BootTime?

    /// Number of successive, increasing, but too old time stamps that show that the clock was set back.
    private static let backwardToConfirm = 50
    /// Largest time by which a time stamp may be ahead of the latest one without confirmation by the next. Otherwise a
    /// single wrong time stamp would make all later ones look old. Unit: seconds.
    private static let maximumJump = 10.0

    mutating func admit(_ time: BootTime) -> Verdict {
        guard let latest, time <= latest else { return admitAhead(time) }
        defer { previous = time }
        if time == latest { return .duplicate }
        backward = previous.map { $0 < time } ?? true ? backward + 1 : 1
        guard backward >= Self.backwardToConfirm else { return .reordered }
        self.latest = time
        backward = 0
        return .steppedBack
    }

    private mutating func admitAhead(_ time: BootTime) -> Verdict {
        if let latest, time.seconds(since: latest) > Self.maximumJump {
            let isConfirmed = unconfirmed.map { time > $0 && time.seconds(since: $0) <= Self.maximumJump } ?? false
            guard isConfirmed else {
                unconfirmed = time
                return .jumpedAhead
            }
        }
        latest = time
        unconfirmed = nil
        backward = 0
        return .accepted
    }

    mutating func restart() { self = StreamGuard() }
}

/// Counts of accepted and refused measurements since the start, by cause.
public struct MeasurementCounters: Hashable, Sendable, Codable {
    /// Number of accepted measurements.
    public var accepted: UInt64 = 0
    /// Number of measurements with a NaN or an infinity.
    public var notFinite: UInt64 = 0
    /// Number of measurements beyond the range of any sensor.
    public var outOfRange: UInt64 = 0
    /// Number of measurements with the same time stamp as the previous measurement.
    public var duplicate: UInt64 = 0
    /// Number of measurements older than an earlier measurement of the same stream.
    public var reordered: UInt64 = 0
    /// Number of fixes, offers, magnetic samples and pressure samples that were too old to be applied at their own
    /// time.
    public var tooLate: UInt64 = 0
    /// Number of measurements whose time stamp was far ahead of earlier time stamps or of the inertial sensors.
    public var fromTheFuture: UInt64 = 0
    /// Number of angular rates that were paired with an old force because no new force arrived in time.
    public var heldForces: UInt64 = 0
    /// Number of gaps in the inertial stream.
    public var gaps: UInt64 = 0
    /// Number of times that the clock was set back.
    public var clockSteps: UInt64 = 0
    /// Number of times that the filter was restarted because its state was no longer finite.
    public var restarts: UInt64 = 0

    package init() {}

    /// Number of refused measurements.
    public var refused: UInt64 { notFinite + outOfRange + duplicate + reordered + tooLate + fromTheFuture }
}

extension MeasurementInput: CheckedState {
    package mutating func settle() -> Bool { epochs.limit(to: Self.epochCount) }
}
