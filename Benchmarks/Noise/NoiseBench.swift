import Calibration
import Geometry
import Glibc
import JSON
import Linux
import Model
import Simulation

/// What the analysis of noise costs: hours of a sensor at 200 Hz, from memory or written to a table for the command.
enum NoiseBench {
    private static let rate = 200.0
    /// Number of samples that are made before they are fed; only feeding is timed.
    private static let block = 20_000

    /// One JSON object with the figures, for scripts/bench.
    static func run(hours: Double) {
        var board = RestingBoard(rate: rate)
        var session = NoiseSession()
        var spent = 0.0
        var left = Int(hours * 3600 * rate)
        let count = left
        while left > 0 {
            let measurements = (0..<min(block, left)).flatMap { _ in board.next() }
            left -= min(block, left)
            let begin = ThreadClock.now
            for measurement in measurements { session.feed(measurement) }
            spent += ThreadClock.now - begin
        }
        let begin = ThreadClock.now
        let result = session.result()
        let fit = ThreadClock.now - begin
        precondition(result.verdict.isAccepted, "a board at rest is accepted")
        let points = result.noise.map(\.curve.count).max() ?? 0
        print(
            """
            {"samples": \(count), "feedSeconds": \(spent * 1e-9), "fitSeconds": \(fit * 1e-9), "points": \(points), \
            "residentKibibytes": \((ProcessResources.residentBytes ?? 0) / 1024)}
            """)
    }

    /// Writes the same samples as a table: `t_s`, `ax`…`az`, `gx`…`gz`.
    static func write(hours: Double, to path: String) {
        guard let file = fopen(path, "w") else { fatalError("\(path) cannot be written") }
        defer { fclose(file) }
        var board = RestingBoard(rate: rate)
        var text = TextBuffer(capacity: 1 << 20)
        text.append("t_s,ax,ay,az,gx,gy,gz\n")
        for _ in 0..<Int(hours * 3600 * rate) {
            let (time, force, turn) = board.step()
            text.append(time.seconds, decimals: 3)
            for value in [force.x, force.y, force.z, turn.x, turn.y, turn.z] {
                text.append(",")
                text.append(value, decimals: 7)
            }
            text.append("\n")
            if text.count > 1 << 19 { flush(&text, file) }
        }
        flush(&text, file)
    }

    private static func flush(_ text: inout TextBuffer, _ file: UnsafeMutablePointer<FILE>) {
        guard fwrite(text.bytes, 1, text.count, file) == text.count else { fatalError("the disk is full") }
        text.removeAll()
    }
}

/// White noise and a random walk of each axis, as of a cheap sensor that lies still.
private struct RestingBoard {
    private var random = RandomSource(seed: 6)
    private var index: Int64 = 0
    private var bias = Vector3.zero
    private let rate: Double

    init(rate: Double) { self.rate = rate }

    mutating func step() -> (time: BootTime, force: Vector3, turn: Vector3) {
        let time = BootTime(nanoseconds: Int64((Double(index) * 1e9 / rate).rounded()))
        index += 1
        bias += noise(4e-6 / rate.squareRoot())
        let force = Vector3(0.3, 9.7, -1.2) + 100 * bias + noise(3e-3 * rate.squareRoot())
        return (time, force, Vector3(0.02, -0.01, 0.003) + bias + noise(1.5e-4 * rate.squareRoot()))
    }

    mutating func next() -> [Measurement] {
        let (time, force, turn) = step()
        return [
            .specificForce(SpecificForceSample(time: time, force: force)),
            .angularRate(AngularRateSample(time: time, rate: turn)),
        ]
    }

    private mutating func noise(_ standardDeviation: Double) -> Vector3 {
        let x = random.normal()
        let y = random.normal()
        let z = random.normal()
        return Vector3(standardDeviation * x, standardDeviation * y, standardDeviation * z)
    }
}
