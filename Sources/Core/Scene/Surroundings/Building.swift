import Geometry

/// Building of a map, with its footprint and the height of its roof.
public struct Building: Hashable, Sendable {
    /// Corner of a footprint. Unit: 1e-7 degrees, the resolution of positions in OpenStreetMap.
    public struct Vertex: Hashable, Sendable {
        /// Latitude, positive north.
        public let latitude: Int32
        /// Longitude, positive east, within ±180°.
        public let longitude: Int32

        package init(latitude: Int32, longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
        }

        package init(_ position: GeodeticPosition) {
            var longitude = position.longitudeDegrees
            if longitude.magnitude > 180 { longitude -= 360 * (longitude / 360).rounded() }
            self.init(
                latitude: Int32((position.latitudeDegrees * unitsPerDegree).rounded()),
                longitude: Int32((longitude * unitsPerDegree).rounded()))
        }
    }

    /// Number of the building. A later import with the same number replaces it.
    public let id: Int64
    /// Closed rings (outlines and courtyards), whose first corner is not repeated at the end. A point is inside the
    /// building if it is inside an odd number of rings.
    public let rings: [[Vertex]]
    /// Height of the building's highest part above the ground. Unit: metres.
    public let height: Double

    /// Valid heights of buildings. The highest building is about 830 m high. Unit: metres.
    public static let heights = 1.0...1000.0
    /// Maximum number of corners of a building.
    public static let maximumVertexCount = 4096
    /// Maximum extent, both in latitude and in longitude. Almost all buildings are smaller. Unit: degrees.
    private static let maximumExtent = 0.02
    /// Number of units of `Vertex` in a degree.
    public static let unitsPerDegree = 1e7

    /// Makes a building; nil if the height or the extent is out of range, if a ring has fewer than three corners, or if
    /// there are too many corners.
    public init?(id: Int64, rings: [[Vertex]], height: Double) {
        guard Self.heights.contains(height), !rings.isEmpty, rings.allSatisfy({ $0.count >= 3 }),
            rings.reduce(0, { $0 + $1.count }) <= Self.maximumVertexCount
        else { return nil }
        self.id = id
        self.rings = rings
        self.height = height
        let extent = extent
        guard extent.north - extent.south <= Self.maximumExtent, extent.east - extent.west <= Self.maximumExtent,
            extent.south >= -90,
            extent.north <= 90
        else { return nil }
    }

    /// Smallest rectangle of the map around a footprint. Unit: degrees.
    public struct Extent: Hashable, Sendable {
        /// Latitudes of its edges.
        public let (south, north): (Double, Double)
        /// Longitudes of its edges.
        public let (west, east): (Double, Double)

        var middle: GeodeticPosition? {
            GeodeticPosition(
                latitudeDegrees: (south + north) / 2, longitudeDegrees: (west + east) / 2, ellipsoidalHeight: 0)
        }
    }

    package var extent: Extent {
        var (low, high) = (rings[0][0], rings[0][0])
        for corner in rings.joined() {
            low = Vertex(
                latitude: min(low.latitude, corner.latitude), longitude: min(low.longitude, corner.longitude))
            high = Vertex(
                latitude: max(high.latitude, corner.latitude), longitude: max(high.longitude, corner.longitude))
        }
        return Extent(
            south: Double(low.latitude) / Self.unitsPerDegree, north: Double(high.latitude) / Self.unitsPerDegree,
            west: Double(low.longitude) / Self.unitsPerDegree, east: Double(high.longitude) / Self.unitsPerDegree)
    }

    /// Returns the distance up to which a building of a given height is considered. At that distance, it takes up 1.4°
    /// of the view. Unit: metres.
    public static func reach(height: Double) -> Double { min(8000, 40 * height) }

    package func contains(_ position: GeodeticPosition) -> Bool {
        let corner = Vertex(position)
        let (x, y) = (Int64(corner.longitude), Int64(corner.latitude))
        var isInside = false
        for ring in rings {
            var from = ring[ring.count - 1]
            for to in ring {
                let (fromY, toY) = (Int64(from.latitude), Int64(to.latitude))
                if (toY > y) != (fromY > y) {
                    // Integer arithmetic makes the comparison exact.
                    let side = (x - Int64(to.longitude)) * (fromY - toY)
                    let border = (y - toY) * (Int64(from.longitude) - Int64(to.longitude))
                    if fromY > toY ? side < border : side > border { isInside.toggle() }
                }
                from = to
            }
        }
        return isInside
    }
}
