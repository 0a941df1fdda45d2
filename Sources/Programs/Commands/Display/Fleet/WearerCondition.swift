import Fleet
import WaymarkInterface

/// How it is with a wearer of a fleet, in one word: the worst that is known.
enum WearerCondition: Hashable, Sendable {
    /// The broker has lost the connection.
    case lost
    /// Connected by the last state, but nothing has come for long.
    case silent
    /// The program on the board runs without the daemon.
    case noDaemon
    /// Connected, and there is no pose yet.
    case waiting
    /// The daemon's state of localization, where that is not the best.
    case limited(String)
    /// Positions are withheld where the wearer is.
    case withheld
    case localized
    /// The wearer's program has ended as it should.
    case left

    /// Time without any message after which a wearer is silent: a board sends its health once a minute, unless its
    /// settings say otherwise. Unit: nanoseconds.
    private static let silence: Int64 = 150_000_000_000

    /// - Parameter now: by the reader's clock.
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

    var text: String {
        switch self {
        case .lost: "connection lost"
        case .silent: "silent"
        case .noDaemon: "no daemon"
        case .waiting: "no pose yet"
        case .limited(let word): word
        case .withheld: "private"
        case .localized: "localized"
        case .left: "left"
        }
    }

    var ink: Ink {
        switch self {
        case .lost, .silent, .noDaemon: .bad
        case .waiting, .limited: .warning
        case .withheld: .place
        case .localized: .good
        case .left: .faint
        }
    }

    /// The more a wearer needs attention, the less.
    var rank: Int {
        switch self {
        case .lost: 0
        case .silent: 1
        case .noDaemon: 2
        case .limited: 3
        case .waiting: 4
        case .withheld: 5
        case .localized: 6
        case .left: 7
        }
    }
}
