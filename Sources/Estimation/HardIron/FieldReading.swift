import Geometry
import Model

/// Measured field with the attitude of the same instant.
package struct FieldReading: Hashable, Sendable {
    /// Time of the mean.
    package var time: BootTime
    /// Field, hard iron included. Frame: body. Unit: that of the magnetometer.
    package var field: Vector3
    package var rotationENUFromBody: Rotation3
    /// Rotation to ENU from the gyro frame, a horizontal frame whose yaw is integrated from the gyroscope alone,
    /// counter-clockwise. Unit: radians.
    package var levelYaw: Double
    /// Whether the wearer walks, the tilt is known and no vehicle is near: only then does an iron that stays belong to
    /// the board.
    package var isUsable: Bool
    /// Position by the track of the steps. Frame: gyro frame. Unit: metres.
    package var walked: Vector3
    /// Number of that track.
    package var track: UInt32
    /// Horizontal and upward intensity of the place's model; nil where none is known. Unit: microtesla.
    package var expected: Intensities?

    /// Horizontal and upward component of a field. Unit: microtesla.
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

/// Mean of the readings of about a second in the gyro frame, in which the field of a place is constant however the body
/// turns.
///
/// A hard iron h leaves `field − turn·h`, which is the exact mean for any h.
package struct LevelField: Sendable {
    /// Time of the last reading.
    package var time: BootTime
    /// Mean field, hard iron included. Frame: gyro frame.
    package var field = Vector3.zero
    /// Mean rotation from the body to the gyro frame; not quite a rotation itself.
    package var turn = Matrix<3, 3>()
    /// Position by the track of the steps. Unit: metres.
    package var walked = Vector3.zero
    /// Number of that track.
    package var track: UInt32 = 0

    /// Mean field without a hard iron. Frame: gyro frame.
    @inline(__always)
    package func remainder(_ hardIron: Vector3) -> Vector3 { field - turn * hardIron }
}

/// Accumulator of readings for one mean.
package struct LevelMean: Sendable {
    private var field = Vector3.zero
    private var turn = Matrix<3, 3>()
    private var count = 0.0
    private var began: BootTime?
    private var last: BootTime?

    package init() {}

    /// Longest interval between readings of one mean. Unit: seconds.
    private static let longestBreak = 0.5
    /// Least number of readings of a mean.
    private static let leastCount = 3.0

    /// Adds a reading; returns the mean when it is complete.
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

extension FieldReading: BlankState {
    package static var blank: FieldReading { FieldReading(time: .blank, field: .zero, rotationENUFromBody: .identity) }

    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&field, "field")
        coder.code(&rotationENUFromBody, "rotationENUFromBody")
        coder.code(&levelYaw, "levelYaw")
        coder.code(&isUsable, "isUsable")
        coder.code(&walked, "walked")
        coder.code(&track, "track")
        coder.code(&expected, "expected", blank: Intensities(horizontal: 0, upward: 0))
    }
}

extension FieldReading.Intensities: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&horizontal, "horizontal")
        coder.code(&upward, "upward")
    }
}

extension LevelField: BlankState {
    package static var blank: LevelField { LevelField(time: .blank) }

    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&field, "field")
        coder.code(&turn, "turn")
        coder.code(&walked, "walked")
        coder.code(&track, "track")
    }
}

extension LevelMean: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&field, "field")
        coder.code(&turn, "turn")
        coder.code(&count, "count")
        coder.code(&began, "began")
        coder.code(&last, "last")
    }
}
