import Geometry
import Glibc

/// Whether the wearer looks straight at the target. If so, the pulses are quieter, and have the confirming tone.
struct Gaze {
    /// The wearer begins to look at the target when the azimuth between line of sight and target falls below `within`,
    /// and stops when it exceeds `beyond`. Unit: radians.
    static let within = 7 * Double.pi / 180
    static let beyond = 11 * Double.pi / 180
    /// Amplitude factor while looking at the target: -8 dB.
    static let level = 0.4

    private(set) var isAhead = false

    /// - Parameter direction: direction of the target. Frame: scene.
    mutating func update(_ rotationSceneFromBody: Rotation3, _ direction: Vector3) {
        let azimuth = abs(Self.azimuth(of: direction, rotationSceneFromBody))
        isAhead = azimuth < (isAhead ? Self.beyond : Self.within)
    }

    /// Returns the azimuth from the line of sight, about the scene's vertical, positive to the right. Unit: radians.
    static func azimuth(of direction: Vector3, _ rotationSceneFromBody: Rotation3) -> Double {
        let sight = rotationSceneFromBody * Vector3(0, 0, -1)
        return Angle.wrapped(atan2(direction.x, -direction.z) - atan2(sight.x, -sight.z))
    }
}
