/// A place and the way it lies from the wearer.
public struct NearbyPlace: Hashable, Sendable {
    public var place: Place
    /// Over ground. Unit: metres.
    public var distance: Double
    /// Clockwise from true north, radians in [0, 2π); 0 at the very place.
    public var bearing: Double

    public init(place: Place, distance: Double, bearing: Double) {
        self.place = place
        self.distance = distance
        self.bearing = bearing
    }
}
