/// How the wearer moves about.
public enum Motion: UInt8, Hashable, Sendable, CaseIterable {
    /// Sits or stands; head and hands may move.
    case atRest
    case onFoot
    /// In or on a vehicle, also while it stops, unless the board lies still for ten seconds.
    case riding
}

/// The likeliest kind of motion and its probability.
@frozen
public struct MotionEstimate: Hashable, Sendable {
    public var kind: Motion
    /// 0…1.
    public var probability: Double

    public init(kind: Motion, probability: Double) {
        self.kind = kind
        self.probability = probability
    }
}
