import Configuration
import WaymarkClient

/// A calibration that the daemon performs with its own sensors.
struct DaemonCalibration {
    private let subject: Waymark.CalibrationKind
    private let options: ParsedOptions
    /// Requested duration. Unit: seconds.
    private let seconds: Double?

    init(_ subject: Waymark.CalibrationKind, _ options: ParsedOptions) {
        (self.subject, self.options) = (subject, options)
        seconds = options[CalibrateOptions.seconds] ?? options[CalibrateOptions.hours].map { $0 * 3600 }
    }

    /// Maximum time without a message from the daemon. It is long enough for the daemon to compute a fit. Unit:
    /// seconds.
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
        let display = try display()
        defer { display.end() }
        var isFinishing = false
        while true {
            switch try next(updates, deadline) {
            case .result(let outcome): return outcome
            case .progress(var step):
                // With a requested duration, the bar shows the elapsed share of that duration.
                if let seconds { step.fraction = min(1, step.seconds / seconds) }
                try display.show(step)
            }
            if !isFinishing, display.wantsToFinish() || end.hasPassed {
                isFinishing = true
                // This second connection only requests the end; the first one receives the result.
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

    private func display() throws -> StepDisplay {
        if options[.json] { return StepDisplay { try Terminal.print(JSONText.line($0)) } }
        if Terminal.isInteractive {
            let live = try LiveSteps(subject)
            return StepDisplay(show: live.show, wantsToFinish: live.wantsToFinish, end: live.end)
        }
        var steps = CalibrationSteps(subject)
        return StepDisplay { if let line = steps.line($0) { try Terminal.print([line]) } }
    }
}

private struct StepDisplay {
    let show: (Waymark.CalibrationProgress) throws -> Void
    /// Returns whether the user wants to finish with the samples so far.
    var wantsToFinish: () -> Bool = { false }
    var end: () -> Void = {}
}

/// Display on a terminal, redrawn in place.
private final class LiveSteps {
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
