import Geometry

import Glibc

/// Error of an attitude, split into heading and inclination.
///
/// Source: Laidig, Caruso, Cereatti, Seel, "BROAD, a benchmark for robust inertial orientation estimation", Data 6(7),
/// 2021: the rotation in the frame of the earth, as the one about the vertical and the remaining one.
package struct AttitudeError: Hashable, Sendable {
    /// Angle of the whole rotation. Unit: degrees.
    package let total: Double
    /// Angle about the vertical, counter-clockwise. Unit: degrees.
    package let heading: Double
    /// Angle of the remaining rotation. Unit: degrees.
    package let inclination: Double

    /// Error of one rotation from body to ENU against the true one.
    package init(of estimate: Rotation3, against truth: Rotation3) {
        let error = estimate * truth.inverse
        let sign = error.w < 0 ? -1.0 : 1
        let (w, z) = (sign * error.w, sign * error.z)
        total = 2 * acos(min(1, w)) * 180 / .pi
        heading = (2 * atan2(z, w) * 180 / .pi).remainder(dividingBy: 360)
        inclination = 2 * acos(min(1, (w * w + z * z).squareRoot())) * 180 / .pi
    }
}
