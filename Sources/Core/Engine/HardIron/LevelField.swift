import Estimation
import Geometry
import Model

/// Mean of about a second of readings, in the gyro frame. In this frame the local field is constant however the body
/// rotates.
///
/// Removing a hard iron h leaves `field − turn·h`, which is the exact mean for any h.
package struct LevelField: Sendable, Codable {
    /// Time of the last reading.
    package var time: BootTime
    /// Mean field, hard iron included. Frame: gyro frame.
    package var field = Vector3.zero
    /// Mean of the rotations from the body to the gyro frame. The mean is not exactly a rotation.
    package var turn = Matrix<3, 3>()
    /// Position on the step track. Unit: metres.
    package var walked = Vector3.zero
    /// Number of the step track.
    package var track: UInt32 = 0

    /// Returns the mean field after a given hard iron is removed. Frame: gyro frame.
    @inline(__always)
    package func remainder(_ hardIron: Vector3) -> Vector3 { field - turn * hardIron }
}

/// Accumulates readings for one mean.
package struct LevelMean: Sendable, Codable {
    private var field = Vector3.zero
    private var turn = Matrix<3, 3>()
    private var count = 0.0
    private var began: BootTime?
    private var last: BootTime?

    /// Longest interval between two readings of one mean. Unit: seconds.
    private static let maximumBreak = 0.5
    /// Least number of readings in a mean.
    private static let minimumCount = 3.0

    /// Adds a reading; returns the mean when it is complete.
    package mutating func add(_ reading: FieldReading, over seconds: Double) -> LevelField? {
        if let last, !(0..<Self.maximumBreak).contains(reading.time.seconds(since: last)) { self = LevelMean() }
        let level = (Rotation3.aboutZ(-reading.levelYaw) * reading.rotationENUFromBody).matrix
        field += level * reading.field
        turn = turn + level
        count += 1
        last = reading.time
        let began = began ?? reading.time
        self.began = began
        guard reading.time.seconds(since: began) >= seconds - Self.tolerance else { return nil }
        let share = 1 / count
        defer { self = LevelMean() }
        guard count >= Self.minimumCount else { return nil }
        return LevelField(
            time: reading.time, field: field * share, turn: share * turn, walked: reading.walked, track: reading.track)
    }

    /// Tolerance of the duration. It is needed because readings have the times of inertial samples. Unit: seconds.
    private static let tolerance = 0.05
}
