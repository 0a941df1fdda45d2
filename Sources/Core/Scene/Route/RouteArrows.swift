import Geometry
import Model

/// Motion of a route's arrows, which is the same for all renderers.
///
/// Arrow k belongs to the point k·spacing along the route. At a time t, it is drawn at the fraction `phase(at: t)` of
/// the path to the point of arrow k + 1. All arrows thus move along the route at the same speed, and each reaches its
/// successor's point when the period ends. No message is needed from frame to frame.
public struct ArrowMotion: Hashable, Sendable {
    /// Time at which each arrow is at its own point. It returns there after each period.
    public var epoch: BootTime
    /// Time in which an arrow advances by one spacing. Unit: seconds.
    public var period: Double
    /// Distance along the route between neighbouring arrows. Unit: metres.
    public var spacing: Double

    /// Makes the motion from the settings. The epoch is the time of boot, so that renderers need not agree on one.
    public init(_ settings: SceneSettings.Route) {
        epoch = BootTime(nanoseconds: 0)
        period = settings.arrowPeriodSeconds
        spacing = settings.arrowSpacingMetres
    }
}

/// Point on an arrow's path, with the arrow's direction at that point.
public struct ArrowPoint: Hashable, Sendable {
    /// Fraction of the path to the next arrow's point, in [0, 1].
    public var share: Double
    /// Geodetic position. Its height is ignored.
    public var position: GeodeticPosition
    /// Direction of the arrow, clockwise from true north, radians in [0, 2π).
    public var bearing: Double
}

extension RoutePlan {
    /// Returns the numbers of the arrows between two distances along the route. The path of the last arrow ends before
    /// the destination, or at it.
    func arrows(in window: ClosedRange<Double>) -> Range<Int> {
        let spacing = settings.arrowSpacingMetres
        // In spite of rounding, a distance exactly on the grid is included.
        let first = Int((window.lowerBound / spacing - 1e-9).rounded(.up))
        let end = Int((min(window.upperBound, length) / spacing + 1e-9).rounded(.down))
        return first..<max(first, end)
    }

    /// Returns the path of an arrow: its own point, corners of the route, and the next arrow's point. Between these
    /// points, the path is straight and the bearing is interpolated linearly the shorter way.
    func path(ofArrow number: Int) -> [ArrowPoint] {
        let spacing = settings.arrowSpacingMetres
        let start = Double(number) * spacing
        return line.corners(from: start, to: min(start + spacing, length)).compactMap { along in
            arrowPoint(along: along, share: (along - start) / spacing)
        }
    }

    private func arrowPoint(along: Double, share: Double) -> ArrowPoint? {
        guard let position = position(along: along) else { return nil }
        return ArrowPoint(share: share, position: position, bearing: bearing(along: along))
    }
}

extension RouteLine {
    /// Maximum number of corners on one arrow's path. A real street has fewer.
    private static let maximumCornerCount = 4
    /// Change of direction below which a vertex does not count as a corner. Unit: radians.
    private static let straight = 5 * Double.pi / 180

    /// Returns the distances along the route of both ends of a stretch and of the corners between them, in order.
    fileprivate func corners(from start: Double, to end: Double) -> [Double] {
        var alongs = [start]
        var leg = leg(at: start) + 1
        while leg + 1 < points.count, self.alongs[leg] < end, alongs.count <= Self.maximumCornerCount {
            if self.alongs[leg] > start, turn(leg - 1, leg, leg + 1).magnitude > Self.straight {
                alongs.append(self.alongs[leg])
            }
            leg += 1
        }
        return alongs + [end]
    }
}
