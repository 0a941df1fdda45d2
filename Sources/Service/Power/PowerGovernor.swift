/// Decides when the sensors may do less: no client has taken a pose for a while.
///
/// A client is served at once. Clients that come and go again and again, soon after the sensors went idle each time,
/// make it wait longer and longer, so that a script that asks every few seconds does not have the sensors switch each
/// time.
package struct PowerGovernor {
    package enum Mode: String, Sendable {
        case active, idle
    }

    package private(set) var mode = Mode.active
    /// Time at which the mode began. Nanoseconds of any monotone clock, as all times here.
    package private(set) var since: Int64
    /// Number of times that a client ended the idle mode.
    package private(set) var wakes = 0
    /// Time without a client after which the mode becomes idle.
    package private(set) var patience: Int64
    private var lastWanted: Int64
    private var least: Int64

    /// Number of times the patience below which an idle spell is a short one.
    private static let worthwhile: Int64 = 3

    /// Maximum that patience grows to, where the setting is less.
    package static let mostPatience: Int64 = 600_000_000_000

    /// - Parameters:
    ///   - patience: time without a client before the first idle spell.
    ///   - now: counts as a moment with a client.
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

    /// Checks whether there is a client; true when that changed the mode.
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
