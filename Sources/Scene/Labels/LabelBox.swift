import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What a label covers as the wearer sees it: a flat rectangle that faces the eye.
///
/// Its sides are level and steep, and it is seen under the label's width and height from side to side through its middle.
/// In elevation its corners are a little nearer to the horizon than the middles of its upper and lower edges, and in azimuth
/// the edge that is farther from the horizon reaches farther.
struct LabelBox: Hashable, Sendable {
    /// Elevations between which all of it lies. Unit: radians.
    let lowest: Double
    let highest: Double
    /// All of it lies within this of its middle's azimuth; π where it reaches over the zenith. Unit: radians.
    let halfAzimuth: Double

    /// - Parameter elevation: of its middle, within ±π/2. Unit: radians.
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

/// A mark that labels are to keep clear of: a disc as the wearer sees it.
public struct LabelMark: Hashable, Sendable {
    /// Of its middle, clockwise from north of the scene (−Z). Unit: radians.
    public var azimuth: Double
    /// Of its middle above the horizon. Unit: radians.
    public var elevation: Double
    /// Half the angle under which it is seen at its largest. Unit: radians.
    public var radius: Double

    public init(azimuth: Double, elevation: Double, radius: Double) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.radius = radius
    }

    /// The elevations of its lower and its upper edge. Unit: radians.
    var lowest: Double { elevation - radius }
    var highest: Double { elevation + radius }

    /// All of it lies within this of its azimuth; π where it reaches over the zenith. Unit: radians.
    var halfAzimuth: Double {
        let (reach, room) = (sin(min(radius, .pi / 2)), cos(elevation))
        return reach < room ? asin(reach / room) : .pi
    }
}
