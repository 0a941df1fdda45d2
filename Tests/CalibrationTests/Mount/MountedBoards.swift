import BoardHandling
import Calibration
import Geometry
import Model
import Simulation

/// A board on a walker, and what a session makes of it.
struct MountedWalk {
    var board: HandledBoard
    var session: MountSession

    init(
        _ handling: Handling = .straightWalks(standSeconds: 4, metres: 10), errors: HandledErrors? = nil, seed: UInt64,
        settings: CalibrationSettings = CalibrationSettings(), change: (inout HandledBoard) -> Void = { _ in }
    ) {
        board = HandledBoard(handling, errors: errors ?? .typical(seed: seed), seed: seed, tremor: 0.002)
        board.mount = Self.mount(seed: seed)
        board.inertialRate = 100
        board.magneticRate = 0
        change(&board)
        session = MountSession(settings: settings)
    }

    /// Any rotation, by lot.
    static func mount(seed: UInt64) -> Rotation3 {
        var random = RandomSource(seed: seed, stream: 90)
        return Rotation3(w: random.normal(), x: random.normal(), y: random.normal(), z: random.normal()) ?? .identity
    }

    mutating func run(_ change: (inout [Measurement]) -> Void = { _ in }) -> CalibrationResult {
        var measurements = board.measurements()
        change(&measurements)
        for measurement in measurements { session.feed(measurement) }
        return session.result()
    }

    /// What is wrong with the mount that was found, about the body's axes. Unit: radians.
    func error(of result: CalibrationResult) -> Vector3? {
        guard let fit = result.fits.first, let found = Rotation3(matrix: fit.correction) else { return nil }
        return (found * board.mount.inverse).log
    }
}
