import Glibc

/// Velocities that gpsd derives from positions.
///
/// If a receiver reports no velocity, or no vertical velocity as with NMEA, gpsd divides the change of position and
/// height since its last epoch by the elapsed time (`gpsd_error_model`). The result has the noise of the positions and
/// is not an independent measurement. A derived speed comes without a course, and a derived climb without `velD`.
/// Nothing else in the report distinguishes them from the receiver's own values, except that the same division
/// reproduces them.
enum DerivedVelocity {
    /// Rounding of velocities, of positions and of times in gpsd's reports. Units: m/s, metres, s.
    private static let velocityRounding = 0.0006
    private static let positionRounding = 0.0003
    private static let timeRounding = 0.001
    /// Metres per degree of latitude on a sphere, and the relative difference from the ellipsoid.
    private static let metresPerDegree = 111_195.0
    private static let flattening = 0.01

    /// Removes derived velocities from a report.
    ///
    /// - Parameter last: epoch before the report's epoch; if it is unknown, a climb counts as derived.
    static func remove(from fix: inout GPSDReport.FixReport, since last: EpochAssembler.Epoch?) {
        // Without a time gpsd derives no velocity.
        guard let time = fix.time, let place = fix.position else { return }
        guard let last, let lastTime = last.time, let old = last.fix.position else {
            if fix.isClimb { fix.up = nil }
            return
        }
        guard time > lastTime else { return }
        let span = Double(time - lastTime) * 1e-9
        if fix.isClimb, let climb = fix.up, let height = place.ellipsoidalHeight, let oldHeight = old.ellipsoidalHeight,
            isQuotient(climb, of: height - oldHeight, span)
        {
            fix.up = nil
        }
        if let speed = fix.restSpeed, speed > 0, isQuotient(speed, of: distance(place, old), span) {
            (fix.east, fix.north, fix.restSpeed) = (nil, nil, nil)
        }
    }

    private static func isQuotient(_ velocity: Double, of displacement: Double, _ span: Double) -> Bool {
        let rounding = velocityRounding * span + positionRounding + timeRounding * velocity.magnitude
        return (velocity * span - displacement).magnitude <= rounding + flattening * displacement.magnitude
    }

    private static func distance(_ place: GPSDReport.Position, _ other: GPSDReport.Position) -> Double {
        let north = (place.latitudeDegrees - other.latitudeDegrees) * metresPerDegree
        let turn = remainder(place.longitudeDegrees - other.longitudeDegrees, 360) * metresPerDegree
        let east = turn * cosine(place.latitudeDegrees * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}
