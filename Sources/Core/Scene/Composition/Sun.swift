import Geometry
import Model

/// Position of the sun as the wearer sees it.
public struct Sun: Hashable, Sendable {
    /// Elevation above the horizon, negative below it. Unit: radians.
    public var elevation: Double
    /// Azimuth clockwise from true north. Unit: radians.
    public var azimuth: Double
    /// Level of daylight, for the style of displays.
    public var daylight: Daylight

    package init(elevation: Double, azimuth: Double, daylight: Daylight) {
        self.elevation = elevation
        self.azimuth = azimuth
        self.daylight = daylight
    }
}

/// Sun of a scene, recomputed every few seconds.
struct SkyLayer {
    private var known: Sun?
    private var lastUpdate: BootTime?

    /// Interval between two evaluations. The sun moves by a twenty-fifth of a degree within it. Unit: seconds.
    private static let interval = 10.0

    /// Returns the sun at a moment; nil while position or UTC are unknown.
    mutating func sun(at moment: SceneMoment) -> Sun? {
        guard let position = moment.viewpoint?.position, let utc = moment.utcSeconds else { return nil }
        let now = moment.pose.time
        if let lastUpdate, known != nil, (0..<Self.interval).contains(now.seconds(since: lastUpdate)) { return known }
        lastUpdate = now
        known = SolarPosition(utcSeconds: utc, at: position).map { [known] sun in
            Sun(
                elevation: sun.elevation, azimuth: sun.azimuth,
                daylight: Daylight.of(elevation: sun.elevation, before: known?.daylight))
        }
        return known
    }
}
