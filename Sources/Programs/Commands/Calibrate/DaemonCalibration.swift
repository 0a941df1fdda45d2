import Configuration
import Linux
import WaymarkClient

/// A calibration by the daemon, with its sensors' samples.
struct DaemonCalibration {
    private let subject: Waymark.CalibrationKind
    private let options: ParsedOptions
    /// Requested duration. Unit: seconds.
    private let seconds: Double?

    init(_ subject: Waymark.CalibrationKind, _ options: ParsedOptions) {
        (self.subject, self.options) = (subject, options)
        seconds = options[CalibrateOptions.seconds] ?? options[CalibrateOptions.hours].map { $0 * 3600 }
    }

    /// Maximum duration of a fit, and maximum time without a message from the daemon. Unit: seconds.
    private static let patience = 120.0

    /// Calibrates, and prints the result.
    func run() throws -> Waymark.CalibrationResult {
        if let svg = options[CalibrateOptions.svg] { try NewFile.refuse(existing: svg) }
        let outcome = try follow()
        if let svg = options[CalibrateOptions.svg] { try AllanPicture.write(outcome, to: svg) }
        try Terminal.print(
            options[CalibrateOptions.json]
                ? JSONText.line(outcome) : CalibrationText.lines(outcome).joined(separator: "\n") + "\n")
        return outcome
    }

    private func follow() throws -> Waymark.CalibrationResult {
        let deadline = Deadline(seconds: options[CalibrateOptions.timeout])
        let end = Deadline(seconds: seconds)
        let updates = try Waymark.Client().calibrate(
            subject, force: options[CalibrateOptions.force], store: !options[CalibrateOptions.dryRun])
        var output = try output()
        defer { output.end() }
        var isFinishing = false
        while true {
            switch try next(updates, deadline) {
            case .result(let outcome): return outcome
            case .progress(var step):
                // With a requested duration, the bar shows the elapsed share of that duration.
                if let seconds { step.fraction = min(1, step.seconds / seconds) }
                try output.show(step)
            }
            if !isFinishing, output.wantsToFinish() || end.hasPassed {
                isFinishing = true
                // The other connection receives the result.
                try Waymark.Client().finishCalibration()
            }
        }
    }

    private func next(_ updates: Waymark.Updates<Waymark.CalibrationUpdate>, _ deadline: Deadline) throws
        -> Waymark.CalibrationUpdate
    {
        let patience = Duration.seconds(Self.patience)
        do throws(WaymarkError) {
            guard !deadline.hasPassed else { throw .timedOut }
            guard let update = try updates.next(timeout: min(deadline.left ?? patience, patience)) else {
                throw .disconnected
            }
            return update
        } catch {
            if error == .timedOut, deadline.hasPassed {
                throw CommandError.timedOut("timeout: the calibration did not finish, and nothing was stored")
            }
            throw error
        }
    }

    private func output() throws -> any CalibrationOutput {
        if options[CalibrateOptions.json] { return JSONSteps() }
        return Terminal.isInteractive ? try LiveSteps(subject) : PlainSteps(subject)
    }
}

/// Display of the progress of a calibration.
protocol CalibrationOutput {
    mutating func show(_ step: Waymark.CalibrationProgress) throws
    /// Whether the user requests the end, with the samples so far.
    func wantsToFinish() -> Bool
    /// Restores the terminal.
    mutating func end()
}

extension CalibrationOutput {
    func wantsToFinish() -> Bool { false }
    mutating func end() {}
}

/// Output of one JSON object per line.
struct JSONSteps: CalibrationOutput {
    func show(_ step: Waymark.CalibrationProgress) throws { try Terminal.print(JSONText.line(step)) }
}

/// Prints a line when there is something new.
struct PlainSteps: CalibrationOutput {
    private var steps: CalibrationSteps

    init(_ subject: Waymark.CalibrationKind) { steps = CalibrationSteps(subject) }

    mutating func show(_ step: Waymark.CalibrationProgress) throws {
        if let line = steps.line(step) { try Terminal.print(line + "\n") }
    }
}

/// Display that is redrawn in place.
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
        let size = LiveScreen.size
        view.canvas.columns = size.columns - 1
        try screen.draw(view.lines(rows: size.rows - 1), colour: view.canvas.colour)
    }
}
