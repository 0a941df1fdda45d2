import Geometry

/// Sound at one time: orientation of the listener, directions of the sources, and their loudness.
package struct BeaconFrame: Sendable {
    package enum Pulse: Int, Hashable, Sendable, CaseIterable {
        /// The target is to a side or behind.
        case searching
        /// The wearer looks at the target.
        case ahead
    }

    /// Rotation from the body frame to the scene frame.
    package var rotationSceneFromBody = Rotation3.identity
    /// Direction of the target. Frame: scene, of length 1.
    package var direction = Vector3(0, 0, -1)
    /// Angle between the outer sources and the direction. Unit: radians.
    package var spread = 0.0
    /// Amplitude factor of all sources together, 0 to 1.
    package var gain = 0.0
    /// The pulse that begins with this frame; nil if none does.
    package var pulse: Pulse?
    /// Reason for silence; nil if the beacon sounds.
    package var silence: Silence?

    /// Makes a silent frame, with the target straight ahead.
    package init() {}
}
