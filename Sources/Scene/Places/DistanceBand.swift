/// Distance band of a place; its appearance is the renderer's choice.
public enum DistanceBand: UInt8, Hashable, Sendable, CaseIterable {
    case near
    case middle
    case far

    /// Band of a distance without hysteresis. Unit: metres.
    public static func of(_ distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        distance < settings.nearMetres ? .near : distance < settings.middleMetres ? .middle : .far
    }
}

/// Band of one place with hysteresis.
public struct BandTracker: Hashable, Sendable {
    /// Present band; nil before the first distance.
    public private(set) var band: DistanceBand?

    /// Tracker before the first distance.
    public init() {}

    /// Band after a new distance in metres; NaN leaves it unchanged.
    @discardableResult
    public mutating func update(distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        guard !distance.isNaN else { return band ?? .far }
        let nearest = DistanceBand.of(distance - settings.bandMarginMetres, settings: settings)
        let farthest = DistanceBand.of(distance + settings.bandMarginMetres, settings: settings)
        let held = band ?? DistanceBand.of(distance, settings: settings)
        // The band nearest to the last one among those within the margin.
        let next = held.rawValue < nearest.rawValue ? nearest : held.rawValue > farthest.rawValue ? farthest : held
        band = next
        return next
    }
}
