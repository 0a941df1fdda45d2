import Geometry

/// What sounds at one moment: the listener, the directions of the sources, and how loud they are.
public struct BeaconFrame: Sendable {
    /// A pulse that begins now.
    public enum Pulse: Int, Hashable, Sendable, CaseIterable {
        /// The target is to a side or behind.
        case searching
        /// The wearer looks at it.
        case ahead
    }

    /// Rotation from the body frame to the scene frame.
    public var rotationSceneFromBody = Rotation3.identity
    /// Direction of the target. Frame: scene, of length 1.
    public var direction = Vector3(0, 0, -1)
    /// Angle of the outer sources from it. Unit: radians.
    public var spread = 0.0
    /// Factor of the amplitude of all sources together, 0 to 1.
    public var gain = 0.0
    /// The pulse that begins; nil for none.
    public var pulse: Pulse?
    /// Why it is silent; nil where it sounds.
    public var silence: Silence?

    /// Silence straight ahead.
    public init() {}
}
