import Geometry

import Glibc

/// Update with the non-holonomic constraint: a wheeled vehicle moves in its own forward direction, neither sideways nor
/// up.
///
/// Source: Dissanayake, Sukkarieh, Nebot, Durrant-Whyte, "The aiding of a low-cost strapdown inertial measurement unit
/// using vehicle model constraints for land vehicle applications", IEEE Trans. Robotics and Automation 17(5), 2001.
extension ErrorStateKalmanFilter {
    /// Speed below which a GNSS velocity has no usable direction. Unit: m/s.
    private static let minimumSpeed = 3.0

    /// Learns the vehicle's forward direction relative to the board from a GNSS velocity. Frame: ENU. Unit: m/s.
    mutating func learnVehicleMount(_ velocity: Vector3) {
        guard rules.holdsCourse, velocity.horizontalNorm > Self.minimumSpeed, let ahead = boardAzimuth
        else {
            return
        }
        vehicleMount.add(azimuth: atan2(velocity.x, velocity.y) - ahead)
    }

    /// Azimuth of up × the body's x axis; nil while that axis is too steep. Unit: radians.
    @inline(__always)
    private var boardAzimuth: Double? {
        let ahead = boardAhead
        guard ahead.horizontalNorm > Self.minimumLevel else { return nil }
        return atan2(ahead.x, ahead.y)
    }

    /// Applies the non-holonomic constraint while the board is fixed in the vehicle.
    mutating func holdCourse(over span: Double) {
        guard rules.holdsCourse, settings.parts.contains(.vehicleCourse), let forward = vehicleMount.forward,
            let ahead = boardAzimuth
        else { return }
        let model = courseModel(azimuth: ahead + forward.azimuth)
        let standardDeviation = forward.standardDeviation * model.speed.magnitude + settings.vehicle.slip
        let noise = standardDeviation * standardDeviation * settings.vehicle.directionSeconds / span
        let outcome = apply(
            Self.scalarUpdate(
                model.innovation, model.jacobian, variance: noise, mask: [.velocity, .position, .yaw, .gyroBias],
                gate: InnovationGate(rule: .soften), cause: .rest))
        // An innovation that lasts must count once, not as many independent innovations. So this variance does not
        // contain the factor `directionSeconds / span`.
        let variance = outcome.determinant - noise + standardDeviation * standardDeviation
        vehicleMount.note(innovationSquare: model.innovation * model.innovation / variance, over: span)
    }

    /// Measurement model `0 = n·v` across the vehicle's forward direction, which turns with the yaw error.
    ///
    /// Equation: docs/filter.md (80).
    @inline(__always)
    package func courseModel(azimuth: Double) -> (innovation: Double, jacobian: Jacobian<1>, speed: Double) {
        let along = Vector3(sin(azimuth), cos(azimuth), 0)
        let right = Vector3(along.y, -along.x, 0)
        let speed = along.dot(state.velocity)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = right.x
        h[0, ErrorState.velocity + 1] = right.y
        h[0, ErrorState.yaw] = speed
        return (-right.dot(state.velocity), h, speed)
    }
}

/// Azimuth of a vehicle's forward direction relative to the board's forward direction, learned from GNSS velocities,
/// and how steady it is. On a dashboard the azimuth is constant to a degree; on a head it is not.
///
/// Equation: docs/filter.md (81).
package struct VehicleMount: Sendable, Codable {
    /// Fading sum of the cosines of the observed azimuths.
    private var cosine = 0.0
    /// Fading sum of the sines of the observed azimuths.
    private var sine = 0.0
    /// Fading number of observations.
    private var weight = 0.0
    /// Fading mean of the constraint's normalised innovation squared, which is 1 while the learned azimuth is right.
    private var innovationSquare = 1.0

    /// Share of the sums that is kept at each fix, which gives a memory of about forty fixes.
    private static let fading = 0.975
    /// Number of fixes before the azimuth is used.
    private static let minimumWeight = 15.0
    /// Standard deviation of the azimuth beyond which the board counts as turning within the vehicle. Unit: radians.
    private static let maximumStandardDeviation = 0.12
    /// Lower limit of the standard deviation, because the vehicle slips in curves. Unit: radians.
    private static let minimumStandardDeviation = 0.02

    /// Adds the azimuth of a velocity relative to the board's forward direction. Unit: radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Time over which the innovations of the constraint are averaged. Unit: seconds.
    private static let innovationSeconds = 2.0
    /// Mean above which the innovations contradict the learned azimuth; slip has a shorter or smaller effect.
    private static let maximumInnovationSquare = 6.0
    /// Upper limit of a single normalised innovation squared, so that only a second of large values contradicts the
    /// azimuth.
    private static let maximumSquare = 16.0

    /// Adds a normalised innovation squared of the constraint over a duration in seconds, and discards the azimuth if
    /// it disagrees with the motion, because the board has been taken out or turned.
    mutating func note(innovationSquare square: Double, over span: Double) {
        let share = min(1, span / Self.innovationSeconds)
        innovationSquare += (min(Self.maximumSquare, square) - innovationSquare) * share
        if innovationSquare > Self.maximumInnovationSquare { self = VehicleMount() }
    }

    /// Azimuth of the forward direction with its standard deviation; nil if the board turns within the vehicle. Unit:
    /// radians.
    package var forward: (azimuth: Double, standardDeviation: Double)? {
        guard weight > Self.minimumWeight else { return nil }
        let likeness = min(1, (cosine * cosine + sine * sine).squareRoot() / weight)
        // Mean resultant length of a wrapped normal distribution: R = exp(−σ²/2).
        let standardDeviation = (-2 * log(max(1e-6, likeness))).squareRoot()
        guard standardDeviation < Self.maximumStandardDeviation else { return nil }
        return (atan2(sine, cosine), max(Self.minimumStandardDeviation, standardDeviation))
    }
}

extension EstimatorSettings {
    /// Constraint on the motion of a vehicle. It applies only after fixes have revealed the ride.
    public struct Vehicle: Hashable, Sendable {
        /// Standard deviation of the velocity across the vehicle's forward direction. The error of this direction is
        /// added to it. Raise it to give the constraint less weight. Unit: m/s. Origin: slip and lean in curves.
        public var slip = 0.1
        /// Correlation time of the error of the forward direction. Raise it to give the constraint less weight. Unit:
        /// seconds.
        public var directionSeconds = 2.0
        /// Position error that builds up without fixes because the vehicle may brake and turn, as a share of the
        /// distance at the last speed. Raise it to publish radii that grow faster in tunnels. Origin: simulated buses
        /// in tunnels.
        public var distanceShare = 0.12
    }
}
