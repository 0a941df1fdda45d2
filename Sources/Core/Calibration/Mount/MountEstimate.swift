import Geometry

import Glibc

/// Estimate of the mount from stands and walks.
struct MountEstimate: Hashable, Sendable {
    let rotationBodyFromSource: Rotation3
    /// Standard deviation of the heading. Unit: radians.
    let headingStandardDeviation: Double
    /// Standard deviation of the tilt about each horizontal axis. Unit: radians.
    let tiltStandardDeviation: Double

    /// Nil if there is no walk.
    init?(walks: [WalkDirection], isCalibrated: Bool, biasStandardDeviation: Vector3?) {
        var stands = Stand()
        for walk in walks { stands.add(walk.stand) }
        guard let up = stands.force.normalized else { return nil }
        var ahead = Vector3.zero
        var weight = 0.0
        for walk in walks where walk.variance > 0 {
            ahead += walk.ahead * (1 / walk.variance)
            weight += 1 / walk.variance
        }
        guard let front = (ahead - up * ahead.dot(up)).normalized,
            let rotation = Self.rotation(up: up, ahead: front)
        else { return nil }
        rotationBodyFromSource = rotation

        var normalised = 0.0
        for walk in walks {
            let angle = Self.yaw(of: walk.ahead, in: rotation)
            normalised += angle * angle / walk.variance
        }
        // If walks differ more than predicted, the Birge ratio (Phys. Rev. 40, 1932) inflates the variance. The ratio
        // never deflates it, because few walks may agree by chance.
        let birge = walks.count > 1 ? max(1, normalised / Double(walks.count - 1)) : 1
        headingStandardDeviation = (birge / weight).squareRoot()

        typealias Settings = MountSettings
        let bias =
            biasStandardDeviation.map { ($0.squaredNorm / 3).squareRoot() }
            ?? (isCalibrated ? Settings.calibratedBias : Settings.accelerometerBias)
        let skew = isCalibrated ? Settings.calibratedSkew : Settings.accelerometerSkew
        let tilt = bias / max(stands.force.norm, 1)
        let sway = Settings.standingTilt
        tiltStandardDeviation = (tilt * tilt + skew * skew + sway * sway).squareRoot()
    }

    /// Rotation to body axes x right, y up, z back, from the up and forward directions in source axes.
    static func rotation(up: Vector3, ahead: Vector3) -> Rotation3? {
        guard let right = ahead.cross(up).normalized else { return nil }
        return Rotation3(matrix: Matrix(right, up, right.cross(up)))
    }

    /// Yaw of a direction in source axes, counter-clockwise from forward. Unit: radians.
    static func yaw(of direction: Vector3, in rotationBodyFromSource: Rotation3) -> Double {
        let body = rotationBodyFromSource * direction
        return atan2(-body.x, -body.z)
    }

    /// Angle between the walking direction in each second and the forward axis of a mount, RMS over all walks. Unit:
    /// radians.
    static func residual(of walks: [WalkDirection], in rotationBodyFromSource: Rotation3) -> Double {
        let squares = walks.reduce(0) { sum, walk in
            let yaw = yaw(of: walk.ahead, in: rotationBodyFromSource)
            return sum + yaw * yaw + walk.scatter
        }
        return (squares / Double(max(1, walks.count))).squareRoot()
    }

    /// Standard deviations of the matrix elements, from `δR = [δ]×·R` with a small rotation δ in body axes.
    var correctionStandardDeviation: Matrix<3, 3> {
        let matrix = rotationBodyFromSource.matrix
        let changes = [
            Vector3(1, 0, 0) * tiltStandardDeviation, Vector3(0, 1, 0) * headingStandardDeviation,
            Vector3(0, 0, 1) * tiltStandardDeviation,
        ].map { Matrix<3, 3>.skew($0) * matrix }
        return Matrix { row, column in
            changes.reduce(0) { $0 + $1[row, column] * $1[row, column] }.squareRoot()
        }
    }
}
