import Geodesy
import Geometry

extension FrameCorrection {
    /// Displacement of a point of the earth in the scene by a correction, as seen by the wearer.
    public struct Effect: Hashable, Sendable {
        /// Horizontal displacement of the point in the scene. Unit: metres.
        public var distance: Double
        /// Angle between the directions to the point before and after. Unit: radians.
        public var angle: Double
    }

    /// Effect of the correction on a position; nil if no position was known, and for another generation of the frame.
    public func effect(on position: GeodeticPosition) -> Effect? {
        guard let origin else { return nil }
        let plane = LocalTangentPlane(origin: origin)
        let old = SceneMap(plane: plane, alignment: before).pointInScene(of: position)
        let new = SceneMap(plane: plane, alignment: target).pointInScene(of: position)
        let (from, to) = (old - wearer, new - wearer)
        // Heights depend on the placement; only the horizontal displacement counts.
        let distance = SceneAxes.horizontalNorm(new - old)
        let angle = Angle.wrapped(SceneAxes.bearing(to) - SceneAxes.bearing(from)).magnitude
        return Effect(distance: distance, angle: angle)
    }
}
