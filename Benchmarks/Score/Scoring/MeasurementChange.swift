import Geometry
import Model
import Simulation

/// Flaw of a sensor, a receiver or the surroundings that the simulation does not have by itself.
package enum MeasurementChange: Hashable, Sendable {
    /// The receiver measures no velocity.
    case withoutVelocity
    /// One fix of this many is delivered.
    case oneFixOf(Int)
    /// Only the first fix is delivered.
    case firstFixAlone
    /// Fixes jump by 15 to 40 m for some seconds, about once a minute.
    case jumps
    /// Gyroscope bias in a random direction. Unit: degrees per second.
    case gyroscopeOffset(degreesPerSecond: Double)
    /// Scale-factor error of the gyroscope.
    case gyroscopeScale(Double)
    /// Accelerometer bias in a random direction. Unit: m/s².
    case accelerometerOffset(Double)
    /// Field added from a time on. Frame: ENU. Units: microtesla, seconds.
    case field(Vector3, from: Double)
    /// Air pressure added from a time on. Units: hectopascal, seconds.
    case pressure(Double, from: Double)
    /// Time stamps of the inertial samples are late against those of all others. Unit: seconds.
    case inertialStamps(late: Double)
    /// The board is switched on only then. Unit: seconds.
    case begins(at: Double)
}

/// Applies the changes of one walk to its measurements, in their order.
struct MeasurementChanger {
    private let changes: [MeasurementChange]
    private let start: BootTime
    private let plane: LocalTangentPlane
    private let direction: Vector3
    private let jumps: [Jump]
    private var fixes = 0

    private struct Jump {
        var seconds: ClosedRange<Double>
        /// Frame: ENU. Unit: metres.
        var offset: Vector3
    }

    init(_ condition: ScoreCondition, seed: UInt64, start: BootTime, plane: LocalTangentPlane) {
        changes = condition.changes
        self.start = start
        self.plane = plane
        var random = RandomSource(seed: seed, stream: 101)
        direction = random.normalVector(1).normalized ?? Vector3(1, 0, 0)
        jumps = Self.jumps(until: condition.seconds, &random)
    }

    private static func jumps(until end: Double, _ random: inout RandomSource) -> [Jump] {
        var jumps: [Jump] = []
        var next = random.uniform(in: 70...100)
        while next < end {
            let seconds = next...(next + random.uniform(in: 6...20))
            let turn = Rotation3.aboutZ(random.uniform(in: 0...(2 * .pi)))
            jumps.append(Jump(seconds: seconds, offset: turn * Vector3(random.uniform(in: 15...40), 0, 0)))
            next = seconds.upperBound + random.uniform(in: 30...70)
        }
        return jumps
    }

    /// The measurement as it is delivered; nil for one that is not.
    ///
    /// - Parameter rotationENUFromBody: attitude of the board at the measurement.
    mutating func delivered(_ measurement: Measurement, rotationENUFromBody: Rotation3) -> Measurement? {
        let seconds = measurement.time.seconds(since: start)
        var result = measurement
        for change in changes {
            guard let changed = apply(change, result, seconds, rotationENUFromBody) else { return nil }
            result = changed
        }
        return result
    }

    private mutating func apply(
        _ change: MeasurementChange, _ measurement: Measurement, _ seconds: Double, _ rotation: Rotation3
    ) -> Measurement? {
        switch (change, measurement) {
        case (.begins(let time), .calibration): return seconds < time ? measurement : nil
        case (.begins(let time), _): return seconds < time ? nil : measurement
        case (.inertialStamps(let late), _): return stamped(measurement, earlier: late)
        case (_, .fix(let fix)): return apply(change, fix, seconds).map { .fix($0) }
        case (.gyroscopeOffset(let size), .angularRate(var sample)):
            sample.rate += direction * (size * .pi / 180)
            return .angularRate(sample)
        case (.gyroscopeScale(let error), .angularRate(var sample)):
            sample.rate = sample.rate * (1 + error)
            return .angularRate(sample)
        case (.accelerometerOffset(let size), .specificForce(var sample)):
            sample.force += direction * size
            return .specificForce(sample)
        case (.field(let field, let from), .magneticField(var sample)) where seconds >= from:
            sample.field += rotation.inverse * field
            return .magneticField(sample)
        case (.pressure(let step, let from), .pressure(var sample)) where seconds >= from:
            sample.pressureHectopascal += step
            return .pressure(sample)
        default: return measurement
        }
    }

    private mutating func apply(_ change: MeasurementChange, _ fix: GNSSFix, _ seconds: Double) -> GNSSFix? {
        var fix = fix
        switch change {
        case .withoutVelocity:
            fix.velocityENU = .init(east: nil, north: nil, up: nil)
            fix.velocitySigma = nil
        case .oneFixOf(let number):
            fixes += 1
            return fixes % number == 1 ? fix : nil
        case .firstFixAlone:
            fixes += 1
            return fixes == 1 ? fix : nil
        case .jumps:
            guard let jump = jumps.first(where: { $0.seconds.contains(seconds) }) else { break }
            fix.position = plane.position(ofENU: plane.pointENU(of: fix.position) + jump.offset) ?? fix.position
        default: break
        }
        return fix
    }

    private func stamped(_ measurement: Measurement, earlier late: Double) -> Measurement {
        let shift = Int64(-late * 1e9)
        switch measurement {
        case .fix(var fix):
            fix.epoch = fix.epoch.shifted(by: shift)
            return .fix(fix)
        case .magneticField(var sample):
            sample.time = sample.time.shifted(by: shift)
            return .magneticField(sample)
        case .pressure(var sample):
            sample.time = sample.time.shifted(by: shift)
            return .pressure(sample)
        default: return measurement
        }
    }
}
