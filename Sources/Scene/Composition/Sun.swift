import Geodesy

/// The sun as the wearer sees it.
public struct Sun: Hashable, Sendable {
    /// Above the horizon, negative below it. Unit: radians.
    public var elevation: Double
    /// Clockwise from true north. Unit: radians.
    public var azimuth: Double
    /// For the style of displays.
    public var daylight: Daylight

    public init(elevation: Double, azimuth: Double, daylight: Daylight) {
        self.elevation = elevation
        self.azimuth = azimuth
        self.daylight = daylight
    }
}
