/// Kind of motion of the wearer.
public enum Motion: UInt8, Hashable, Sendable, CaseIterable {
    /// Sitting or standing; head and hands may move.
    case atRest
    /// Walking or running.
    case onFoot
    /// Riding in or on a vehicle, also while it stops, unless the board lies still for ten seconds.
    case riding
}

/// Most probable kind of motion, with its probability.
@frozen
public struct MotionEstimate: Hashable, Sendable {
    /// Most probable kind.
    public var kind: Motion
    /// Probability of that kind, 0…1.
    public var probability: Double

    /// Makes an estimate.
    @inlinable
    public init(kind: Motion, probability: Double) {
        self.kind = kind
        self.probability = probability
    }
}
