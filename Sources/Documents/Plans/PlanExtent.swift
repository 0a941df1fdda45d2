import Geodesy
import Geometry
import JSON
import PlanMatching

/// Extent of a plan so far, in the tangent plane at its first point.
struct PlanExtent {
    private var plane: LocalTangentPlane?
    /// Corners in the south-west and the north-east. Frame: ENU at the first point. Unit: metres.
    private var lowest = Vector2()
    private var highest = Vector2()

    /// Extends by a position; the width of the plan with it, if that is more than is taken. Unit: metres.
    mutating func widthBeyondLimit(with position: GeodeticPosition) -> Double? {
        let ground = GeodeticPosition(
            latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees,
            ellipsoidalHeight: 0)!
        guard let plane else {
            plane = LocalTangentPlane(origin: ground)
            return nil
        }
        let point = plane.pointENU(of: ground)
        // Points on the other side of the earth are near the plane's axis, and far below.
        guard point.norm <= 2 * PlanDocument.widest else { return point.norm }
        lowest = Vector2(min(lowest.x, point.x), min(lowest.y, point.y))
        highest = Vector2(max(highest.x, point.x), max(highest.y, point.y))
        let width = max(highest.x - lowest.x, highest.y - lowest.y)
        return width > PlanDocument.widest ? width : nil
    }

    /// Point in the plane. Frame: ENU at the first point. Unit: metres.
    func local(_ point: PlanPoint) -> Vector2 {
        let position = GeodeticPosition(
            latitudeDegrees: point.latitudeDegrees, longitudeDegrees: point.longitudeDegrees, ellipsoidalHeight: 0)
        guard let plane, let position else { return Vector2() }
        return Vector2(plane.pointENU(of: position))
    }

    /// Latitude and longitude of a point in the plane, with a centimetre's digits.
    func text(of point: Vector2) -> String {
        guard let position = plane?.position(ofENU: Vector3(point.x, point.y, 0)) else { return "an unknown place" }
        var text = TextBuffer()
        text.append(position.latitudeDegrees, decimals: 7)
        text.append(", ")
        text.append(position.longitudeDegrees, decimals: 7)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
