import WaymarkClient
import WaymarkInterface

/// Instruction that stays for as long as it takes to read and follow it.
///
/// While a board is turned, the direction that it is in changes many times a second, and with it what is said to do next.
struct SteadyInstruction: Sendable {
    /// Instruction of the step that the text was made of; nil before the first one.
    private(set) var word: OpenWord<CalibrationInterface.Instruction>?
    private(set) var text = ""
    private var since = 0.0
    private let subject: Waymark.CalibrationKind

    /// Minimum duration of an instruction, even if the board already points elsewhere. Unit: seconds.
    private static let stay = 2.0
    /// Instructions that only lead on from one direction to the next; all others are shown at once.
    private static let leading: [OpenWord<CalibrationInterface.Instruction>] = [
        .known(.turnThroughDirections), .known(.turnSlower),
    ]

    init(_ subject: Waymark.CalibrationKind) { self.subject = subject }

    mutating func take(_ step: Waymark.CalibrationProgress) {
        let isLeading = word.map(Self.leading.contains) == true && Self.leading.contains(step.instruction)
        // A time that goes backwards is that of another calibration.
        guard !isLeading || !(0..<Self.stay).contains(step.seconds - since) else { return }
        let next = CalibrationWords.instruction(subject, step)
        guard next != text || word != step.instruction else { return }
        (word, text, since) = (step.instruction, next, step.seconds)
    }
}
