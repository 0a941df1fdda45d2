import Display
import Linux
import WaymarkClient

/// A calibration by the daemon, with the samples of its sensors.
struct LiveCalibration {
    let subject: Waymark.CalibrationKind
    let request: CalibrateRequest

    init(_ subject: Waymark.CalibrationKind, _ request: CalibrateRequest) {
        self.subject = subject
        self.request = request
    }

    /// Maximum duration of a fit, and maximum time without a message from the daemon. Unit: seconds.
    private static let patience = 120.0

    /// Calibrates, and prints what came of it.
    func run() throws -> Waymark.CalibrationResult {
        if let svg = request.svg { try NewFile.refuse(existing: svg) }
        let outcome = try follow()
        if let svg = request.svg { try AllanPicture.write(outcome, to: svg) }
        try Terminal.print(
            request.json ? JSONText.line(outcome) : CalibrationText.lines(outcome).joined(separator: "\n") + "\n")
        return outcome
    }

    private func follow() throws -> Waymark.CalibrationResult {
        let deadline = Deadline(seconds: request.timeout)
        let end = Deadline(seconds: request.seconds)
        let updates = try Waymark.Client().calibrate(subject, force: request.force, store: !request.dryRun)
        var output = try output()
        defer { output.end() }
        var isFinishing = false
        while true {
            switch try next(updates, deadline) {
            case .result(let outcome): return outcome
            case .progress(var step):
                // With an end that was asked for, the bar runs to that one.
                if let seconds = request.seconds { step.fraction = min(1, step.seconds / seconds) }
                try output.show(step)
            }
            if !isFinishing, output.wantsToFinish() || end.hasPassed {
                isFinishing = true
                // The other connection waits for what comes of it.
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
        if request.json { return JSONSteps() }
        return Terminal.isInteractive ? try LiveSteps(subject) : PlainSteps(subject)
    }
}
