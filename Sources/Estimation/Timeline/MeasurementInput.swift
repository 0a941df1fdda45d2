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
            patience: settings.inertial.pairingSeconds, staleAfter: settings.inertial.gapSeconds)
    }

    var heldForces: UInt64 { assembler.held }
    var lastForce: BootTime? { forces.latest }
    var lastRate: BootTime? { rates.latest }

    mutating func admit(_ measurement: Measurement, _ counters: inout MeasurementCounters) -> Verdict {
        guard check(measurement, &counters) else { return .refused }
        let verdict: StreamGuard.Verdict
        switch measurement {
        case .angularRate(let sample): verdict = rates.admit(sample.time)
        case .specificForce(let sample): verdict = forces.admit(sample.time)
        case .magneticField(let sample):
            let admitted = fields.admit(sample.time)
            // The inertial streams alone say that the clock was set back.
            verdict = admitted == .steppedBack ? .accepted : admitted
        case .fix(let fix): verdict = admit(epoch: fix.epoch)
        case .clock(let time): verdict = clocks.admit(time) == .leaped ? .leaped : .accepted
        case .pressure: verdict = .accepted
        }
        switch verdict {
        case .accepted: counters.accepted += 1
        case .duplicate: counters.duplicate += 1
        case .reordered: counters.reordered += 1
        case .leaped: counters.fromTheFuture += 1
        case .steppedBack:
            counters.accepted += 1
            counters.clockSteps += 1
            return .steppedBack
        }
        return verdict == .accepted ? .accepted : .refused
    }

    private mutating func admit(epoch: BootTime) -> StreamGuard.Verdict {
        for index in 0..<epochs.count where epochs[index] == epoch { return .duplicate }
        epochs.append(epoch)
        return .accepted
    }

    private func check(_ measurement: Measurement, _ counters: inout MeasurementCounters) -> Bool {
        guard measurement.time.nanoseconds.magnitude <= Self.largestStamp else {
            counters.outOfRange += 1
            return false
        }
        switch measurement {
        case .angularRate(let sample):
            return check(sample.rate, limit: settings.inertial.largestRate, &counters)
        case .specificForce(let sample):
            return check(sample.force, limit: settings.inertial.largestForce, &counters)
        case .magneticField(let sample):
            return check(sample.field, limit: settings.magnetic.largestField, &counters)
        case .pressure(let sample):
            guard sample.pressureHectopascal.isFinite else {
                counters.notFinite += 1
                return false
            }
            guard settings.height.isPlausible(pressureHectopascal: sample.pressureHectopascal) else {
                counters.outOfRange += 1
                return false
            }
            return true
        case .fix, .clock: return true
        }
    }

    /// 146 years: no clock is there, and sums of two such stamps do not overflow. Unit: nanoseconds.
    private static let largestStamp: UInt64 = 1 << 62

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

    mutating func push(_ measurement: Measurement) {
        switch measurement {
        case .angularRate(let sample): assembler.push(sample)
        case .specificForce(let sample): assembler.push(sample)
        default: break
        }
    }

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
