import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Area that a label covers in the wearer's view: a flat rectangle facing the eye.
///
/// Its edges are horizontal and vertical; its visual width and height are measured through its middle. In elevation its
/// corners are slightly nearer to the horizon than the middles of its upper and lower edges, and in azimuth the edge
/// farther from the horizon extends farther.
struct LabelBox: Hashable, Sendable {
    /// Bounds of its elevation. Unit: radians.
    let lowest: Double
    let highest: Double
    /// Half-width of its range of azimuth about its middle; π if it contains the zenith. Unit: radians.
    let halfAzimuth: Double

    /// - Parameter elevation: elevation of its middle, within ±π/2. Unit: radians.
    init(elevation: Double, width: Double, height: Double) {
        let (across, up) = (tan(width / 2), tan(height / 2))
        let (sine, cosine) = (sin(elevation), cos(elevation))
        var (lowest, highest) = (Double.infinity, -Double.infinity)
        for side in [-up, up] {
            let (ahead, rise) = (cosine - side * sine, sine + side * cosine)
            for aside in [0, across] {
                let corner = atan2(rise, hypot(ahead, aside))
                lowest = min(lowest, corner)
                highest = max(highest, corner)
            }
        }
        self.lowest = lowest
        self.highest = highest
        let ahead = cosine - up * sine.magnitude
        halfAzimuth = ahead > 0 ? atan(across / ahead) : .pi
    }
}

/// Mark that labels must not cover: a disc in the wearer's view.
public struct LabelMark: Hashable, Sendable {
    /// Azimuth of its middle, clockwise from north of the scene (−Z). Unit: radians.
    public var azimuth: Double
    /// Elevation of its middle above the horizon. Unit: radians.
    public var elevation: Double
    /// Visual radius at its largest. Unit: radians.
    public var radius: Double

    /// Mark at a direction with a visual radius. Unit: radians.
    public init(azimuth: Double, elevation: Double, radius: Double) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.radius = radius
    }

    /// Elevations of its lower and upper edge. Unit: radians.
    var lowest: Double { elevation - radius }
    var highest: Double { elevation + radius }

    /// Half-width of its range of azimuth; π if it contains the zenith. Unit: radians.
    var halfAzimuth: Double {
        let (reach, room) = (sin(min(radius, .pi / 2)), cos(elevation))
        return reach < room ? asin(reach / room) : .pi
    }
}
