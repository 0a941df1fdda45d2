import Fleet
import Glibc
import Linux

/// The live view of a fleet on a terminal: reads messages, draws four times a second, and reads keys.
enum FleetWatch {
    /// Interval between redraws. Unit: nanoseconds.
    private static let period: Int64 = 250_000_000

    /// Shows the view until the deadline, or until a key ends it.
    static func run(_ observer: FleetObserver, _ deadline: Deadline) throws {
        let screen = FullScreen()
        defer { screen.end() }
        let keyboard = Keyboard()
        var view = FleetView(root: observer.roster.root, broker: "", now: FleetObserver.now)
        view.hasKeys = keyboard != nil
        while !deadline.hasPassed {
            let next = BootClock.nanoseconds + period
            observer.run(milliseconds: 0)
            view.link = link(observer)
            view.show(observer.roster, now: FleetObserver.now)
            let size = FullScreen.size
            try screen.draw(
                view.picture(rows: size.rows, columns: size.columns, canvas: Terminal.canvas), size: size)
            guard wait(keyboard, until: min(next, deadline.nanoseconds ?? .max), &view) else { return }
        }
    }

    private static func link(_ observer: FleetObserver) -> FleetView.Link {
        switch observer.link {
        case .connected(let broker): .connected(broker: "\(broker)")
        case .connecting: .away(since: FleetObserver.now, problem: "connecting")
        case .away(let since, let problem): .away(since: since, problem: problem)
        }
    }

    /// Waits until the next picture is due or a key is pressed, and performs the key's action. Returns false if the key
    /// ends the view.
    private static func wait(_ keyboard: Keyboard?, until end: Int64, _ view: inout FleetView) -> Bool {
        let left = end - BootClock.nanoseconds
        guard left > 0 else { return true }
        guard let keyboard else {
            usleep(UInt32(clamping: left / 1000))
            return true
        }
        guard let key = keyboard.next(within: .nanoseconds(left)) else { return true }
        if key == "q" || key == "Q" { return false }
        view.press(key)
        return true
    }
}
