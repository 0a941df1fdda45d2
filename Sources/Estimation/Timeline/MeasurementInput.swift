import Geometry
import Measurements

/// The gate at the entrance: refuses what cannot be, counts it, and pairs the inertial samples.
package struct MeasurementInput: Sendable {
    package enum Verdict: Hashable, Sendable {
        case accepted
        case refused
        /// Accepted, and the first after the clock was set back.
        case steppedBack
    }

    private let settings: EstimatorSettings
    private var assembler: InertialAssembler
    private var rates = StreamGuard()
    private var forces = StreamGuard()
    private var fields = StreamGuard()
    private var clocks = StreamGuard()
    /// Epochs seen lately: fixes may come in any order.
    private var epochs = Ring<BootTime>(capacity: 32)

    package init(settings: EstimatorSettings) {
        self.settings = settings
        assembler = InertialAssembler(
            patience: settings.inertial.pairingSeconds, staleAfter: settings.inertial.gapSeconds,
            lostAfter: settings.inertial.lostSeconds)
    }

    var heldForces: UInt64 { assembler.held }
    var lastForce: BootTime? { forces.latest }
    var lastRate: BootTime? { rates.latest }

    mutating func admit(_ sample: AngularRateSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.rate, limit: settings.inertial.largestRate, &counters) else {
            return .refused
        }
        return count(rates.admit(sample.time), &counters)
    }

    mutating func admit(_ sample: SpecificForceSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.force, limit: settings.inertial.largestForce, &counters)
        else { return .refused }
        return count(forces.admit(sample.time), &counters)
    }

    mutating func admit(_ sample: MagneticSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters), check(sample.field, limit: settings.magnetic.largestField, &counters)
        else { return .refused }
        let verdict = fields.admit(sample.time)
        // The inertial streams alone say that the clock was set back.
        return count(verdict == .steppedBack ? .accepted : verdict, &counters)
    }

    mutating func admit(_ sample: PressureSample, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(sample.time, &counters) else { return .refused }
        guard sample.pressureHectopascal.isFinite else {
            counters.notFinite += 1
            return .refused
        }
        guard settings.height.isPlausible(pressureHectopascal: sample.pressureHectopascal) else {
            counters.outOfRange += 1
            return .refused
        }
        return count(.accepted, &counters)
    }

    mutating func admit(_ fix: GNSSFix, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(fix.epoch, &counters) else { return .refused }
        return count(admit(epoch: fix.epoch), &counters)
    }

    /// - Returns: the calibration as it can be put in force; nil where it is refused.
    mutating func admit(_ calibration: SensorCalibration, _ counters: inout MeasurementCounters) -> SensorCalibration? {
        guard check(calibration.time, &counters) else { return nil }
        guard calibration.isFinite else {
            counters.notFinite += 1
            return nil
        }
        guard let usable = calibration.usable(settings) else {
            counters.outOfRange += 1
            return nil
        }
        counters.accepted += 1
        return usable
    }

    mutating func admit(clock time: BootTime, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(time, &counters) else { return .refused }
        return count(clocks.admit(time) == .leaped ? .leaped : .accepted, &counters)
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
        case .leaped: counters.fromTheFuture += 1
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
        guard time.nanoseconds.magnitude <= Self.largestStamp else {
            counters.outOfRange += 1
            return false
        }
        return true
    }

    /// 146 years: no clock is there, and sums of two such stamps do not overflow. Unit: nanoseconds.
    private static let largestStamp: UInt64 = 1 << 62

    @inline(__always)
    private func check(_ vector: Vector3, limit: Double, _ counters: inout MeasurementCounters) -> Bool {
        guard vector.isFinite else {
            counters.notFinite += 1
            return false
        }
        guard vector.norm <= limit else {
            counters.outOfRange += 1
            return false
        }
        return true
    }

    mutating func push(_ sample: AngularRateSample) { assembler.push(sample) }

    mutating func push(_ sample: SpecificForceSample) { assembler.push(sample) }

    /// Corrects anew what waits.
    mutating func follow(_ change: CorrectionChange) { assembler.follow(change) }

    mutating func pop() -> InertialSample? { assembler.pop() }

    /// Everything counts from here anew; what is being taken just now stays known to its stream.
    mutating func restart() {
        assembler.restart()
        rates.restart()
        forces.restart()
        fields.restart()
        clocks.restart()
        epochs.removeAll()
    }
}
