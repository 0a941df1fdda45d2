/// Stretch of the route ahead that is shown: a length along it from the nearest point.
///
/// It advances at once and moves back only beyond a margin, so that elements at its ends do not flicker with position
/// noise.
struct RouteWindow: Sendable {
    /// Distance along the route at which the window begins. Unit: metres.
    private(set) var start: Double?

    mutating func move(to along: Double, margin: Double) {
        guard let start, along < start, along >= start - margin else { return start = along }
    }

    /// Window as distances along the route, clipped at the destination; nil before the first position.
    func range(length: Double, routeLength: Double) -> ClosedRange<Double>? {
        start.map { $0...min($0 + length, max($0, routeLength)) }
    }
}
