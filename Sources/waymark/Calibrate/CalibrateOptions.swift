import Calibration
import Options

/// The options that the commands of `waymark calibrate` share.
enum CalibrateOptions {
    static let json = Flag("json", help: "Print one JSON object a line, the result last")
    static let force = Flag("force", help: "Keep the result also where what is in force is better")
    static let dryRun = Flag("dry-run", help: "Keep nothing")
    static let timeout = Option.number(
        "timeout", value: "SECONDS", in: 0.1...(7 * Deadline.longest),
        help: "Give up after SECONDS with 4, and keep nothing")

    // Without a daemon.
    static let from = Option.text(
        "from", value: "PATH", help: "Take the samples of a recording, a folder or a table PATH, without a daemon")
    static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "With --from, write the result to FILE (- is standard output) for 'waymark calibrate import'")
    static let rate = Option.number(
        "rate", value: "HZ", in: 0.001...100_000, help: "With --from, of a table without t_s")
    static let unit = Option.choice(
        "unit", of: ["si", "counts"], help: "With --from, what a table holds (default: by its values)")
    static let gravity = Option.number(
        "gravity", value: "M/S2", in: 0.01...1000, help: "With --from, of gravity there (default: 9.80665)")
    static let field = Option.number(
        "field", value: "UT", in: 0.01...100_000,
        help: "With --from, strength of the field there in microtesla (default: as measured, or 1 for counts)")
    static let accelScale = Option.number(
        "accel-scale", value: "FACTOR", in: 1e-12...1e6, help: "With --from, m/s² for each unit of ax, ay, az")
    static let gyroScale = Option.number(
        "gyro-scale", value: "FACTOR", in: 1e-12...1e6, help: "With --from, rad/s for each unit of gx, gy, gz")

    // Of one kind each.
    static let faces = Flag("faces", help: "With --from, the poses are the six faces of a box with right angles")
    static let turn = Option.number(
        "turn", value: "DEGREES", in: -36_000...36_000,
        help: "With --faces, how far it was turned about each of its edges, counter-clockwise from above")
    static let seconds = Option.number(
        "seconds", value: "SECONDS", in: 1...(7 * Deadline.longest), help: "End after SECONDS with what there is")
    static let hours = Option.number("hours", value: "HOURS", in: 0.001...168, help: "The same in hours")
    static let svg = Option.text("svg", value: "FILE", help: "Draw Allan's deviation into FILE")

    static let everywhere: [any OptionDeclaration] = [json, force, dryRun, timeout]
    static let offline: [any OptionDeclaration] = [from, output, rate, unit]

    /// Under the options of every kind.
    static let notes = """
        PATH is an MCAP recording, a folder with imu.csv, imu_raw.csv or mag.csv, or a
        table with columns t_s, ax ay az, gx gy gz, mx my mz (also acc_x, gyr_x, mag_x),
        each plain or with .gz; a table may be in any unit.

        Ctrl-C ends it and keeps nothing; on a terminal, Enter ends it with what there is.
        Exit codes: 0 accepted, 1 refused or failed, 4 timed out.
        """
}

/// What was asked for, taken off the command line.
struct CalibrateWish {
    var json: Bool
    var force: Bool
    var dryRun: Bool
    var timeout: Double?
    var from: String?
    var output: String?
    var rate: Double?
    var unit: CalibrationSettings.Unit?
    var gravity: Double?
    var field: Double?
    var accelScale: Double?
    var gyroScale: Double?
    var usesFaces: Bool
    /// Degrees.
    var turn: Double?
    var seconds: Double?
    var svg: String?

    /// - Throws: where options do not go together.
    init(_ options: ParsedOptions, command: any Command.Type) throws(UsageError) {
        json = options[CalibrateOptions.json]
        force = options[CalibrateOptions.force]
        dryRun = options[CalibrateOptions.dryRun]
        timeout = options[CalibrateOptions.timeout]
        from = options[CalibrateOptions.from]
        output = options[CalibrateOptions.output]
        rate = options[CalibrateOptions.rate]
        unit = options[CalibrateOptions.unit].map { $0 == "si" ? .standard : .arbitrary }
        gravity = options[CalibrateOptions.gravity]
        field = options[CalibrateOptions.field]
        accelScale = options[CalibrateOptions.accelScale]
        gyroScale = options[CalibrateOptions.gyroScale]
        usesFaces = options[CalibrateOptions.faces]
        turn = options[CalibrateOptions.turn]
        seconds = options[CalibrateOptions.seconds] ?? options[CalibrateOptions.hours].map { $0 * 3600 }
        svg = options[CalibrateOptions.svg]
        try check(options, command)
    }

    private func check(_ options: ParsedOptions, _ command: any Command.Type) throws(UsageError) {
        if options[CalibrateOptions.seconds] != nil, options[CalibrateOptions.hours] != nil {
            throw command.usageError("--seconds and --hours say the same: give one of them")
        }
        if svg == "-" { throw command.usageError("--svg: standard output has the result already: name a file") }
        if let turn, turn.magnitude < 1 { throw command.usageError("--turn: a turn of less than a degree is none") }
        if json, output == "-" {
            throw command.usageError("--json and --output - both want standard output: name a file")
        }
        if turn != nil, !usesFaces { throw command.usageError("--turn goes with --faces") }
        if from != nil {
            let live = [("--timeout", timeout != nil), ("--seconds or --hours", seconds != nil)]
            if let (name, _) = live.first(where: { $0.1 }) {
                throw command.usageError("\(name) is for the daemon's sensors: it does not go with --from")
            }
            return
        }
        let offline = [
            ("--output", output != nil), ("--rate", rate != nil), ("--unit", unit != nil),
            ("--gravity", gravity != nil),
            ("--field", field != nil), ("--accel-scale", accelScale != nil), ("--gyro-scale", gyroScale != nil),
            ("--faces", usesFaces),
        ]
        if let (name, _) = offline.first(where: { $0.1 }) {
            throw command.usageError("\(name) goes with --from: the daemon knows its sensors")
        }
    }
}
