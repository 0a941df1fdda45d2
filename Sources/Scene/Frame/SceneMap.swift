import Estimation
import Geodesy
import Geometry

/// The way from the earth into the scene and back, by one alignment of the scene frame.
///
/// Exact through ECEF, so that there is no flat-earth error at any distance: `pointScene = B⁻¹·Rz(−yaw)·(pointENU − t)` with
/// B the map of axes (x, y, z) → (x, −z, y).
public struct SceneMap: Sendable {
    public let alignment: SceneAlignment
    private let plane: LocalTangentPlane
    private let turn: Rotation2

    /// - Parameter plane: the one on which the alignment's translation counts.
    public init(plane: LocalTangentPlane, alignment: SceneAlignment) {
        self.plane = plane
        self.alignment = alignment
        turn = Rotation2(yaw: alignment.yaw)
    }

    /// Of east, north and up.
    public var origin: GeodeticPosition { plane.origin }

    /// Frame: scene. Unit: metres.
    public func pointInScene(of position: GeodeticPosition) -> Vector3 {
        vectorInScene(ofENU: plane.pointENU(of: position) - alignment.translation)
    }

    /// Nil for a point that is not finite. Frame of `point`: scene. Unit: metres.
    public func position(ofScene point: Vector3) -> GeodeticPosition? {
        plane.position(ofENU: vectorENU(ofScene: point) + alignment.translation)
    }

    /// The same vector by the scene's axes.
    public func vectorInScene(ofENU vector: Vector3) -> Vector3 {
        let level = turn.inverse * vector
        return Vector3(level.x, level.z, -level.y)
    }

    /// The same vector by east, north and up.
    public func vectorENU(ofScene vector: Vector3) -> Vector3 {
        turn * Vector3(vector.x, -vector.z, vector.y)
    }
}
