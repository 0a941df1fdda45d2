/// Demand of clients for the sensors, held for a while after the last client has left.
///
/// A client is served immediately. If clients keep returning soon after the demand was dropped, the demand is held
/// longer each time, so that a script that asks every few seconds does not switch the sensors each time.
package struct HeldDemand {
    /// Whether there is a client, or was one recently.
    package private(set) var isHeld: Bool
    /// Time at which `isHeld` last changed. Like all times here, in nanoseconds of any monotonic clock.
    package private(set) var since: Int64
    /// Number of times that a client came after the demand had been dropped.
    package private(set) var returns = 0
    /// Time without a client after which the demand is dropped.
    package private(set) var patience: Int64
    private var lastWanted: Int64
    private var minimum: Int64

    /// A spell without clients is short if it is shorter than this multiple of the patience.
    private static let worthwhile: Int64 = 3

    /// Maximum up to which `patience` grows, unless the setting is larger.
    package static let maximumPatience: Int64 = 600_000_000_000

    /// - Parameters:
    ///   - patience: initial time without a client after which the demand is dropped.
    ///   - isHeld: whether to begin as if a client had just been there.
    package init(patience: Int64, isHeld: Bool, at now: Int64) {
        precondition(patience > 0)
        self.patience = patience
        self.isHeld = isHeld
        minimum = patience
        since = now
        lastWanted = now
    }

    package mutating func apply(patience: Int64) {
        precondition(patience > 0)
        guard patience != minimum else { return }
        minimum = patience
        self.patience = patience
    }

    /// Notes whether there is a client; returns whether that changed `isHeld`.
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
