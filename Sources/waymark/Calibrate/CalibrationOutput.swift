import Display
import WaymarkClient

/// A form in which the steps of a calibration are shown.
protocol CalibrationOutput {
    mutating func show(_ step: Waymark.CalibrationProgress) throws
    /// Whether the one who calibrates wants it to end with what there is.
    func wantsToFinish() -> Bool
    /// Gives the terminal back.
    mutating func end()
}

extension CalibrationOutput {
    func wantsToFinish() -> Bool { false }
    mutating func end() {}
}

/// One JSON object a line.
struct JSONSteps: CalibrationOutput {
    func show(_ step: Waymark.CalibrationProgress) throws { try Terminal.print(JSONText.line(step)) }
}

/// A line where there is something new to say.
struct PlainSteps: CalibrationOutput {
    private var steps: CalibrationSteps

    init(_ subject: Waymark.CalibrationKind) { steps = CalibrationSteps(subject) }

    mutating func show(_ step: Waymark.CalibrationProgress) throws {
        if let line = steps.line(step) { try Terminal.print(line + "\n") }
    }
}

/// The picture, redrawn in place.
final class LiveSteps: CalibrationOutput {
    private var view: CalibrationView
    private var screen = LiveScreen()
    private var keyboard: Keyboard?

    init(_ subject: Waymark.CalibrationKind) throws {
        view = CalibrationView(subject, canvas: Terminal.canvas)
        keyboard = Keyboard()
        view.hint = (keyboard == nil ? "" : "Enter finishes with the samples so far; ") + "Ctrl-C cancels"
        try draw()
    }

    func show(_ step: Waymark.CalibrationProgress) throws {
        view.show(step)
        try draw()
    }

    func wantsToFinish() -> Bool { keyboard?.pressed().map { $0 == "\n" || $0 == "\r" } ?? false }

    func end() {
        screen.end()
        keyboard = nil
    }

    private func draw() throws {
        view.canvas.columns = Terminal.canvas.columns
        try screen.draw(view.lines, colour: view.canvas.colour)
    }
}
