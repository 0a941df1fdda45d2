import WaymarkClient
import WaymarkInterface

/// The picture that `waymark calibrate` redraws during a calibration.
package struct CalibrationView: Sendable {
    package let subject: Waymark.CalibrationKind
    /// Capabilities of the terminal; may change while the view is shown.
    package var canvas: Canvas
    package var hint = ""
    private var step: Waymark.CalibrationProgress?
    private var asked: SteadyInstruction

    package init(_ subject: Waymark.CalibrationKind, canvas: Canvas) {
        self.subject = subject
        self.canvas = canvas
        asked = SteadyInstruction(subject)
    }

    /// Sets the newest progress of the calibration, to be drawn by ``lines``.
    package mutating func show(_ step: Waymark.CalibrationProgress) {
        self.step = step
        asked.take(step)
    }

    /// Width of the progress bar: about that of the coverage map, less on a narrow terminal.
    private var barWidth: Int { max(8, min(40, canvas.columns - 12)) }

    /// Returns the lines to draw now: title, instruction, progress, details and hint.
    ///
    /// - Parameter rows: maximum number of lines. The last details give way to the hint.
    package func lines(rows: Int = .max) -> [StyledLine] {
        // A finished calibration ends by itself, so the hint is not needed.
        let isDone = asked.word == .known(.done)
        let end = hint.isEmpty ? [] : [StyledLine()] + (isDone ? [] : [StyledLine("  " + hint, .faint)])
        let rest = max(1, rows - end.count)
        return picture.prefix(rest) + end
    }

    /// Lines above the hint. There are at most twenty, even with the coverage map, so that everything fits into a
    /// terminal of 24 lines.
    private var picture: [StyledLine] {
        guard let step else { return [title, StyledLine(), StyledLine("  waiting for the daemon", .faint)] }
        let bar = ProgressBar.text(step.fraction, width: barWidth, unicode: canvas.unicode)
        let details = details(step)
        return [title] + instruction + [StyledLine("  " + bar)] + (details.isEmpty ? [] : [StyledLine()] + details)
    }

    private var title: StyledLine {
        var line = StyledLine(CalibrationWords.title(subject), .strong)
        if let step { line.append("  \(Words.duration(step.seconds))", .faint) }
        return line
    }

    /// The instruction in a frame, so that it can be read from an arm's length.
    private var instruction: [StyledLine] {
        let style: StyledLine.Style =
            switch asked.word {
            case .known(.movesTooMuch), .known(.turnSlower), .known(.leaveDisturbance): .warning
            case .known(.done): .good
            default: .strong
            }
        let text = asked.text
        guard text.count + 8 <= canvas.columns else {
            // On a narrow terminal the instruction is wrapped, without a frame, instead of being cut off.
            return TextWidth.wrapped(text, width: max(1, canvas.columns - 2)).map { StyledLine("  " + $0, style) }
        }
        let (edge, side) = canvas.unicode ? ("━", "┃") : ("=", "|")
        let rule = String(repeating: edge, count: text.count + 2)
        let corners = canvas.unicode ? ["┏", "┓", "┗", "┛"] : ["+", "+", "+", "+"]
        return [
            StyledLine("  \(corners[0])\(rule)\(corners[1])", style),
            StyledLine("  \(side) \(text) \(side)", style),
            StyledLine("  \(corners[2])\(rule)\(corners[3])", style),
        ]
    }

    private func details(_ step: Waymark.CalibrationProgress) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let quality = quality(step) { lines.append(StyledLine("  " + quality)) }
        if subject == .accel { lines += poses(step) }
        if let regions = step.regions {
            let count = regions.isEmpty ? "none yet: rotate it to all sides" : "\(regions.count) of 100 directions"
            lines.append(StyledLine("  \("seen".left(10))\(count)"))
            lines +=
                CoverageMap(
                    seen: Set(regions), present: step.direction, next: step.missing, canvas: canvas
                ).lines
        }
        return lines
    }

    private func quality(_ step: Waymark.CalibrationProgress) -> String? {
        CalibrationWords.predictedErrors(heading: step.predictedHeadingError, tilt: step.predictedTiltError)
            .map { "accuracy".left(10) + (canvas.unicode ? $0 : Self.ascii($0)) }
    }

    private static func ascii(_ text: String) -> String {
        text.map { $0 == "±" ? "+-" : $0 == "°" ? " deg" : String($0) }.joined()
    }

    /// Sides that have pointed up, and the number of orientations.
    private func poses(_ step: Waymark.CalibrationProgress) -> [StyledLine] {
        var line = StyledLine("  " + "poses".left(10) + "\(step.poses.count) taken")
        guard !step.poses.isEmpty || step.missing != nil else { return [line] }
        line.append(", up so far:")
        var sides = StyledLine("  " + "".left(10))
        for side in BoardSides.all {
            let isTaken = step.poses.contains { BoardSides.faces($0, side.direction) }
            let mark = canvas.unicode ? (isTaken ? "■" : "□") : (isTaken ? "[x]" : "[ ]")
            sides.append("\(mark) \(side.name)  ", isTaken ? .good : .faint)
        }
        return [line, sides]
    }
}

/// Progress of a calibration as plain lines, for output other than a terminal.
package struct CalibrationSteps: Sendable {
    private var asked: SteadyInstruction
    private var shown = ""
    private var nextTenth = 0

    package init(_ subject: Waymark.CalibrationKind) { asked = SteadyInstruction(subject) }

    /// Returns a line if the instruction has changed or the progress has reached the next tenth; otherwise nil.
    package mutating func line(_ step: Waymark.CalibrationProgress) -> String? {
        asked.take(step)
        let text = asked.text
        let tenth = Int((step.fraction.isFinite ? min(1, max(0, step.fraction)) : 0) * 10)
        guard text != shown || tenth >= nextTenth else { return nil }
        shown = text
        nextTenth = tenth + 1
        let quality =
            CalibrationWords.predictedErrors(heading: step.predictedHeadingError, tilt: step.predictedTiltError)
            .map { ", accuracy \($0)" } ?? ""
        return "\(Words.duration(step.seconds).right(9))  \("\(tenth * 10)".right(3)) %  \(text)\(quality)"
    }
}

/// Instruction that stays long enough to be read and followed.
///
/// While a board is rotated, its direction changes many times a second, and with it the next instruction.
struct SteadyInstruction: Sendable {
    /// Instruction of the step from which the text was made; nil before the first step.
    private(set) var word: OpenWord<CalibrationInterface.Instruction>?
    private(set) var text = ""
    private var since = 0.0
    private let subject: Waymark.CalibrationKind

    /// Minimum duration of an instruction, even if the board already points in another direction. Unit: seconds.
    private static let stay = 2.0
    /// Instructions that only lead from one direction to the next; all others are shown without delay.
    private static let leading: [OpenWord<CalibrationInterface.Instruction>] = [
        .known(.turnThroughDirections), .known(.turnSlower),
    ]

    init(_ subject: Waymark.CalibrationKind) { self.subject = subject }

    mutating func take(_ step: Waymark.CalibrationProgress) {
        let isLeading = word.map(Self.leading.contains) == true && Self.leading.contains(step.instruction)
        // If the time goes backwards, another calibration has begun.
        guard !isLeading || !(0..<Self.stay).contains(step.seconds - since) else { return }
        let next = CalibrationWords.instruction(subject, step)
        guard next != text || word != step.instruction else { return }
        (word, text, since) = (step.instruction, next, step.seconds)
    }
}

package enum ProgressBar {
    /// Returns a bar: `█████░░░  62 %`, or `#####...  62 %` in ASCII.
    ///
    /// - Parameters:
    ///   - fraction: 0…1; other values are clamped.
    ///   - width: width of the bar, without the number.
    package static func text(_ fraction: Double, width: Int, unicode: Bool) -> String {
        let share = fraction.isFinite ? min(1, max(0, fraction)) : 0
        let width = max(1, width)
        let done = Int((share * Double(width)).rounded(.down))
        let bar =
            String(repeating: unicode ? "█" : "#", count: done)
            + String(repeating: unicode ? "░" : ".", count: width - done)
        return bar + "\((share * 100).rounded(.down).fixed(0)) %".right(7)
    }
}
