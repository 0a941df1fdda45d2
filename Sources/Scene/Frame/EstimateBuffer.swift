import Model

/// The newest estimates of one scene frame, a bounded number of them.
public struct EstimateBuffer: Sendable {
    private var estimates: Ring<PositionFixEstimate>

    /// - Parameter capacity: a full buffer forgets its oldest.
    public init(capacity: Int) { estimates = Ring(capacity: max(1, capacity)) }

    public var count: Int { estimates.count }
    public var isEmpty: Bool { estimates.isEmpty }
    public var capacity: Int { estimates.capacity }
    public var newest: PositionFixEstimate? { estimates.last }

    /// From the oldest, 0, to the newest, `count - 1`.
    public subscript(_ index: Int) -> PositionFixEstimate { estimates[index] }

    /// Forgets what belongs to another frame.
    public mutating func add(_ estimate: PositionFixEstimate) {
        if let last = estimates.last, last.generation != estimate.generation { estimates.removeAll() }
        estimates.append(estimate)
    }

    public mutating func removeAll() { estimates.removeAll() }

    /// Follows a frame whose axes were turned about +Y, counter-clockwise seen from above. Unit: radians.
    mutating func turn(by angle: Double) {
        for index in 0..<estimates.count {
            estimates[index].positionInScene = SceneAxes.turned(estimates[index].positionInScene, by: angle)
        }
    }
}
