import Geodesy
import Geometry

extension FrameCorrection {
    /// What a correction did to one point of the earth, as the wearer saw it.
    public struct Effect: Hashable, Sendable {
        /// Of the point in the scene. Unit: metres.
        public var distance: Double
        /// Between its directions before and after. Unit: radians.
        public var angle: Double
    }

    /// Nil while no position was known, and across frames.
    public func effect(on position: GeodeticPosition) -> Effect? {
        guard let origin else { return nil }
        let plane = LocalTangentPlane(origin: origin)
        let old = SceneMap(plane: plane, alignment: before).pointInScene(of: position)
        let new = SceneMap(plane: plane, alignment: target).pointInScene(of: position)
        let (from, to) = (old - wearer, new - wearer)
        // Heights are the placement's own affair: what counts is how it moved over ground.
        let distance = SceneAxes.level(new - old)
        let angle = Angle.wrapped(SceneAxes.bearing(to) - SceneAxes.bearing(from)).magnitude
        return Effect(distance: distance, angle: angle)
    }
}
