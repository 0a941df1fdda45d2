/// How far a place is, in words: what it looks like is the renderer's.
public enum DistanceBand: UInt8, Hashable, Sendable, CaseIterable {
    case near
    case middle
    case far

    /// Without memory. Unit: metres.
    public static func of(_ distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        distance < settings.nearMetres ? .near : distance < settings.middleMetres ? .middle : .far
    }
}

/// The band of one place, which changes only well beyond its end.
public struct BandTracker: Hashable, Sendable {
    /// Nil before the first distance.
    public private(set) var band: DistanceBand?

    public init() {}

    /// Unit: metres. What is not a number changes nothing.
    @discardableResult
    public mutating func update(distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        guard !distance.isNaN else { return band ?? .far }
        let nearest = DistanceBand.of(distance - settings.bandMarginMetres, settings: settings)
        let farthest = DistanceBand.of(distance + settings.bandMarginMetres, settings: settings)
        let held = band ?? DistanceBand.of(distance, settings: settings)
        // The one nearest to the last among those that are still right.
        let next = held.rawValue < nearest.rawValue ? nearest : held.rawValue > farthest.rawValue ? farthest : held
        band = next
        return next
    }
}
