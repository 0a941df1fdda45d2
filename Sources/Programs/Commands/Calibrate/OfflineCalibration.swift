import Calibration
import Configuration
import Geometry
import JSON
import Model
import Recording
import WaymarkClient

/// A calibration with existing samples, without a daemon.
struct OfflineCalibration {
    private let kind: CalibrationKind
    private let options: ParsedOptions
    private let path: String
    /// Sensor calibrations that are treated as active, such as the results of earlier calibrations.
    var present: [SensorCalibration] = []

    private typealias Own = CalibrateOptions

    init(_ subject: Waymark.CalibrationKind, _ options: ParsedOptions, path: String) {
        (kind, self.options, self.path) = (CalibrationKind(subject), options, path)
    }

    /// Calibrates, prints the result and writes the requested files.
    func run() throws -> Waymark.CalibrationResult {
        for file in [options[Own.output], options[Own.svg]].compactMap(\.self) { try NewFile.refuse(existing: file) }
        let (result, unit) = try calibrate()
        if let svg = options[Own.svg] { try AllanPicture.write(result, unit, to: svg) }
        let isKept = isKept(result.verdict)
        if let output = options[Own.output], isKept { try CalibrationFile.write(result, unit, to: output) }
        let outcome = try Self.outcome(result, unit)
        try show(outcome, place: place(isKept))
        return outcome
    }

    private func show(_ outcome: Waymark.CalibrationResult, place: String) throws {
        if options[Own.json] { return try Terminal.print(JSONText.line(outcome)) }
        let lines = CalibrationText.lines(outcome, place: place)
        // Only the document goes to standard output, which stays empty if no document is written.
        if options[Own.output] == "-" { return Terminal.complain(lines.joined(separator: "\n")) }
        try Terminal.print(lines)
    }

    /// Computes the fit, without printing or writing the result.
    func calibrate() throws -> (result: CalibrationResult, unit: CalibrationSettings.Unit) {
        let scales = SampleScales(force: options[Own.accelScale] ?? 1, rate: options[Own.gyroScale] ?? 1)
        let unit = try options[Own.unit].map { $0 == "si" ? .standard : .arbitrary } ?? unit(scales)
        let settings = CalibrationSettings(
            unit: unit, gravity: options[Own.gravity] ?? CalibrationSettings().gravity,
            fieldStrength: options[Own.field],
            inclination: options[Own.dip].map(Angle.radians(degrees:)),
            usesFaces: options[Own.faces], faceTurn: options[Own.turn].map(Angle.radians(degrees:)), present: present)
        let reader = try SampleReader.open(path, rate: options[Own.rate], scales: scales)
        var session = kind.session(settings)
        try feed(reader, to: &session)
        for warning in reader.warnings { Terminal.complain("waymark calibrate: warning: \(warning)") }
        var result = session.result()
        if result.verdict.refusal == .noSamples { result.verdict = .refused(.noSamples, absence) }
        return (result, unit)
    }

    /// Reason for a refusal if there are no samples. It replaces the reason that the session gives, which refers users
    /// to the daemon.
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

    /// Returns the result, rounded to the same number of decimals as a result from the daemon.
    static func outcome(
        _ result: CalibrationResult, _ unit: CalibrationSettings.Unit
    ) throws -> Waymark.CalibrationResult {
        var json = JSONWriter()
        result.message(stored: false, unit: unit).write(into: &json)
        return try Waymark.CalibrationResult(JSONReader.read(json.bytes))
    }

    private func unit(_ scales: SampleScales) throws -> CalibrationSettings.Unit {
        let reader = try SampleReader.open(path, rate: options[Own.rate], scales: scales)
        if reader.origin == .recording { return .standard }
        let survey = try SampleSurvey(reader)
        if kind != .magnetometer, SampleUnit.isMixed(survey) {
            Terminal.complain(
                "waymark calibrate: warning: \(path): accelerations look like m/s², but angular rates are not "
                    + "rad/s; all are treated as counts: for degrees per second, use --gyro-scale 0.0174533")
        }
        if kind != .magnetometer, SampleUnit.isInG(survey) {
            Terminal.complain(
                "waymark calibrate: warning: \(path): accelerations look like g, and are treated as counts: for a "
                    + "calibration in m/s², use --accel-scale 9.80665"
                    + (survey.highRate == nil ? "" : ", and --gyro-scale 0.0174533 for degrees per second"))
        }
        return SampleUnit.of(survey, for: kind)
    }

    /// Whether to ignore further samples once the session has enough. After the board has lain still, or the wearer has
    /// walked, other motion follows.
    private var endsEarly: Bool { kind == .gyroscope || kind == .mount }

    /// Number of measurements between updates of the progress line.
    private static let step = 50_000
    /// Number of measurements between checks whether the session has enough.
    private static let question = 64

    private func feed(
        _ reader: SampleReader, to session: inout any CalibrationSession
    ) throws(RecordingError) {
        let progress = ProgressLine()
        defer { progress.end() }
        try Self.feed(reader, to: &session, endsEarly: endsEarly, progress)
    }

    /// Generic, so that the call that passes each sample to the session is direct and adds no cost.
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
        !options[Own.dryRun] && (verdict.isAccepted || (options[Own.force] && verdict.refusal == .worseThanPresent))
    }

    private func place(_ isKept: Bool) -> String {
        guard let output = options[Own.output], isKept else { return "no" }
        let place = output == "-" ? "on standard output" : "in \(output)"
        return "\(place), for 'waymark calibrate import'"
    }
}

extension CalibrationKind {
    fileprivate init(_ kind: Waymark.CalibrationKind) {
        self =
            switch kind {
            case .gyro: .gyroscope
            case .accel: .accelerometer
            case .mag: .magnetometer
            case .mount: .mount
            case .noise: .noise
            }
    }
}

/// Determines from the magnitude of the numbers in a table whether they are in SI units.
enum SampleUnit {
    /// Gravity that an uncalibrated accelerometer may measure at rest. In g the value would be 1, in counts it would be
    /// in the tens or more. Unit: m/s².
    private static let gravity = 5.0...15
    /// Strength of the earth's field: 22 to 67 in the World Magnetic Model, widened because of the board's own iron.
    /// Unit: microtesla.
    private static let field = 15.0...80
    /// Rate above which the values are assumed to be in another unit. It is faster than any rotation by hand, and
    /// beyond the range of most gyroscopes. Unit: rad/s.
    private static let maximumTurnRate = 40.0

    /// Returns the unit of the samples that a calibration of `kind` needs.
    ///
    /// Waymark's own recordings are in SI units, so only tables are examined. The `imu.csv` of a sensor folder counts
    /// as a table, although its inertial part is in SI units by definition.
    static func of(_ survey: SampleSurvey, for kind: CalibrationKind) -> CalibrationSettings.Unit {
        kind == .magnetometer ? ofField(survey) : ofInertial(survey)
    }

    private static func ofInertial(_ survey: SampleSurvey) -> CalibrationSettings.Unit {
        if isMixed(survey) { return .arbitrary }
        if let force = survey.medianForce { return gravity.contains(force) ? .standard : .arbitrary }
        guard let rate = survey.highRate else { return .standard }
        return survey.isWhole || rate > maximumTurnRate ? .arbitrary : .standard
    }

    /// Whether forces are in m/s² but rates in another unit, often °/s.
    static func isMixed(_ survey: SampleSurvey) -> Bool {
        guard let force = survey.medianForce, let rate = survey.highRate else { return false }
        return gravity.contains(force) && rate > maximumTurnRate
    }

    /// Whether forces are in g, as the libraries of many boards give them.
    static func isInG(_ survey: SampleSurvey) -> Bool {
        survey.medianForce.map { MeasurementRange.forceInG.contains($0) && !survey.isWhole } ?? false
    }

    /// Returns the unit of magnetometer samples. After a rotation through all directions, half of an axis's range is
    /// the strength of the field, whatever the hard iron. At rest only the norm is available.
    private static func ofField(_ survey: SampleSurvey) -> CalibrationSettings.Unit {
        guard let median = survey.medianField, let radius = survey.fieldRadius else { return .standard }
        return field.contains(radius) || (radius < field.lowerBound && field.contains(median)) ? .standard : .arbitrary
    }
}
