import Geometry
import Model

/// The field at one instant as it was measured, with the attitude of that instant.
package struct FieldReading: Hashable, Sendable {
    package var time: BootTime
    /// Hard iron included. Frame: body.
    package var field: Vector3
    package var rotationENUFromBody: Rotation3
    /// From the level frame that only the gyroscope turns to ENU, counter-clockwise. Unit: radians.
    package var levelYaw: Double
    /// The wearer walks, the tilt is known and no vehicle is about: only then an iron that stays is the board's own.
    package var isUsable: Bool
    /// Where the steps alone have led, and in which track. Unit: metres.
    package var walked: Vector3
    package var track: UInt32
    /// Horizontal and upward intensity of the place's model; nil where none is known. Unit: microtesla.
    package var expected: Intensities?

    package struct Intensities: Hashable, Sendable {
        package var horizontal: Double
        package var upward: Double

        package init(horizontal: Double, upward: Double) {
            self.horizontal = horizontal
            self.upward = upward
        }
    }

    package init(
        time: BootTime, field: Vector3, rotationENUFromBody: Rotation3, levelYaw: Double = 0, isUsable: Bool = true,
        walked: Vector3 = .zero, track: UInt32 = 0, expected: Intensities? = nil
    ) {
        self.time = time
        self.field = field
        self.rotationENUFromBody = rotationENUFromBody
        self.levelYaw = levelYaw
        self.isUsable = isUsable
        self.walked = walked
        self.track = track
        self.expected = expected
    }
}

/// Readings of about a second, averaged in the level frame, in which a field that stays with the place is the same however
/// the body turns.
///
/// What a hard iron h leaves of it is `field − turn·h`, the exact mean for any h.
package struct LevelField: Sendable {
    package var time: BootTime
    /// Frame: level.
    package var field = Vector3.zero
    /// Mean of the rotations from body to level; not quite a rotation itself.
    package var turn = Matrix<3, 3>()
    package var walked = Vector3.zero
    package var track: UInt32 = 0

    /// Frame: level.
    @inline(__always)
    package func remainder(_ hardIron: Vector3) -> Vector3 { field - turn * hardIron }
}

/// Sums up readings.
package struct LevelMean: Sendable {
    private var field = Vector3.zero
    private var turn = Matrix<3, 3>()
    private var count = 0.0
    private var began: BootTime?
    private var last: BootTime?

    package init() {}

    /// Unit: seconds.
    private static let longestBreak = 0.5
    /// A mean of fewer says little, whatever the time.
    private static let leastCount = 3.0

    /// Returns the mean when it is complete.
    package mutating func add(_ reading: FieldReading, over seconds: Double) -> LevelField? {
        if let last, !(0..<Self.longestBreak).contains(reading.time.seconds(since: last)) { self = LevelMean() }
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
        guard count >= Self.leastCount else { return nil }
        return LevelField(
            time: reading.time, field: field * share, turn: share * turn, walked: reading.walked, track: reading.track)
    }

    /// Readings come at the times of inertial samples. Unit: seconds.
    private static let tolerance = 0.05
}
