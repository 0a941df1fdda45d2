import Geometry

/// A sample of the field, with the up direction and the attitude at the same time.
///
/// Frame: body. Units: the field in measured units, forces as fractions of gravity.
package struct MagneticPoint {
    /// Time since the first sample. Unit: seconds.
    package var time: Double
    /// Raw magnetic field. Measured units.
    package var field: Vector3
    /// Specific force that the accelerometer would measure at rest, including its bias; nil without forces. Unit:
    /// fractions of gravity.
    package var up: Vector3?
    /// Derivative of `up` with respect to the accelerometer's bias. For an instantaneous force it is the identity. For
    /// a mean force, it is the mean rotation of the force's samples into the body's axes at `time`.
    package var upFromBias = Matrix<3, 3>.identity
    /// RMS difference of the force's magnitude from gravity around this time, as a fraction of gravity.
    package var acceleration = 0.0
    /// Rotation from the body to the inertial frame of the gyroscope's track; nil without rates.
    package var attitude: Rotation3?

    package init(time: Double, field: Vector3, up: Vector3? = nil) {
        self.time = time
        self.field = field
        self.up = up
    }
}

/// Fields, each with the forces and rates at its time.
struct MagneticPoints {
    private(set) var points: [MagneticPoint]
    /// Whether the rates agree with the rotation of force and field.
    private(set) var hasOrientation = false
    private(set) var hasForces = false

    /// - Parameters:
    ///   - fields, forces, rates: samples in order of time. Forces and rates are corrected by their calibrations, if
    ///     any.
    ///   - start: approximate ellipsoid of the fields.
    init(
        fields: [MagneticStore.Sample], forces: [MagneticStore.Sample], rates: [MagneticStore.Sample],
        start: FieldEllipsoid
    ) {
        points = fields.map { MagneticPoint(time: $0.time, field: $0.value) }
        let strength = median(forces.map(\.value.norm))
        guard forces.count >= MagnetometerLimits.minimumSampleCount, strength > 0, strength.isFinite else { return }
        let forces = forces.map { MagneticStore.Sample(time: $0.time, value: $0.value / strength) }
        hasForces = true
        hasOrientation = join(forces, OrientationTrack(rates), start)
        if !hasOrientation { join(forces) }
    }

    /// Finds up directions from instantaneous forces.
    private mutating func join(_ forces: [MagneticStore.Sample]) {
        var first = 0
        for index in points.indices {
            points[index].attitude = nil
            let time = points[index].time
            while first < forces.count, forces[first].time < time - MagnetometerLimits.upReach { first += 1 }
            var (sum, count) = (Vector3.zero, 0.0)
            var (squares, around) = (0.0, 0.0)
            var nearest: (Double, Vector3)?
            var next = first
            while next < forces.count, forces[next].time <= time + MagnetometerLimits.upReach {
                let (age, force) = ((forces[next].time - time).magnitude, forces[next].value)
                if age <= MagnetometerLimits.instantReach {
                    sum += force
                    count += 1
                }
                if age <= Self.accelerationReach {
                    squares += (force.norm - 1) * (force.norm - 1)
                    around += 1
                }
                if age < nearest?.0 ?? MagnetometerLimits.trackGap { nearest = (age, force) }
                next += 1
            }
            points[index].up = count > 0 ? sum / count : nearest?.1
            points[index].acceleration = around > 0 ? (squares / around).squareRoot() : 0
        }
    }

    /// Finds up directions from forces that are averaged along the gyroscope's track. The average is symmetric in time,
    /// so that gyroscope drift cancels. Returns false if the rates do not agree with the forces; the points are then
    /// unusable.
    private mutating func join(_ forces: [MagneticStore.Sample], _ track: OrientationTrack, _ start: FieldEllipsoid)
        -> Bool
    {
        let attitudes = track.attitudes(at: points.map(\.time))
        let turns = track.attitudes(at: forces.map(\.time))
        guard attitudes.contains(where: { $0 != nil }) else { return false }
        let matrices = turns.map { $0?.rotationStillFromBody.matrix ?? .identity }
        var first = 0
        var (carried, plain) = (0.0, 0.0)
        for index in points.indices {
            guard let attitude = attitudes[index] else { continue }
            let time = points[index].time
            while first < forces.count, forces[first].time < time - MagnetometerLimits.upReach { first += 1 }
            var (force, turn, still, weights) = (Vector3.zero, Matrix<3, 3>(), Vector3.zero, 0.0)
            var (instant, instants) = (Vector3.zero, 0.0)
            var next = first
            while next < forces.count, forces[next].time <= time + MagnetometerLimits.upReach {
                defer { next += 1 }
                guard turns[next]?.segment == attitude.segment else { continue }
                let age = (forces[next].time - time).magnitude
                let weight = 1 - age / MagnetometerLimits.upReach
                force += weight * (matrices[next] * forces[next].value)
                turn = turn + weight * matrices[next]
                still += weight * forces[next].value
                weights += weight
                if age <= MagnetometerLimits.instantReach {
                    instant += forces[next].value
                    instants += 1
                }
            }
            guard weights > 0, instants > 0 else { continue }
            let back = attitude.rotationStillFromBody.inverse
            let up = back * force / weights
            points[index].up = up
            points[index].upFromBias = 1 / weights * (back.matrix * turn)
            points[index].attitude = attitude.rotationStillFromBody
            carried += (up - instant / instants).squaredNorm
            plain += (still / weights - instant / instants).squaredNorm
        }
        let field = fieldTurns(start)
        return carried + field.carried < Self.explained * (plain + field.plain)
    }

    /// Sums of the squared changes of the field's direction over half a second. `carried` is in the axes of the
    /// gyroscope's track, where only errors remain, and `plain` in the board's axes.
    private func fieldTurns(_ start: FieldEllipsoid) -> (carried: Double, plain: Double) {
        var (carried, plain, first) = (0.0, 0.0, 0)
        for point in points {
            guard let attitude = point.attitude, let field = start.corrected(point.field).normalized else { continue }
            while points[first].time < point.time - Self.fieldAge { first += 1 }
            guard let before = points[first].attitude, points[first].time < point.time,
                let earlier = start.corrected(points[first].field).normalized
            else { continue }
            carried += (attitude * field - before * earlier).squaredNorm
            plain += (field - earlier).squaredNorm
        }
        return (carried, plain)
    }

    /// Time before and after an instant from which its acceleration is computed. Unit: seconds.
    private static let accelerationReach = 0.2
    /// Time in which a board rotates significantly when it is turned by hand. Unit: seconds.
    private static let fieldAge = 0.5
    /// Largest fraction of the rotation of force and field that the rates may leave unexplained. If more is
    /// unexplained, the rates are from another board or not in rad/s.
    private static let explained = 0.5
}

/// Attitude relative to an inertial frame that drifts with the gyroscope. It is integrated from the angular rates
/// alone.
struct OrientationTrack {
    struct Attitude {
        var rotationStillFromBody: Rotation3
        var segment: Int
    }

    private let rates: [MagneticStore.Sample]
    private var attitudes: [Attitude] = []

    /// - Parameter rates: rates in order of time. Unit: rad/s.
    init(_ rates: [MagneticStore.Sample]) {
        self.rates = rates
        attitudes.reserveCapacity(rates.count)
        for (index, sample) in rates.enumerated() {
            guard index > 0 else {
                attitudes.append(Attitude(rotationStillFromBody: .identity, segment: 0))
                continue
            }
            let before = rates[index - 1]
            let seconds = sample.time - before.time
            var attitude = attitudes[index - 1]
            if seconds > MagnetometerLimits.trackGap { attitude.segment += 1 }
            attitude.rotationStillFromBody =
                attitude.rotationStillFromBody * .exp(0.5 * seconds * (before.value + sample.value))
            attitudes.append(attitude)
        }
    }

    /// Attitudes at times that do not decrease, in one pass along the track. An attitude is nil if its time is outside
    /// the track.
    func attitudes(at times: [Double]) -> [Attitude?] {
        var index = 0
        return times.map { time in
            while index + 1 < rates.count, rates[index + 1].time <= time { index += 1 }
            guard index < rates.count, (time - rates[index].time).magnitude <= MagnetometerLimits.trackGap else {
                return nil
            }
            var attitude = attitudes[index]
            attitude.rotationStillFromBody =
                attitude.rotationStillFromBody * .exp((time - rates[index].time) * rates[index].value)
            return attitude
        }
    }
}
