import Geometry
import Model

/// Measured field and the attitude at the same time.
package struct FieldReading: Hashable, Sendable, Codable {
    /// Time to which the mean field refers.
    package var time: BootTime
    /// Field, hard iron included. Frame: body. Unit: that of the magnetometer.
    package var field: Vector3
    package var rotationENUFromBody: Rotation3
    /// Rotation from the gyro frame to ENU, counter-clockwise. The gyro frame is a horizontal frame whose yaw is
    /// integrated from the gyroscope alone. Unit: radians.
    package var levelYaw: Double
    package var isWalk: Bool
    /// Horizontal speed; nil if no fixes measure it. Unit: m/s.
    package var speed: Double?
    /// Standard deviation of the tilt about the worse axis. Unit: radians.
    package var tiltStandardDeviation: Double
    /// Position according to the step track. Frame: gyro frame. Unit: metres.
    package var walked: Vector3
    /// Number of the step track; positions are comparable only within one track.
    package var track: UInt32
    /// Horizontal and upward intensity of the model field at the current position; nil if unknown. Unit: microtesla.
    package var expected: Intensities?

    /// Horizontal and upward component of a field. Unit: microtesla.
    package struct Intensities: Hashable, Sendable, Codable {
        package var horizontal: Double
        package var upward: Double

        package init(horizontal: Double, upward: Double) {
            self.horizontal = horizontal
            self.upward = upward
        }
    }

    package init(
        time: BootTime, field: Vector3, rotationENUFromBody: Rotation3, levelYaw: Double = 0, isWalk: Bool = true,
        speed: Double? = nil, tiltStandardDeviation: Double = 0, walked: Vector3 = .zero, track: UInt32 = 0,
        expected: Intensities? = nil
    ) {
        self.time = time
        self.field = field
        self.rotationENUFromBody = rotationENUFromBody
        self.levelYaw = levelYaw
        self.isWalk = isWalk
        self.speed = speed
        self.tiltStandardDeviation = tiltStandardDeviation
        self.walked = walked
        self.track = track
        self.expected = expected
    }
}
