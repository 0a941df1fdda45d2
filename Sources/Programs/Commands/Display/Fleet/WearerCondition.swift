import Fleet
import WaymarkInterface

/// Condition of a wearer of a fleet; the most serious one if several apply.
enum WearerCondition: Hashable, Sendable {
    /// The broker has lost the connection to the wearer's board.
    case lost
    /// The last state says that the board is connected, but no message has arrived for too long.
    case silent
    /// The program on the board runs without the daemon.
    case noDaemon
    /// Connected, but without a pose yet.
    case waiting
    /// The daemon's state of localization, if it is not `localized`.
    case limited(String)
    /// The wearer is at a place where the board withholds positions.
    case withheld
    case localized
    /// The program on the wearer's board has ended regularly.
    case left

    /// Time without any message after which a wearer counts as silent. By default a board sends its health once a
    /// minute, so more than two messages are missing. Unit: nanoseconds.
    private static let silence: Int64 = 150_000_000_000

    /// - Parameter now: current time by this computer's clock.
    init(_ wearer: ObservedWearer, now: UTCTime) {
        if let state = wearer.state, !state.isOnline {
            self = state.time == nil ? .lost : .left
        } else if let last = wearer.lastSeen(now: now), now.nanoseconds - last.nanoseconds > Self.silence {
            self = .silent
        } else if let state = wearer.state, !state.hasDaemon {
            self = .noDaemon
        } else if wearer.state?.isWithheld == true {
            self = .withheld
        } else if let word = wearer.state?.state ?? wearer.pose?.state {
            self = word == .localized ? .localized : .limited(OutsideText.line(word.description))
        } else {
            self = .waiting
        }
    }

    /// Text, appearance and rank of the condition. Conditions that need more attention have a lower rank.
    private var row: (text: String, ink: Ink, rank: Int) {
        switch self {
        case .lost: ("connection lost", .bad, 0)
        case .silent: ("silent", .bad, 1)
        case .noDaemon: ("no daemon", .bad, 2)
        case .limited(let word): (word, .warning, 3)
        case .waiting: ("no pose yet", .warning, 4)
        case .withheld: ("private", .place, 5)
        case .localized: ("localized", .good, 6)
        case .left: ("left", .faint, 7)
        }
    }

    var text: String { row.text }
    var ink: Ink { row.ink }
    var rank: Int { row.rank }
}
