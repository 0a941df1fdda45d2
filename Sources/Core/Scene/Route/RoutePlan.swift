import Geometry

/// Route that is prepared for following, with its polyline, turns and nodes. It is immutable, so that any thread can
/// make it and threads can share it.
public final class RoutePlan: Sendable {
    package let route: Route
    package let settings: SceneSettings.Route
    package let turns: [RouteTurn]
    /// Side of the route's end on which the destination lies, as seen along the route; nil if unknown.
    public let destinationSide: RouteTurn.Side?
    let line: RouteLine
    private let row: RouteNodes

    /// Makes the plan of a route; nil unless two of its vertices differ.
    package init?(_ route: Route, settings: SceneSettings.Route = SceneSettings.Route()) {
        guard let line = RouteLine(route.vertices) else { return nil }
        self.route = route
        self.settings = settings
        self.line = line
        turns = line.turns(with: route.maneuvers)
        destinationSide = line.destinationSide(route.maneuvers)
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    init(_ other: RoutePlan, settings: SceneSettings.Route) {
        route = other.route
        self.settings = settings
        line = other.line
        turns = other.turns
        destinationSide = other.destinationSide
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    /// Length of the route. Unit: metres.
    public var length: Double { line.length }

    /// Returns the geodetic position at a distance along the route, clamped to its ends. Unit: metres.
    public func position(along: Double) -> GeodeticPosition? { line.position(along: along) }

    /// Returns the bearing of the route at a distance along it, clockwise from true north, radians in [0, 2π). It is
    /// continuous at corners.
    public func bearing(along: Double) -> Double {
        line.bearing(along: along, smoothedOver: settings.arrowSpacingMetres)
    }

    /// Returns the nodes between two distances along the route, in order: start, turns, destination and the marks
    /// between them.
    public func nodes(in window: ClosedRange<Double>) -> [RouteNode] { row.nodes(in: window) }
}

/// Coarse point of a route. It is a mark in the row between turns, or a point where action is needed.
public struct RouteNode: Hashable, Sendable {
    /// Kind of node.
    public enum Kind: Hashable, Sendable {
        case start
        /// Mark in the row between turns.
        case passage
        /// Turn with its index among the route's turns.
        case turn(Int)
        case destination
    }

    /// Index, counted from the start of the route, which has index 0.
    public var index: Int
    package var kind: Kind
    /// Distance along the route from its start. Unit: metres.
    public var alongRoute: Double
}

/// Nodes of a route. Start, turns and destination are at their own positions, with evenly spaced nodes between them.
///
/// Only the stretches between turns are stored, so that memory depends on the number of turns rather than the length.
struct RouteNodes: Sendable {
    private struct Stretch: Sendable {
        /// Node at the beginning of the stretch.
        var node: RouteNode
        var length: Double
        /// Number of equal parts into which nodes divide the stretch.
        var parts: Double
    }

    /// Stretches in order. The last one is the destination and has no length.
    private let stretches: [Stretch]

    /// - Parameters:
    ///   - turns: turns in order along the route.
    ///   - spacing: greatest distance between nodes. Unit: metres.
    init(length: Double, turns: [RouteTurn], spacing: Double) {
        var kept = [RouteNode(index: 0, kind: .start, alongRoute: 0)]
        kept += turns.indices.map { RouteNode(index: 0, kind: .turn($0), alongRoute: turns[$0].alongRoute) }
        kept.append(RouteNode(index: 0, kind: .destination, alongRoute: length))
        var index = 0.0
        stretches = kept.indices.map { order in
            var node = kept[order]
            node.index = Int(index)
            let end = order + 1 < kept.count ? kept[order + 1].alongRoute : node.alongRoute
            // A stretch that exceeds the spacing by less than a hundredth is not divided.
            let parts = max(1, ((end - node.alongRoute) / spacing - 0.01).rounded(.up))
            index += parts
            return Stretch(node: node, length: end - node.alongRoute, parts: parts)
        }
    }

    func nodes(in window: ClosedRange<Double>) -> [RouteNode] {
        var found: [RouteNode] = []
        let begun = stretches.partitionPoint { $0.node.alongRoute < window.lowerBound }
        for stretch in stretches[max(0, begun - 1)...] {
            guard stretch.node.alongRoute <= window.upperBound else { break }
            append(stretch, in: window, to: &found)
        }
        return found
    }

    private func append(_ stretch: Stretch, in window: ClosedRange<Double>, to found: inout [RouteNode]) {
        let start = stretch.node.alongRoute
        if window.contains(start) { found.append(stretch.node) }
        guard stretch.length > 0 else { return }
        let part = stretch.length / stretch.parts
        let first = max(1, ((window.lowerBound - start) / part).rounded(.up))
        let last = min(stretch.parts - 1, ((window.upperBound - start) / part).rounded(.down))
        for number in stride(from: first, through: last, by: 1) {
            found.append(
                RouteNode(
                    index: stretch.node.index + Int(number), kind: .passage,
                    alongRoute: start + stretch.length * number / stretch.parts))
        }
    }
}
