/// Decides when the sensors may do less: nobody has taken a pose for a while.
///
/// Who comes is served at once. Who comes and goes again and again, soon after the sensors went idle each time, makes it
/// wait longer and longer, so that a script that asks every few seconds does not have the sensors switch each time.
package struct PowerGovernor {
    package enum Mode: String, Sendable {
        case active, idle
    }

    package private(set) var mode = Mode.active
    /// When the mode began. Nanoseconds of any monotone clock, as all times here.
    package private(set) var since: Int64
    /// How often somebody came while it was idle.
    package private(set) var wakes = 0
    /// How long nobody must have been there.
    package private(set) var patience: Int64
    private var lastWanted: Int64
    private var least: Int64

    /// An idle spell is a short one below so many times the patience.
    private static let worthwhile: Int64 = 3

    /// The most that patience grows to, where the setting is less.
    package static let mostPatience: Int64 = 600_000_000_000

    /// - Parameters:
    ///   - patience: how long nobody must be there at first.
    ///   - now: counts as a moment at which somebody was there.
    package init(patience: Int64, at now: Int64) {
        precondition(patience > 0)
        self.patience = patience
        least = patience
        since = now
        lastWanted = now
    }

    /// Another setting of the least patience.
    package mutating func apply(patience: Int64) {
        precondition(patience > 0)
        guard patience != least else { return }
        least = patience
        self.patience = patience
    }

    /// Looks whether somebody is there; true when that changed the mode.
    package mutating func look(isWanted: Bool, at now: Int64) -> Bool {
        if isWanted { lastWanted = now }
        switch mode {
        case .active:
            guard now - lastWanted >= patience else { return false }
            mode = .idle
        case .idle:
            guard isWanted else { return false }
            let wasShort = now - since < Self.worthwhile * patience
            patience = wasShort ? max(least, min(2 * patience, Self.mostPatience)) : least
            wakes += 1
            mode = .active
        }
        since = now
        return true
    }
}
