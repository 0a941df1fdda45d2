import Geometry
import Glibc
import Messages
import WaymarkInterface

/// Heading of the display from magnetic north, as `net.hadess.SensorProxy.Compass` documents it.
///
/// That interface is designed for hand-held displays, whose heading is the direction of their top edge. The heading of
/// a pose is the direction of the line of sight (−z), which for a display lying flat points at the ground. While the
/// display's face is inclined by up to 50°, the pose's heading is used; from 70°, the direction of the top edge. In
/// between, the direction changes gradually. If the face points downwards, as when a wearer looks up, the bottom edge
/// replaces the top edge. Without roll all these directions agree.
package struct CompassHeading: Sendable {
    /// Azimuth of north in the scene, with the scene frame and heading reference for which it is valid.
    private struct North {
        var azimuth: Double
        var generation: Int
        var reference: PoseInterface.HeadingReference
    }

    private var north: North?
    private var declination: Double?

    /// Inclination of the face up to which only the line of sight is used. Unit: degrees.
    static let sightLimit = 50.0
    /// Inclination of the face from which only an edge is used, as for `ScreenTilt.faceUp`. Unit: degrees.
    static let edgeLimit = DeviceOrientation.faceThreshold
    /// Minimum horizontal component of the line of sight from which a new azimuth of north is derived while one is
    /// known. Nearer to the vertical, small tilt differences cause large azimuth differences. The value is the sine of
    /// 20°.
    private static let minimumSight = 0.34
    /// Minimum length of a horizontal direction for a defined azimuth.
    private static let minimumLength = 1e-3

    package init() {}

    /// Returns the heading of the display; nil while north or, for a heading from true north, the declination is
    /// unknown.
    ///
    /// While the line of sight is vertical, the pose has no heading, and north keeps its direction in the scene. While
    /// the pose has no position, the last declination is kept.
    ///
    /// - Returns: heading clockwise from magnetic north, in [0, 360). Unit: degrees.
    package mutating func update(_ pose: PoseInterface.Pose) -> Double? {
        guard pose.headingReference != .none, let rotationSceneFromBody = Rotation3(pose.orientation) else {
            return nil
        }
        updateNorth(pose, rotationSceneFromBody)
        updateDeclination(pose)
        guard let north, let azimuth = Self.azimuth(Self.direction(rotationSceneFromBody)) else { return nil }
        let heading = Angle.degrees(radians: azimuth - north.azimuth)
        switch pose.headingReference {
        case .none: return nil
        case .magneticNorth: return Self.circle(heading)
        case .trueNorth: return declination.map { Self.circle(heading - $0) }
        }
    }

    private mutating func updateNorth(_ pose: PoseInterface.Pose, _ rotationSceneFromBody: Rotation3) {
        if let known = north, known.generation != pose.generation || known.reference != pose.headingReference {
            north = nil
        }
        let sight = rotationSceneFromBody * Vector3(0, 0, -1)
        guard let heading = pose.heading, let azimuth = Self.azimuth(sight),
            north == nil || Self.horizontal(sight).norm >= Self.minimumSight
        else { return }
        north = North(
            azimuth: azimuth - Angle.radians(degrees: heading), generation: pose.generation,
            reference: pose.headingReference)
    }

    private mutating func updateDeclination(_ pose: PoseInterface.Pose) {
        guard let position = pose.geo.flatMap(GeodeticPosition.init), let utc = pose.utc,
            let year = DecimalYear.of(utcSeconds: Double(utc.nanoseconds) / 1e9),
            let field = WorldMagneticModel.wmm2025.field(at: position, decimalYear: year)
        else { return }
        declination = Angle.degrees(radians: field.declination)
    }

    /// Returns the direction whose azimuth is the heading. Frame: scene.
    private static func direction(_ rotationSceneFromBody: Rotation3) -> Vector3 {
        let face = rotationSceneFromBody * Vector3(0, 0, 1)
        let elevation = Angle.degrees(radians: asin(min(max(face.y, -1), 1)))
        let share = min(max((elevation.magnitude - sightLimit) / (edgeLimit - sightLimit), 0), 1)
        let edge = rotationSceneFromBody * Vector3(0, elevation < 0 ? -1 : 1, 0)
        let sight = horizontal(-face).normalized ?? .zero
        return (1 - share) * sight + share * (horizontal(edge).normalized ?? .zero)
    }

    private static func horizontal(_ vector: Vector3) -> Vector3 { Vector3(vector.x, 0, vector.z) }

    /// Returns the azimuth in the scene, in radians clockwise from −Z; nil for a vertical direction.
    private static func azimuth(_ direction: Vector3) -> Double? {
        horizontal(direction).norm > minimumLength ? atan2(direction.x, -direction.z) : nil
    }

    /// - Returns: the angle wrapped to [0, 360).
    private static func circle(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        // The sum of a tiny negative angle and 360 rounds to 360.
        return positive < 360 ? positive : 0
    }
}
