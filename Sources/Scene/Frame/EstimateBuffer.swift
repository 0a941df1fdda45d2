import Estimation

/// Ring buffer of the newest position estimates of one scene frame.
public struct EstimateBuffer: Sendable {
    private var estimates: Ring<PositionFixEstimate>

    /// - Parameter capacity: number of estimates; a full buffer discards its oldest.
    public init(capacity: Int) { estimates = Ring(capacity: max(1, capacity)) }

    /// Number of estimates in the buffer.
    public var count: Int { estimates.count }
    /// Whether the buffer has no estimates.
    public var isEmpty: Bool { estimates.isEmpty }
    /// Number of estimates that fit.
    public var capacity: Int { estimates.capacity }
    /// Newest estimate; nil if the buffer is empty.
    public var newest: PositionFixEstimate? { estimates.last }

    /// Estimate at an index, from 0, the oldest, to `count - 1`, the newest.
    public subscript(_ index: Int) -> PositionFixEstimate { estimates[index] }

    /// Adds an estimate; discards those of another scene frame first.
    public mutating func add(_ estimate: PositionFixEstimate) {
        if let last = estimates.last, last.generation != estimate.generation { estimates.removeAll() }
        estimates.append(estimate)
    }

    /// Removes all estimates.
    public mutating func removeAll() { estimates.removeAll() }

    /// Rotates all estimates about +Y, counter-clockwise seen from above, with the axes of their frame. Unit: radians.
    mutating func turn(by angle: Double) {
        for index in 0..<estimates.count {
            estimates[index].positionInScene = SceneAxes.turned(estimates[index].positionInScene, by: angle)
        }
    }
}
