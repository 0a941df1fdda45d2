import WaymarkClient

package enum CalibrationWords {
    /// Returns the title of a calibration, for a heading above its progress.
    package static func title(_ subject: Waymark.CalibrationKind) -> String {
        switch subject {
        case .gyro: "Gyroscope"
        case .accel: "Accelerometer"
        case .mag: "Magnetometer"
        case .mount: "How the board is worn"
        case .noise: "Noise"
        }
    }

    /// Returns instructions and duration, in lines of at most `columns` characters.
    package static func introduction(_ subject: Waymark.CalibrationKind, columns: Int) -> [String] {
        TextWidth.wrapped(introduction(subject), width: columns)
    }

    private static func introduction(_ subject: Waymark.CalibrationKind) -> String {
        switch subject {
        case .gyro: "Put the board on a table and do not touch it for half a minute."
        case .accel:
            "Hold the board still in ten or more orientations, two seconds each: on its sides, edges and corners, "
                + "in any order."
        case .mag:
            "Go outside, away from cars, iron and magnets. Then rotate the board slowly through all directions for "
                + "about a minute."
        case .mount: "Put the board on as you wear it, stand still for a few seconds, then walk 10 m straight ahead."
        case .noise: "Put the board where nothing shakes it, and leave it at rest for hours."
        }
    }

    /// Returns one sentence for the current step. Unknown words of a newer daemon are shown unchanged.
    package static func instruction(_ subject: Waymark.CalibrationKind, _ step: Waymark.CalibrationProgress) -> String {
        guard let known = step.instruction.known else { return Words.line(step.instruction) }
        return switch known {
        case .waitForSamples: "Waiting for sensor samples"
        case .holdStill: holdStill(subject)
        case .movesTooMuch: movesTooMuch(subject)
        case .keepPose: "Hold still: measuring this orientation"
        case .turnToNextPose: nextPose(step)
        case .turnThroughDirections: turn(step)
        case .turnSlower: "Rotate it more slowly"
        case .leaveDisturbance: "Magnetic disturbance: move away from iron and magnets"
        case .walkStraight: "Walk 10 m straight ahead, looking ahead"
        case .done: "Done"
        }
    }

    private static func holdStill(_ subject: Waymark.CalibrationKind) -> String {
        switch subject {
        case .gyro, .noise: "Leave the board at rest where it is"
        case .mount: "Stand still and look straight ahead"
        case .accel, .mag: "Hold the board still"
        }
    }

    private static func movesTooMuch(_ subject: Waymark.CalibrationKind) -> String {
        switch subject {
        case .gyro, .noise: "The board moves: put it down and do not touch it"
        case .accel, .mag: "The board moves: hold it still, or lean it against something"
        case .mount: "You move: stand still and look straight ahead"
        }
    }

    private static func nextPose(_ step: Waymark.CalibrationProgress) -> String {
        guard let side = step.missing.flatMap(BoardSides.name) else { return "Hold it in another orientation" }
        return "Hold it with its \(side) up"
    }

    /// Asks the user to rotate the board until a missing direction of the board points along the magnetic field, which
    /// keeps its direction.
    private static func turn(_ step: Waymark.CalibrationProgress) -> String {
        guard let goal = step.missing.flatMap(BoardSides.name), let now = step.direction.flatMap(BoardSides.name),
            goal != now
        else { return "Rotate it slowly through all directions" }
        return "Point its \(goal) to where its \(now) points"
    }

    /// Formats errors: "heading ±0.8°, tilt ±0.2°"; nil while both are unknown.
    package static func predictedErrors(heading: Double?, tilt: Double?) -> String? {
        let parts = [heading.map { "heading ±\(degrees($0))" }, tilt.map { "tilt ±\(degrees($0))" }].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Formats an angle with three decimals below 0.1°, two below 1°, and otherwise one.
    private static func degrees(_ value: Double) -> String {
        value.fixed(value < 0.1 ? 3 : value < 1 ? 2 : 1) + "°"
    }
}
