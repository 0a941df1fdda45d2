/// The stretch of the route ahead that is shown: so many metres along it from the nearest point.
///
/// It goes on at once, and back only by more than a margin, so that what is shown at its ends does not come and go while a
/// position wavers.
struct RouteWindow: Sendable {
    /// From the start of the route. Unit: metres.
    private(set) var start: Double?

    mutating func move(to along: Double, margin: Double) {
        guard let start, along < start, along >= start - margin else { return start = along }
    }

    /// Clipped by the destination; nil before the first position.
    func range(length: Double, routeLength: Double) -> ClosedRange<Double>? {
        start.map { $0...min($0 + length, max($0, routeLength)) }
    }
}
