import Estimation
import Geodesy
import Geometry

/// Transformation between geodetic positions and the scene by one alignment of the scene frame.
///
/// Exact through ECEF, so that there is no flat-earth error at any distance: `pointScene = B⁻¹·Rz(−yaw)·(pointENU − t)` with
/// B the map of axes (x, y, z) → (x, −z, y).
public struct SceneMap: Sendable {
    /// Alignment of the scene frame with the ENU plane.
    public let alignment: SceneAlignment
    private let plane: LocalTangentPlane
    private let turn: LevelTurn

    /// Transformation by a tangent plane and an alignment.
    ///
    /// - Parameter plane: ENU plane in which the alignment's translation is given.
    public init(plane: LocalTangentPlane, alignment: SceneAlignment) {
        self.plane = plane
        self.alignment = alignment
        turn = LevelTurn(yaw: alignment.yaw)
    }

    /// Origin of the ENU plane.
    public var origin: GeodeticPosition { plane.origin }

    /// Point of a geodetic position. Frame: scene. Unit: metres.
    public func pointInScene(of position: GeodeticPosition) -> Vector3 {
        vectorInScene(ofENU: plane.pointENU(of: position) - alignment.translation)
    }

    /// Geodetic position of a point; nil if the point is not finite. Frame of `point`: scene. Unit: metres.
    public func position(ofScene point: Vector3) -> GeodeticPosition? {
        plane.position(ofENU: vectorENU(ofScene: point) + alignment.translation)
    }

    /// Vector rotated from ENU to the scene frame.
    public func vectorInScene(ofENU vector: Vector3) -> Vector3 {
        let level = turn.inverse * vector
        return Vector3(level.x, level.z, -level.y)
    }

    /// Vector rotated from the scene frame to ENU.
    public func vectorENU(ofScene vector: Vector3) -> Vector3 {
        turn * Vector3(vector.x, -vector.z, vector.y)
    }
}
