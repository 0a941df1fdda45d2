import Geometry
import Glibc
import Model

/// Transformation between geodetic positions and the scene, defined by one alignment of the scene frame.
///
/// The transformation goes through ECEF, so that there is no flat-earth error at any distance: `pointScene =
/// B⁻¹·Rz(−yaw)·(pointENU − t)`, with B the map of axes (x, y, z) → (x, −z, y).
public struct SceneMap: Sendable {
    package let alignment: SceneAlignment
    private let plane: LocalTangentPlane
    private let turn: Rotation2

    /// Makes the transformation from a tangent plane and an alignment.
    ///
    /// - Parameter plane: ENU plane to which the alignment's translation refers.
    public init(plane: LocalTangentPlane, alignment: SceneAlignment) {
        self.plane = plane
        self.alignment = alignment
        turn = Rotation2(yaw: alignment.yaw)
    }

    package var origin: GeodeticPosition { plane.origin }

    /// Returns the point in the scene for a geodetic position. Frame: scene. Unit: metres.
    public func pointInScene(of position: GeodeticPosition) -> Vector3 {
        vectorInScene(ofENU: plane.pointENU(of: position) - alignment.translation)
    }

    /// Returns the geodetic position of a point; nil if the point is not finite. Frame of `point`: scene. Unit: metres.
    public func position(ofScene point: Vector3) -> GeodeticPosition? {
        plane.position(ofENU: vectorENU(ofScene: point) + alignment.translation)
    }

    package func vectorInScene(ofENU vector: Vector3) -> Vector3 {
        let level = turn.inverse * vector
        return Vector3(level.x, level.z, -level.y)
    }

    package func vectorENU(ofScene vector: Vector3) -> Vector3 {
        turn * Vector3(vector.x, -vector.z, vector.y)
    }
}

/// Rotations, bearings and norms in the scene's axes: X east, Y up, Z south.
enum SceneAxes {
    /// Returns a vector rotated about +Y, counter-clockwise seen from above. Unit: radians.
    static func turned(_ vector: Vector3, by angle: Double) -> Vector3 {
        let (sine, cosine) = (sin(angle), cos(angle))
        return Vector3(cosine * vector.x + sine * vector.z, vector.y, cosine * vector.z - sine * vector.x)
    }

    /// Returns the bearing of a vector, clockwise from −Z, the scene's north. Unit: radians.
    static func bearing(_ vector: Vector3) -> Double { atan2(vector.x, -vector.z) }

    /// Returns the length of the horizontal part of a vector. Unit: that of the vector.
    static func horizontalNorm(_ vector: Vector3) -> Double { (vector.x * vector.x + vector.z * vector.z).squareRoot() }
}
