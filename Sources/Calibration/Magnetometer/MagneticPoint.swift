import Geometry

/// A sample of the field with what the inertial sensors say about the same time.
///
/// Frame: body. The field in measured units, forces in parts of gravity.
package struct MagneticPoint {
    package var time: Double
    package var field: Vector3
    /// Specific force as it would be at rest, with the accelerometer's bias still in it.
    package var up: Vector3?
    /// How a bias of the accelerometer comes into `up`: the identity for the force of an instant, the mean turn between the
    /// body then and now for means.
    package var upFromBias = Matrix<3, 3>.identity
    /// How far the force around this time is from gravity alone, as a part of gravity.
    package var unrest = 0.0
    /// From body to the frame that the gyroscope keeps still.
    package var attitude: Rotation3?

    package init(time: Double, field: Vector3, up: Vector3? = nil) {
        self.time = time
        self.field = field
        self.up = up
    }
}

/// Joins fields with forces and rates.
struct MagneticPoints {
    private(set) var points: [MagneticPoint]
    /// Whether the rates explain how the force turns.
    private(set) var hasOrientation = false
    private(set) var hasForces = false

    /// - Parameters:
    ///   - fields, forces, rates: each in the order of time; forces and rates put right as far as that is known.
    ///   - start: of the fields, roughly.
    init(
        fields: [MagneticStore.Sample], forces: [MagneticStore.Sample], rates: [MagneticStore.Sample], start: Ellipsoid
    ) {
        points = fields.map { MagneticPoint(time: $0.time, field: $0.value) }
        let strength = median(forces.map(\.value.norm))
        guard forces.count >= MagnetometerLimits.fewestSamples, strength > 0, strength.isFinite else { return }
        let forces = forces.map { MagneticStore.Sample(time: $0.time, value: $0.value / strength) }
        hasForces = true
        hasOrientation = join(forces, OrientationTrack(rates), start)
        if !hasOrientation { join(forces) }
    }

    /// By the force of the instant.
    private mutating func join(_ forces: [MagneticStore.Sample]) {
        var first = 0
        for index in points.indices {
            points[index].attitude = nil
            let time = points[index].time
            while first < forces.count, forces[first].time < time - MagnetometerLimits.upReach { first += 1 }
            var (sum, count) = (Vector3.zero, 0.0)
            var (unrest, around) = (0.0, 0.0)
            var nearest: (Double, Vector3)?
            var next = first
            while next < forces.count, forces[next].time <= time + MagnetometerLimits.upReach {
                let (age, force) = ((forces[next].time - time).magnitude, forces[next].value)
                if age <= MagnetometerLimits.instantReach {
                    sum += force
                    count += 1
                }
                if age <= Self.unrestReach {
                    unrest += (force.norm - 1) * (force.norm - 1)
                    around += 1
                }
                if age < nearest?.0 ?? MagnetometerLimits.trackGap { nearest = (age, force) }
                next += 1
            }
            points[index].up = count > 0 ? sum / count : nearest?.1
            points[index].unrest = around > 0 ? (unrest / around).squareRoot() : 0
        }
    }

    /// By means of the force that the gyroscope carries along: symmetric in time, so that what the gyroscope drifts falls
    /// out. False, and nothing usable, where the rates do not fit the forces.
    private mutating func join(_ forces: [MagneticStore.Sample], _ track: OrientationTrack, _ start: Ellipsoid) -> Bool
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
                guard turns[next]?.stretch == attitude.stretch else { continue }
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

    /// How far the field's direction half a second ago is from the present one, carried along by the gyroscope and not.
    private func fieldTurns(_ start: Ellipsoid) -> (carried: Double, plain: Double) {
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

    /// Around an instant, for its unrest.
    private static let unrestReach = 0.2
    /// Over which a board that is turned by hand turns clearly.
    private static let fieldAge = 0.5
    /// Rates that explain less than half of how force and field turn are not rates of this board in rad/s.
    private static let explained = 0.5
}
