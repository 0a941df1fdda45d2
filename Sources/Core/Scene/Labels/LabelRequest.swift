import Geometry
import Glibc

/// Label for which a slot is requested.
public struct LabelRequest: Hashable, Sendable {
    package var id: String
    /// Azimuth of the placement, clockwise from the scene's north (−Z), in radians.
    public var azimuth: Double
    /// Horizontal distance of the placement. Unit: metres.
    public var distance: Double
    /// Priority when slots are scarce. Labels of higher priority come first. If priorities are equal, the nearer label
    /// comes first.
    public var priority: Int
    /// Elevation of the middle of the placement's mark. Unit: radians.
    public var elevation: Double
    /// Visual radius of the placement's mark when the mark is largest. Unit: radians.
    public var radius: Double

    package init(
        id: String, azimuth: Double, distance: Double, priority: Int = 0, elevation: Double = 0, radius: Double = 0
    ) {
        self.id = id
        self.azimuth = azimuth
        self.distance = distance
        self.priority = priority
        self.elevation = elevation
        self.radius = radius
    }

    package var mark: LabelMark { LabelMark(azimuth: azimuth, elevation: elevation, radius: radius) }

    var isFinite: Bool { azimuth.isFinite && distance.isFinite && elevation.isFinite && radius.isFinite }
}

/// Slot of a label, which is an elevation at the azimuth of its placement. Slots in the same direction are stacked in
/// height.
public struct LabelSlot: Hashable, Sendable {
    /// Index of the slot; 0 is the lowest.
    public let index: Int
    /// Elevation of the middle of the label in radians.
    public let elevation: Double
    /// Visual width of the rectangle that is reserved for the label. The rectangle faces the eye. Unit: radians.
    public let width: Double
    /// Visual height of the rectangle that is reserved for the label. Unit: radians.
    public let height: Double
    let box: LabelBox

    package init(index: Int, elevation: Double, width: Double, height: Double) {
        self.index = index
        self.elevation = elevation
        self.width = width
        self.height = height
        box = LabelBox(elevation: elevation, width: width, height: height)
    }

    /// Whether the label would cover a part of its own mark, which has the same azimuth.
    func covers(elevation: Double, radius: Double) -> Bool {
        box.lowest < elevation + radius && box.highest > elevation - radius
    }
}

/// Visual size of labels, either that of the settings or that of one display.
public struct LabelSize: Hashable, Sendable {
    /// Width as a visual angle. Unit: degrees.
    public let widthDegrees: Double
    /// Height as a visual angle. Unit: degrees.
    public let heightDegrees: Double

    /// Makes a size, rounded to hundredths of a degree so that displays with nearly equal sizes share one layout.
    public init(widthDegrees: Double, heightDegrees: Double) {
        self.widthDegrees = (widthDegrees * 100).rounded() / 100
        self.heightDegrees = (heightDegrees * 100).rounded() / 100
    }

    package init(_ settings: SceneSettings.Labels) {
        self.init(widthDegrees: settings.widthDegrees, heightDegrees: settings.heightDegrees)
    }
}

/// Area that a label covers in the wearer's view: a flat rectangle facing the eye.
///
/// The rectangle's edges are horizontal and vertical. Its visual width and height are measured through its middle. The
/// corners are slightly nearer to the horizon than the middles of the upper and lower edges. The edge farther from the
/// horizon covers a wider range of azimuth.
struct LabelBox: Hashable, Sendable {
    /// Bounds of the box's elevation. Unit: radians.
    let lowest: Double
    let highest: Double
    /// Half-width of the box's range of azimuth about its middle; π if the box contains the zenith. Unit: radians.
    let halfAzimuth: Double

    /// - Parameter elevation: elevation of the middle of the box, within ±π/2. Unit: radians.
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
    /// Azimuth of the mark's middle, clockwise from the scene's north (−Z). Unit: radians.
    public var azimuth: Double
    /// Elevation of the mark's middle above the horizon. Unit: radians.
    public var elevation: Double
    /// Visual radius when the mark is largest. Unit: radians.
    public var radius: Double

    package init(azimuth: Double, elevation: Double, radius: Double) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.radius = radius
    }

    /// Elevations of the mark's lower and upper edge. Unit: radians.
    var lowest: Double { elevation - radius }
    var highest: Double { elevation + radius }

    /// Half-width of the mark's range of azimuth; π if the mark contains the zenith. Unit: radians.
    var halfAzimuth: Double {
        let (reach, room) = (sin(min(radius, .pi / 2)), cos(elevation))
        return reach < room ? asin(reach / room) : .pi
    }
}
