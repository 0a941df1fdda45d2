/// Place with its distance and bearing from the wearer.
public struct NearbyPlace: Hashable, Sendable {
    /// Place.
    public var place: Place
    /// Distance over ground. Unit: metres.
    public var distance: Double
    /// Bearing clockwise from true north, radians in [0, 2π); 0 at the wearer's position.
    public var bearing: Double

    /// Place at a distance in metres and a bearing in radians.
    public init(place: Place, distance: Double, bearing: Double) {
        self.place = place
        self.distance = distance
        self.bearing = bearing
    }
}
