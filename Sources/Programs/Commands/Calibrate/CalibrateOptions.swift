import Calibration
import Configuration

/// The options that the commands of `waymark calibrate` share.
enum CalibrateOptions {
    static let json = Flag("json", help: "Print one JSON object per line, the result last")
    static let force = Flag("force", help: "Store the result even if the active calibration is better")
    static let dryRun = Flag("dry-run", help: "Do not store the result")
    static let timeout = Option.duration(
        "timeout", in: 0.1...(7 * Deadline.maximumSeconds),
        help: "Give up after TIME, such as 5min (exit status 4) and discard the result")

    // Options for calibrating with existing samples instead of a daemon.
    static let from = Option.text(
        "from", value: "PATH", help: "Use the samples of a recording, folder or table instead of the daemon")
    static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "With --from, write the result to FILE (- is standard output) for 'waymark calibrate import'")
    static let rate = Option.number(
        "rate", value: "HZ", in: 0.001...100_000, help: "Sampling rate of a --from table that has no t_s column")
    static let unit = Option.choice(
        "unit", of: ["si", "counts"], help: "Unit of a --from table (default: guessed from its values)")
    static let gravity = Option.number(
        "gravity", value: "M/S2", in: 0.01...1000, help: "Local gravity for --from (default: 9.80665)")
    static let field = Option.number(
        "field", value: "UT", in: 0.01...100_000,
        help: "Local magnetic field strength for --from, in microtesla (default: as measured, or 1 for counts)")
    static let dip = Option.number(
        "dip", value: "DEGREES", in: -90...90,
        help: "Inclination of the local magnetic field below the horizon for --from; shows inverted axes")
    static let accelScale = Option.number(
        "accel-scale", value: "FACTOR", in: 1e-12...1e6, help: "Factor from ax, ay, az of a --from table to SI units")
    static let gyroScale = Option.number(
        "gyro-scale", value: "FACTOR", in: 1e-12...1e6, help: "Factor from gx, gy, gz of a --from table to SI units")

    // Options that belong to a single kind of calibration.
    static let faces = Flag("faces", help: "With --from, the orientations are the six faces of a rectangular box")
    static let turn = Option.number(
        "turn", value: "DEGREES", in: -36_000...36_000,
        help: "With --faces, angle of the rotation about each edge, counter-clockwise seen from above")
    static let seconds = Option.duration(
        "seconds", in: 1...(7 * Deadline.maximumSeconds),
        help: "Stop after TIME, such as 30min, and use the samples so far")
    static let hours = Option.number("hours", value: "HOURS", in: 0.001...168, help: "Same as --seconds, in hours")
    static let svg = Option.text("svg", value: "FILE", help: "Write a plot of the Allan deviation to FILE")

    static let everywhere: [any OptionDeclaration] = [json, force, dryRun, timeout]
    static let offline: [any OptionDeclaration] = [from, output, rate, unit]

    /// Notes below the options in the help of every kind of calibration.
    static let notes = """
        PATH is an MCAP recording, a folder with imu.csv, imu_raw.csv or mag.csv, or a
        table with columns t_s, ax ay az, gx gy gz, mx my mz (also acc_x, gyr_x, mag_x),
        each plain or with .gz; a table may be in any unit.

        Ctrl-C cancels without storing; on a terminal, Enter finishes with the samples
        so far.
        Exit codes: 0 accepted, 1 refused or failed, 4 timed out.
        """

    /// - Throws: if options exclude each other, if one requires another that is missing, or if a value is invalid.
    static func check(_ options: ParsedOptions) throws(Misuse) {
        let isTimed = options[seconds] != nil || options[hours] != nil
        if options[seconds] != nil, options[hours] != nil { throw Misuse("--seconds and --hours exclude each other") }
        if options[svg] == "-" { throw Misuse("--svg: standard output is used for the result; give a file name") }
        if let turn = options[turn], turn.magnitude < 1 {
            throw Misuse("--turn: the angle must be at least one degree")
        }
        if options[json], options[output] == "-" {
            throw Misuse("--json and --output - both use standard output; give a file name")
        }
        if options[turn] != nil, !options[faces] { throw Misuse("--turn requires --faces") }
        if options[from] != nil {
            let live = [("--timeout", options[timeout] != nil), ("--seconds or --hours", isTimed)]
            if let (name, _) = live.first(where: { $0.1 }) {
                throw Misuse("\(name) applies to live calibration only and cannot be combined with --from")
            }
            return
        }
        let needing = [
            ("--output", options[output] != nil), ("--rate", options[rate] != nil), ("--unit", options[unit] != nil),
            ("--gravity", options[gravity] != nil), ("--field", options[field] != nil), ("--dip", options[dip] != nil),
            ("--accel-scale", options[accelScale] != nil), ("--gyro-scale", options[gyroScale] != nil),
            ("--faces", options[faces]),
        ]
        if let (name, _) = needing.first(where: { $0.1 }) { throw Misuse("\(name) requires --from") }
    }
}
