import Calibration
import Display
import FoundationEssentials
import Geometry
import JSON
import Messages
import Model
import Recording
import WaymarkClient

/// A calibration by samples that were taken before, without a daemon.
struct OfflineCalibration {
    let kind: CalibrationKind
    let request: CalibrateRequest
    let path: String
    /// What holds for the sensors, such as by the calibrations before it.
    var present: [SensorCalibration] = []

    init(_ subject: CalibrationSubject, _ request: CalibrateRequest, path: String) {
        // The names are those of the commands in both.
        kind = CalibrationKind(rawValue: subject.rawValue)!
        self.request = request
        self.path = path
    }

    /// Calibrates, prints what came of it and writes what was asked for.
    func run() throws -> CalibrationOutcome {
        for file in [request.output, request.svg].compactMap({ $0 }) where file != "-" {
            try NewFile.refuse(existing: file)
        }
        let (result, unit) = try calibrate()
        if let svg = request.svg { try AllanPicture.write(result, unit, to: svg) }
        let isKept = isKept(result.verdict)
        if let output = request.output, isKept { try CalibrationFile.write(result, unit, to: output) }
        let outcome = try Self.outcome(result, unit)
        try show(outcome, place: place(isKept))
        return outcome
    }

    private func show(_ outcome: CalibrationOutcome, place: String) throws {
        if request.json { return try Terminal.print(JSONText.line(outcome)) }
        let lines = CalibrationText.lines(outcome, place: place)
        // Standard output is the document's, or stays empty where there is none.
        if request.output == "-" { return Terminal.complain(lines.joined(separator: "\n")) }
        try Terminal.print(lines)
    }

    /// The fit alone.
    func calibrate() throws -> (result: CalibrationResult, unit: CalibrationSettings.Unit) {
        let scales = SampleScales(force: request.accelScale ?? 1, rate: request.gyroScale ?? 1)
        let unit = try request.unit ?? unit(scales)
        let settings = CalibrationSettings(
            unit: unit, gravity: request.gravity ?? CalibrationSettings().gravity, fieldStrength: request.field,
            usesFaces: request.usesFaces, faceTurn: request.turn.map(Angle.radians(degrees:)), present: present)
        let reader = try SampleReader.open(path, rate: request.rate, scales: scales)
        var session = kind.session(settings)
        try feed(reader, to: &session)
        for warning in reader.warnings { Terminal.complain("waymark calibrate: warning: \(warning)") }
        var result = session.result()
        if result.verdict.refusal == .noSamples { result.verdict = .refused(.noSamples, absence) }
        return (result, unit)
    }

    /// In the place of what a daemon's user would have to do.
    private var absence: String {
        let wanted =
            switch kind {
            case .gyroscope: "of the gyroscope (in a table: gx, gy, gz)"
            case .accelerometer: "of the accelerometer (in a table: ax, ay, az)"
            case .magnetometer: "of the magnetometer (in a table: mx, my, mz)"
            case .mount: "of both the accelerometer and the gyroscope (in a table: ax, ay, az, gx, gy, gz)"
            case .noise: "of the gyroscope or the accelerometer (in a table: gx, gy, gz, ax, ay, az)"
            }
        return "\(path) has no samples \(wanted)."
    }

    /// As the daemon sends it.
    static func outcome(
        _ result: CalibrationResult, _ unit: CalibrationSettings.Unit
    ) throws -> CalibrationOutcome {
        var json = JSONWriter()
        CalibrationMessage.write(result, stored: false, unit: unit, into: &json)
        return try JSONDecoder().decode(CalibrationOutcome.self, from: Data(json.bytes))
    }

    private func unit(_ scales: SampleScales) throws -> CalibrationSettings.Unit {
        let reader = try SampleReader.open(path, rate: request.rate, scales: scales)
        if reader.origin == .recording { return .standard }
        let survey = try SampleSurvey(reader)
        if kind != .magnetometer, SampleUnit.isMixed(survey) {
            Terminal.complain(
                "waymark calibrate: warning: \(path): accelerations look like m/s², but angular rates are not "
                    + "rad/s; all are treated as counts: for degrees per second, use --gyro-scale 0.0174533")
        }
        return SampleUnit.of(survey, for: kind)
    }

    /// Whether the rest of the samples would be about something else: who lay still gets up, who has walked stops.
    private var endsEarly: Bool { kind == .gyroscope || kind == .mount }

    /// Number of measurements between updates of the progress line.
    private static let step = 50_000
    /// So often it is asked whether there is enough.
    private static let question = 64

    private func feed(
        _ reader: SampleReader, to session: inout any CalibrationSession
    ) throws(RecordingError) {
        let progress = ProgressLine()
        defer { progress.end() }
        try Self.feed(reader, to: &session, endsEarly: endsEarly, progress)
    }

    /// Generic, so that a sample costs no more than the session itself.
    private static func feed<Session: CalibrationSession>(
        _ reader: SampleReader, to session: inout Session, endsEarly: Bool, _ progress: ProgressLine
    ) throws(RecordingError) {
        var count = 0
        while let measurement = try reader.next() {
            session.feed(measurement)
            count += 1
            if endsEarly, count % question == 0, session.isComplete { return }
            if count % step == 0 { progress.show(text(count, reader.fraction)) }
        }
    }

    private static func text(_ count: Int, _ fraction: Double?) -> String {
        "\(count) samples" + (fraction.map { ", \(Int($0 * 100)) %" } ?? "")
    }

    /// Whether the result is stored. `--force` overrides only the refusal of a result worse than the active one.
    private func isKept(_ verdict: CalibrationVerdict) -> Bool {
        !request.dryRun && (verdict.isAccepted || (request.force && verdict.refusal == .worseThanPresent))
    }

    private func place(_ isKept: Bool) -> String {
        guard let output = request.output, isKept else { return "no" }
        let place = output == "-" ? "on standard output" : "in \(output)"
        return "\(place), for 'waymark calibrate import'"
    }
}
