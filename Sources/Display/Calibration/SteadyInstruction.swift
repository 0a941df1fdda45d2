import WaymarkClient

/// Instruction that stays for as long as it takes to read and follow it.
///
/// While a board is turned, the direction that it is in changes many times a second, and with it what is said to do next.
struct SteadyInstruction: Sendable {
    /// Word of the instruction, such as `turnSlower`.
    private(set) var word = ""
    private(set) var text = ""
    private var since = 0.0
    private let subject: CalibrationSubject

    /// Minimum duration of an instruction, even if the board already points elsewhere. Unit: seconds.
    private static let stay = 2.0
    /// Instructions that only lead on from one direction to the next; all others are shown at once.
    private static let leading: Set = ["turnThroughDirections", "turnSlower"]

    init(_ subject: CalibrationSubject) { self.subject = subject }

    mutating func take(_ step: CalibrationStep) {
        let isLeading = Self.leading.contains(word) && Self.leading.contains(step.instruction)
        // A time that goes backwards is that of another calibration.
        guard !isLeading || !(0..<Self.stay).contains(step.seconds - since) else { return }
        let next = CalibrationWords.instruction(subject, step)
        guard next != text || word != step.instruction else { return }
        (word, text, since) = (step.instruction, next, step.seconds)
    }
}
