import Geometry

/// Sound at one time: orientation of the listener, directions of the sources, and their loudness.
public struct BeaconFrame: Sendable {
    /// Kind of a pulse that begins.
    public enum Pulse: Int, Hashable, Sendable, CaseIterable {
        /// The target is to a side or behind.
        case searching
        /// The wearer looks at the target.
        case ahead
    }

    /// Rotation from the body frame to the scene frame.
    public var rotationSceneFromBody = Rotation3.identity
    /// Direction of the target. Frame: scene, of length 1.
    public var direction = Vector3(0, 0, -1)
    /// Angle between the outer sources and the direction. Unit: radians.
    public var spread = 0.0
    /// Amplitude factor of all sources together, 0 to 1.
    public var gain = 0.0
    /// The pulse that begins with this frame; nil if none does.
    public var pulse: Pulse?
    /// Reason for silence; nil if the beacon sounds.
    public var silence: Silence?

    /// Silence, with the target straight ahead.
    public init() {}
}
