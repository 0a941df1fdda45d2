import Geometry

/// Extent of the points of a plan, in metres around a reference position among them and in degrees.
///
/// Widths are measured in the tangent plane at the reference position, because longitudes are ill-defined near a pole.
/// Longitudes are relative to the reference position, so that a plan that crosses the antimeridian stays in one piece.
package struct PlanExtent {
    package let plane: LocalTangentPlane
    /// Larger of the extents to the east and to the north. If a point is beyond `maximumDistance`, its distance counts
    /// too. Unit: metres.
    package private(set) var width = 0.0
    /// Latitudes of the southernmost and the northernmost point. Unit: degrees.
    private(set) var latitudes: ClosedRange<Double>
    /// Longitudes of the westernmost and the easternmost point; may be beyond ±180. Unit: degrees.
    private(set) var longitudes: ClosedRange<Double>
    /// Corners in the south-west and the north-east. Frame: ENU at the reference position. Unit: metres.
    private var lowest = Vector2()
    private var highest = Vector2()

    /// Distance up to which the plane is usable as a map. Points on the other side of the earth have small coordinates
    /// to the east and the north, although they are far below the plane. Unit: metres.
    private static let maximumDistance = 10_000.0

    package init(at place: GeodeticPosition) {
        plane = LocalTangentPlane(origin: place)
        latitudes = place.latitudeDegrees...place.latitudeDegrees
        let longitude = Self.wrapped(place.longitudeDegrees)
        longitudes = longitude...longitude
    }

    /// Makes the smallest extent that holds all points. It is relative to the first point; nil if there are no points.
    package init?(_ points: some Sequence<PlanPoint>) {
        var extent: PlanExtent?
        for point in points {
            if extent == nil { extent = PlanExtent(at: GeodeticPosition(point)) }
            extent?.add(point)
        }
        guard let extent else { return nil }
        self = extent
    }

    package mutating func add(_ point: PlanPoint) {
        addDegrees(point)
        let position = plane.pointENU(of: GeodeticPosition(point))
        guard position.norm <= Self.maximumDistance else {
            width = max(width, position.norm)
            return
        }
        lowest = Vector2(min(lowest.x, position.x), min(lowest.y, position.y))
        highest = Vector2(max(highest.x, position.x), max(highest.y, position.y))
        width = max(width, highest.x - lowest.x, highest.y - lowest.y)
    }

    private mutating func addDegrees(_ point: PlanPoint) {
        let start = Self.wrapped(plane.origin.longitudeDegrees)
        let longitude = start + Self.wrapped(point.longitudeDegrees - start)
        let latitude = point.latitudeDegrees
        latitudes = min(latitudes.lowerBound, latitude)...max(latitudes.upperBound, latitude)
        longitudes = min(longitudes.lowerBound, longitude)...max(longitudes.upperBound, longitude)
    }

    /// Middle of the extent. Frame: ENU at the reference position. Unit: metres.
    var middle: Vector3 { Vector3((lowest.x + highest.x) / 2, (lowest.y + highest.y) / 2, 0) }

    /// Largest distances from the reference position, to the east or west and to the north or south. Unit: metres.
    var reach: Vector2 { Vector2(max(-lowest.x, highest.x), max(-lowest.y, highest.y)) }

    /// Returns a point in the plane. Frame: ENU at the reference position. Unit: metres.
    package func local(_ point: PlanPoint) -> Vector2 { Vector2(plane.pointENU(of: GeodeticPosition(point))) }

    /// Returns the angle wrapped to ±180. Unit: degrees.
    private static func wrapped(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) }
}

extension GeodeticPosition {
    /// Makes the position of a point of a plan, on the ellipsoid.
    package init(_ point: PlanPoint) {
        guard
            let position = GeodeticPosition(
                latitudeDegrees: point.latitudeDegrees, longitudeDegrees: point.longitudeDegrees, ellipsoidalHeight: 0)
        else { preconditionFailure("a point of a plan is nowhere") }
        self = position
    }
}
