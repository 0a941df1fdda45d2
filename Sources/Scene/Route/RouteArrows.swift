import Geodesy
import Model

/// How the arrows of a route move, the same for all renderers.
///
/// Arrow k belongs to the place k·spacing along the route. At a time t it is drawn the share `phase(at: t)` of the way to the
/// place of arrow k + 1, so that all of them flow along the route at one speed, each taking its successor's place when the
/// period ends, and nothing need be told from frame to frame.
public struct ArrowMotion: Hashable, Sendable {
    /// At which, and every period before and after, each arrow is at its own place.
    public var epoch: BootTime
    /// Unit: seconds.
    public var period: Double
    /// Unit: metres.
    public var spacing: Double

    /// Counts from the boot, so that nobody need agree on anything.
    public init(_ settings: SceneSettings.Route) {
        epoch = BootTime(nanoseconds: 0)
        period = settings.arrowPeriodSeconds
        spacing = settings.arrowSpacingMetres
    }

    /// Share of the way to the next arrow's place, in [0, 1).
    public func phase(at time: BootTime) -> Double {
        let periods = time.seconds(since: epoch) / period
        let phase = periods - periods.rounded(.down)
        return phase < 1 ? phase : 0
    }
}

/// A place that an arrow passes, and which way the arrow points there.
public struct ArrowPoint: Hashable, Sendable {
    /// Of the way to the next arrow's place, in [0, 1].
    public var share: Double
    public var position: GeodeticPosition
    /// Clockwise from true north, radians in [0, 2π).
    public var bearing: Double
}

extension RoutePlan {
    /// Numbers of the arrows between two distances along the route. The last one's way ends at the destination at the
    /// latest.
    func arrows(in window: ClosedRange<Double>) -> Range<Int> {
        let spacing = settings.arrowSpacingMetres
        // A place exactly on the grid is on it, in spite of rounding.
        let first = Int((window.lowerBound / spacing - 1e-9).rounded(.up))
        let end = Int((min(window.upperBound, length) / spacing + 1e-9).rounded(.down))
        return first..<max(first, end)
    }

    /// The way of an arrow: its own place, corners of the route, the next arrow's place. Straight in between; the bearing
    /// turns evenly, by the shorter way.
    func path(ofArrow number: Int) -> [ArrowPoint] {
        let spacing = settings.arrowSpacingMetres
        let start = Double(number) * spacing
        return line.corners(from: start, to: min(start + spacing, length)).compactMap { along in
            arrowPoint(along: along, share: (along - start) / spacing)
        }
    }

    /// Where an arrow is drawn at a share of its way.
    public func arrow(_ number: Int, share: Double) -> ArrowPoint? {
        arrowPoint(along: (Double(number) + share) * settings.arrowSpacingMetres, share: share)
    }

    private func arrowPoint(along: Double, share: Double) -> ArrowPoint? {
        guard let position = position(along: along) else { return nil }
        return ArrowPoint(share: share, position: position, bearing: bearing(along: along))
    }
}

extension RouteLine {
    /// An arrow's way has no more corners than this; what is denser is no street.
    private static let mostCorners = 4
    /// Changes of direction below this are none. Unit: radians.
    private static let straight = 5 * Double.pi / 180

    /// Both ends of a stretch and the corners between, in their order.
    fileprivate func corners(from start: Double, to end: Double) -> [Double] {
        var alongs = [start]
        var leg = leg(at: start) + 1
        while leg + 1 < points.count, self.alongs[leg] < end, alongs.count <= Self.mostCorners {
            if self.alongs[leg] > start, turn(leg - 1, leg, leg + 1).magnitude > Self.straight {
                alongs.append(self.alongs[leg])
            }
            leg += 1
        }
        return alongs + [end]
    }
}
