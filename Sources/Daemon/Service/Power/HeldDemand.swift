/// What clients want of the sensors, held for a while after the last of them has left.
///
/// A client is served at once. Clients that come and go again and again, soon after they were given up each time, make
/// it wait longer and longer, so that a script that asks every few seconds does not have the sensors switch each time.
package struct HeldDemand {
    /// Whether there is a client, or was one recently.
    package private(set) var isHeld: Bool
    /// Time since which that is so. Nanoseconds of any monotone clock, as all times here.
    package private(set) var since: Int64
    /// Number of times that a client came after the last had been given up.
    package private(set) var returns = 0
    /// Time without a client after which the last one is given up.
    package private(set) var patience: Int64
    private var lastWanted: Int64
    private var minimum: Int64

    /// Number of times the patience below which a spell without clients is a short one.
    private static let worthwhile: Int64 = 3

    /// Maximum that patience grows to, where the setting is less.
    package static let maximumPatience: Int64 = 600_000_000_000

    /// - Parameters:
    ///   - patience: time without a client before the first is given up.
    ///   - isHeld: whether this counts as a moment with a client.
    package init(patience: Int64, isHeld: Bool, at now: Int64) {
        precondition(patience > 0)
        self.patience = patience
        self.isHeld = isHeld
        minimum = patience
        since = now
        lastWanted = now
    }

    /// Another setting of the least patience.
    package mutating func apply(patience: Int64) {
        precondition(patience > 0)
        guard patience != minimum else { return }
        minimum = patience
        self.patience = patience
    }

    /// Notes whether there is a client; true when that changed `isHeld`.
    package mutating func note(isWanted: Bool, at now: Int64) -> Bool {
        if isWanted { lastWanted = now }
        if isHeld {
            guard now - lastWanted >= patience else { return false }
        } else {
            guard isWanted else { return false }
            let wasShort = now - since < Self.worthwhile * patience
            patience = wasShort ? max(minimum, min(2 * patience, Self.maximumPatience)) : minimum
            returns += 1
        }
        isHeld.toggle()
        since = now
        return true
    }
}
