/// A coarse point of a route: what is drawn of it as a row of dots, and where something is to be done.
public struct RouteNode: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case start
        /// One of the row.
        case passage
        /// Of this index among the turns.
        case turn(Int)
        case destination
    }

    /// Counts from the start of the route, which is 0.
    public var index: Int
    public var kind: Kind
    /// From the start, along the route. Unit: metres.
    public var alongRoute: Double
}

/// All nodes of a route. Start, turns and destination stay where they are; between two of them lie nodes at even distances.
///
/// Only what stays is held, so that a route across a continent costs no more than one across a town.
struct RouteNodes: Sendable {
    private struct Stretch: Sendable {
        /// With which it begins.
        var node: RouteNode
        var length: Double
        /// Even ones, into which nodes divide it.
        var parts: Double
    }

    /// The last one is the destination, without length.
    private let stretches: [Stretch]

    /// - Parameters:
    ///   - turns: in the order of the route.
    ///   - spacing: of the nodes at most. Unit: metres.
    init(length: Double, turns: [RouteTurn], spacing: Double) {
        var kept = [RouteNode(index: 0, kind: .start, alongRoute: 0)]
        kept += turns.indices.map { RouteNode(index: 0, kind: .turn($0), alongRoute: turns[$0].alongRoute) }
        kept.append(RouteNode(index: 0, kind: .destination, alongRoute: length))
        var index = 0.0
        stretches = kept.indices.map { order in
            var node = kept[order]
            node.index = Int(index)
            let end = order + 1 < kept.count ? kept[order + 1].alongRoute : node.alongRoute
            // A hundredth too long is not divided for it.
            let parts = max(1, ((end - node.alongRoute) / spacing - 0.01).rounded(.up))
            index += parts
            return Stretch(node: node, length: end - node.alongRoute, parts: parts)
        }
    }

    /// Those between two distances along the route, in their order.
    func nodes(in window: ClosedRange<Double>) -> [RouteNode] {
        var found: [RouteNode] = []
        for stretch in stretches[stretch(at: window.lowerBound)...] {
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

    /// The last one that begins at or before a distance along the route.
    private func stretch(at along: Double) -> Int {
        var low = 0
        var high = stretches.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if stretches[middle].node.alongRoute <= along { low = middle } else { high = middle - 1 }
        }
        // Two may begin at one place.
        while low > 0, stretches[low - 1].node.alongRoute >= along { low -= 1 }
        return low
    }
}
