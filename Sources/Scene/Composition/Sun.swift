import Geodesy

/// Position of the sun as the wearer sees it.
public struct Sun: Hashable, Sendable {
    /// Elevation above the horizon, negative below it. Unit: radians.
    public var elevation: Double
    /// Azimuth clockwise from true north. Unit: radians.
    public var azimuth: Double
    /// Level of daylight, for the style of displays.
    public var daylight: Daylight

    /// Sun with the given angles in radians.
    public init(elevation: Double, azimuth: Double, daylight: Daylight) {
        self.elevation = elevation
        self.azimuth = azimuth
        self.daylight = daylight
    }
}
