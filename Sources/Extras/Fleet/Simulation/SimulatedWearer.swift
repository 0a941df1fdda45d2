import Geometry
import Glibc
import Messages
import WaymarkInterface

/// A wearer who walks around a block forever. Poses and events are functions of time, for tests of a broker.
///
/// Wearers with different numbers walk around different blocks, starting at different corners.
package struct SimulatedWearer: Sendable {
    private let plane: LocalTangentPlane
    /// Start of the walk. Unit: metres along the path.
    private let start: Double

    /// Sides of a block. Unit: metres.
    private static let (length, width) = (100.0, 60.0)
    private static let perimeter = 2 * (length + width)
    /// Distance between blocks. Unit: metres.
    private static let spacing = 150.0
    /// Walking speed. Unit: m/s.
    private static let speed = 1.4
    /// Height of the eyes above the plane. Unit: metres.
    private static let eyes = 1.7

    /// - Parameters:
    ///   - number: number of the wearer, from 0.
    ///   - origin: corner of the first block.
    package init(number: Int, origin: GeodeticPosition) {
        let (row, column) = Self.block(number)
        let offset = Vector3(Double(column) * Self.spacing, Double(row) * Self.spacing, 0)
        let corner = LocalTangentPlane(origin: origin).position(ofENU: offset) ?? origin
        plane = LocalTangentPlane(origin: corner)
        start = Double(number * 37).truncatingRemainder(dividingBy: Self.perimeter)
    }

    /// Returns the row and column of a wearer's block. The blocks of the first 4, 9, 16 … wearers form a square, which
    /// contains the previous square in its corner, so that any number of wearers is close together.
    private static func block(_ number: Int) -> (row: Int, column: Int) {
        let side = Int(Double(number).squareRoot())
        let index = number - side * side
        return index <= side ? (index, side) : (side, 2 * side - index)
    }

    /// Returns the pose at a time.
    ///
    /// - Parameter time: CLOCK_BOOTTIME. Unit: nanoseconds.
    package func pose(at time: Int64) -> PoseInterface.Pose {
        let (point, heading) = place(at: time)
        let position = plane.position(ofENU: point)
        // The attitude is upright, looking along the path. It is a rotation about up, starting from a wearer who looks
        // north.
        let turn = Rotation3.about(Vector3(0, 1, 0), by: -heading)
        let degrees = Angle.degrees(radians: heading)
        return PoseInterface.Pose(
            sequence: Int(truncatingIfNeeded: time / 1_000_000), time: PoseInterface.Time(nanoseconds: time),
            frame: "scene", generation: 1, position: PoseInterface.Vector(x: point.x, y: point.z, z: -point.y),
            orientation: PoseInterface.Quaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w),
            linearVelocity: PoseInterface.Vector(
                x: Self.speed * sin(heading), y: 0, z: -Self.speed * cos(heading)),
            angularVelocity: PoseInterface.Vector(x: 0, y: 0, z: 0),
            tracking: PoseInterface.Tracking(orientation: .tracked, position: .tracked),
            geo: position?.message,
            heading: degrees, headingReference: .trueNorth, course: degrees, speed: Self.speed,
            motion: PoseInterface.Motion(mode: .foot, probability: 1),
            accuracy: PoseInterface.Accuracy(
                horizontalAccuracy: 2, verticalAccuracy: 3, orientationYawAccuracy: 3,
                horizontalVelocityAccuracy: 0.2, verticalVelocityAccuracy: 0.2, angularVelocityAccuracy: 0.01),
            state: .localized, reasons: WordSet(), sources: WordSet([.inertial, .gnssPosition]))
    }

    /// Returns an arrival at a place on the path.
    package func arrival(number: Int64, at time: Int64) -> SceneInterface.Event {
        SceneInterface.Event(
            time: PoseInterface.Time(nanoseconds: time), kind: OpenWord(.arrived), id: "place/\(number)",
            text: "\(number)", distance: 0)
    }

    /// Returns the point in the ENU frame at the corner of the wearer's block, and the heading clockwise from north.
    /// Units: metres, radians.
    private func place(at time: Int64) -> (point: Vector3, heading: Double) {
        let walked = start + Double(time) / 1e9 * Self.speed
        let along = walked.truncatingRemainder(dividingBy: Self.perimeter)
        let (length, width) = (Self.length, Self.width)
        switch along {
        case ..<length: return (Vector3(0, along, Self.eyes), 0)
        case ..<(length + width): return (Vector3(along - length, length, Self.eyes), .pi / 2)
        case ..<(2 * length + width):
            return (Vector3(width, 2 * length + width - along, Self.eyes), .pi)
        default: return (Vector3(Self.perimeter - along, 0, Self.eyes), 3 * .pi / 2)
        }
    }
}
