import Geometry
import Model

/// What a calibration has found about the axes or the sign of a sensor, with the setting that corrects the problem.
public struct AxisFinding: Hashable, Sendable {
    /// Kind of finding; the raw values are the words on the wire.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The axes agree with the axes of the other sensors.
        case agree
        /// The sensor is rotated. The fitted correction contains the rotation.
        case rotated
        /// One axis is inverted or two are exchanged, which no rotation can explain; or the accelerometer is inverted.
        case mirrored
        /// All three axes are inverted.
        case inverted
        /// Accelerometer and gyroscope have different axes.
        case different
    }

    /// Sensor that the finding is about.
    package var sensor: SensorCalibration.Sensor
    package var kind: Kind
    /// Finding and remedy, in sentences.
    package var detail: String
    /// Signed permutation from the measured axes to the body's axes; nil if it is the identity.
    package var rotation: Matrix<3, 3>?
    /// Value for the setting `mount_matrix` of the sensor: `rotation` times the current matrix; nil if the current
    /// matrix is unknown.
    package var mountMatrix: [Double]?

    /// Value for the setting `sign` of an inverted sensor: the negative of the current sign, which is taken as 1 if
    /// unknown.
    package private(set) var sign: Int?

    init(_ kind: Kind, of sensor: SensorCalibration.Sensor, rotation: Matrix<3, 3>? = nil, detail: String) {
        self.sensor = sensor
        self.kind = kind
        self.rotation = rotation
        self.detail = detail
        if kind == .inverted { sign = -1 }
    }

    /// Sets `mountMatrix` and `sign` from the current settings of the sensor.
    ///
    /// - Parameters:
    ///   - present: current mount matrix, row by row.
    ///   - presentSign: current sign, 1 or -1.
    package mutating func setMount(from present: [Double], sign presentSign: Int) {
        if kind == .inverted { sign = -presentSign }
        guard kind == .rotated, let rotation, present.count == 9 else { return }
        mountMatrix = (rotation * Matrix { present[3 * $0 + $1] }).rowElements
    }

    /// Whether the axes in a fit of the magnetometer differ from the axes in this finding.
    package func contradicts(_ fit: SensorFit?) -> Bool {
        guard sensor == .magnetometer, let fit, fit.sensor == sensor else { return false }
        return AxisTurn(nearestTo: fit.correction) != (comparedTurn ?? .identity)
    }

    /// Rotation that a magnetometer's fitted correction contains. It is the identity if its axes agree, and nil if they
    /// were not aligned with the axes of the other sensors.
    package var comparedTurn: AxisTurn? {
        guard sensor == .magnetometer else { return nil }
        switch kind {
        case .agree: return .identity
        case .rotated: return rotation.map(AxisTurn.init(nearestTo:))
        case .mirrored, .inverted, .different: return nil
        }
    }
}

extension AxisFinding {
    /// Makes a finding about the compass.
    ///
    /// - Parameters:
    ///   - elevation: fitted elevation of the field above the horizon; nil without an accelerometer. Unit: radians.
    ///   - inclination: expected inclination of the field below the horizon; nil if unknown. Unit: radians.
    init?(_ finding: CompassAxes.Finding, elevation: Double?, inclination: Double?) {
        switch finding {
        case .unknown: return nil
        case .inertial(let turn):
            self.init(
                .different, of: .accelerometer, rotation: turn.matrix,
                detail: "The axes of accelerometer and gyroscope differ: the accelerometer has \(turn.words) of the "
                    + "gyroscope. Correct the mount matrix of one of them first.")
        case .turn(let turn):
            let isUpsideDown = Self.isUpsideDown(elevation, inclination)
            if isUpsideDown == true {
                self = turn == .identity ? .inverted(elevation, inclination) : .mirrored(turn)
                return
            }
            if turn == .identity {
                self.init(.agree, of: .magnetometer, detail: "Its axes are those of the inertial sensors.")
                return
            }
            let assumption =
                isUpsideDown == nil
                ? " This assumes that none of its axes is inverted, which the inclination at a known position would "
                    + "show."
                : ""
            self.init(
                .rotated, of: .magnetometer, rotation: turn.matrix,
                detail: "The compass is rotated relative to the inertial sensors: \(turn.words) of the body. The "
                    + "result contains this rotation; the mount matrix of the compass may contain it instead."
                    + assumption)
        }
    }

    /// Whether the field's elevation has the wrong sign, up instead of down, or down instead of up; nil if unknown.
    static func isUpsideDown(_ elevation: Double?, _ inclination: Double?) -> Bool? {
        guard let elevation, let inclination, inclination.magnitude >= AxisLimits.minimumInclination else { return nil }
        // With this tolerance, right and inverted elevations form two intervals. The gap between them is at least as
        // wide as each of them.
        let tolerance = min(AxisLimits.maximumInclinationError, inclination.magnitude / 2)
        func fits(_ expected: Double) -> Bool { (elevation - expected).magnitude <= tolerance }
        return fits(-inclination) ? false : fits(inclination) ? true : nil
    }

    /// Makes the finding that the accelerometer is inverted, from the elevation of the field and its expected
    /// inclination. Unit: radians.
    static func inverted(_ elevation: Double?, _ inclination: Double?) -> AxisFinding {
        AxisFinding(
            .inverted, of: .accelerometer,
            detail: "The field \(contradiction(elevation, inclination)). No rotation explains this: the accelerometer "
                + "has the other sign, or all three axes of the compass are inverted. An accelerometer of the other "
                + "sign is the usual cause; waymark doctor --worn confirms it.")
    }

    private static func mirrored(_ turn: AxisTurn) -> AxisFinding {
        let mirror = -1 * turn.matrix
        return AxisFinding(
            .mirrored, of: .magnetometer, rotation: mirror,
            detail: "No rotation brings the compass into the axes of the body at the inclination of this place: "
                + "\(mirror.mirrorWords) (\(mirror.axisWords) of the body), or the accelerometer has the other sign. "
                + "waymark doctor --worn decides between the two.")
    }

    /// Text on how the field's measured elevation contradicts the expected inclination.
    static func contradiction(_ elevation: Double?, _ inclination: Double?) -> String {
        let degrees = [elevation ?? 0, -(inclination ?? 0)].map { angle in
            "\(Int(Angle.degrees(radians: angle).magnitude.rounded()))° \(angle < 0 ? "below" : "above") the horizon"
        }
        return "appears \(degrees[0]), and is \(degrees[1]) here"
    }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Text on which axes are inverted or exchanged. This matrix, a signed permutation with determinant −1, corrects
    /// them.
    fileprivate var mirrorWords: String {
        let names = ["x", "y", "z"]
        let inverted = (0..<3).filter { self[$0, $0] < 0 }
        let straight = (0..<3).filter { self[$0, $0] != 0 }
        if straight.count == 3 {
            return inverted.count == 3
                ? "all its axes are inverted" : "its \(names[inverted.first ?? 0]) axis is inverted"
        }
        if straight.count == 1, inverted.isEmpty, trace == 1 {
            let exchanged = (0..<3).filter { self[$0, $0] == 0 }
            if self[exchanged[0], exchanged[1]] > 0 {
                return "its \(names[exchanged[0]]) and \(names[exchanged[1]]) axes are exchanged"
            }
        }
        return "its axes are exchanged and inverted"
    }
}
