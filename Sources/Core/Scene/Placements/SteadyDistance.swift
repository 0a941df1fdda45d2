/// Distance as shown on labels, with hysteresis so that digits do not flicker.
///
/// The shown distance has two digits, with a resolution of 1 m at best, and whole kilometres from 10 km upwards: 7 m,
/// 42 m, 120 m, 1.2 km, 12 km. A number stays until the distance differs from it by more than half of its last digit
/// plus a margin. The straight-line distance and the distance along the route each need an instance.
public struct SteadyDistance: Hashable, Sendable {
    /// Hysteresis beyond a rounding border, as a fraction of the last digit's value.
    private static let marginShare = 0.2
    /// Least hysteresis, about as large as position noise. Unit: metres.
    private static let minimumMargin = 0.5
    /// Greatest distance on the earth. Unit: metres.
    private static let maximumDistance = 21_000_000.0

    /// Number that is shown. Unit: metres.
    private var shown: Int?

    package init() {}

    /// Returns the number that is shown for a distance. Both are in metres.
    public mutating func metres(for metres: Double) -> Int {
        let distance = min(max(0, metres), Self.maximumDistance)
        let number = shown.flatMap { Self.stays($0, at: distance) ? $0 : nil } ?? Self.rounded(distance)
        shown = number
        return number
    }

    private static func stays(_ number: Int, at distance: Double) -> Bool {
        let step = step(at: Double(number))
        return (distance - Double(number)).magnitude < step / 2 + max(minimumMargin, marginShare * step)
    }

    private static func rounded(_ distance: Double) -> Int {
        let step = step(at: distance)
        return Int((distance / step).rounded() * step)
    }

    /// Returns the value of the last digit. The bounds are the distances at which rounding reaches the next power of
    /// ten. Unit: metres.
    private static func step(at distance: Double) -> Double {
        switch distance {
        case ..<99.5: 1
        case ..<995: 10
        case ..<9950: 100
        default: 1000
        }
    }
}

/// Distance band of a place. The renderer chooses how to show it.
public enum DistanceBand: UInt8, Hashable, Sendable, CaseIterable {
    case near
    case middle
    case far

    /// Returns the band of a distance, without hysteresis. Unit: metres.
    public static func of(_ distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        distance < settings.nearMetres ? .near : distance < settings.middleMetres ? .middle : .far
    }
}

/// Band of one place, with hysteresis.
public struct BandTracker: Hashable, Sendable {
    /// Current band; nil before the first distance.
    public private(set) var band: DistanceBand?

    package init() {}

    /// Updates the band with a new distance in metres. NaN leaves it unchanged.
    @discardableResult
    public mutating func update(distance: Double, settings: SceneSettings.Places) -> DistanceBand {
        guard !distance.isNaN else { return band ?? .far }
        let nearest = DistanceBand.of(distance - settings.bandMarginMetres, settings: settings)
        let farthest = DistanceBand.of(distance + settings.bandMarginMetres, settings: settings)
        let held = band ?? DistanceBand.of(distance, settings: settings)
        // Takes the band that is nearest to the last band, among the bands within the margin.
        let next = held.rawValue < nearest.rawValue ? nearest : held.rawValue > farthest.rawValue ? farthest : held
        band = next
        return next
    }
}
