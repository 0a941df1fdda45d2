import Glibc
import Linux
import WaymarkClient

/// The live view on a terminal: reads the daemon's data, draws ten times a second, and reads keys.
enum LiveWatch {
    /// Interval between redraws. Unit: nanoseconds.
    private static let period: Int64 = 100_000_000
    /// Maximum number of poses read for one picture: the number that arrives at the highest rate.
    private static let maximumPoseCount = 1000

    /// Shows the view until the requested end. Returns the number of poses, or nil if a key has ended the view.
    /// - Throws: `WaymarkError` if no daemon can be reached at the beginning, or if the daemon refuses a request.
    static func run(_ request: LiveRequest) throws -> Int? {
        let connections = try request.connect { () throws(WaymarkError) in
            try LiveConnections(request)
        }
        let screen = FullScreen()
        defer { screen.end() }
        let keyboard = Keyboard()
        var view = LiveView()
        view.hasKeys = keyboard != nil
        var poses = 0
        var next = BootClock.nanoseconds
        while !request.deadline.hasPassed {
            poses += try connections.update(&view, limit: min(request.count - poses, maximumPoseCount))
            try draw(view, on: screen)
            guard poses < request.count else { break }
            // Pictures that were due while the program was stopped are skipped.
            next = max(next + period, BootClock.nanoseconds)
            let end = min(next, request.deadline.nanoseconds ?? .max)
            if wait(keyboard, until: end, &view) == .quit { return nil }
        }
        return poses
    }

    private static func draw(_ view: LiveView, on screen: FullScreen) throws {
        let size = FullScreen.size
        let time = Double(BootClock.nanoseconds) * 1e-9
        try screen.draw(
            view.picture(rows: size.rows, columns: size.columns, time: time, canvas: Terminal.canvas), size: size)
    }

    private enum Outcome {
        case elapsed
        case quit
    }

    /// Waits for the next picture, and handles keys meanwhile; a key that changes the radar's range ends the wait.
    private static func wait(_ keyboard: Keyboard?, until end: Int64, _ view: inout LiveView) -> Outcome {
        while true {
            let left = end - BootClock.nanoseconds
            guard left > 0 else { return .elapsed }
            guard let key = keyboard?.next(within: .nanoseconds(left)) else {
                if keyboard == nil { usleep(UInt32(clamping: left / 1000)) }
                continue
            }
            switch key {
            case "q", "Q": return .quit
            case "+", "=", "-", "_":
                view.changeRadar(larger: key == "-" || key == "_")
                return .elapsed
            default: continue
            }
        }
    }
}
