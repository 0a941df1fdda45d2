import Geometry
import Glibc
import Scene

/// A label as a renderer draws it in its box, and the mark that it names: reckoned in space, without angles in azimuth.
struct SeenLabel {
    private let ahead: Vector3
    private let right: Vector3
    private let up: Vector3
    /// Half of its sides at the distance 1.
    private let across: Double
    private let rise: Double
    private let mark: LabelMark

    init(_ request: LabelRequest, _ slot: LabelSlot) {
        self.init(request.mark, slot)
    }

    init(_ placement: Placement, _ slot: LabelSlot, eye: Vector3) {
        let line = placement.position - eye
        self.init(
            LabelMark(
                azimuth: atan2(line.x, -line.z), elevation: atan2(line.y, hypot(line.x, line.z)),
                radius: placement.size.angle / 2 * (placement.pulse?.scale ?? 1)), slot)
    }

    private init(_ mark: LabelMark, _ slot: LabelSlot) {
        self.mark = mark
        let (sine, cosine) = (sin(slot.elevation), cos(slot.elevation))
        ahead = Self.direction(mark.azimuth, slot.elevation)
        right = Vector3(cos(mark.azimuth), 0, sin(mark.azimuth))
        up = Vector3(-sine * sin(mark.azimuth), cosine, sine * cos(mark.azimuth))
        (across, rise) = (tan(slot.width / 2), tan(slot.height / 2))
    }

    private static func direction(_ azimuth: Double, _ elevation: Double) -> Vector3 {
        Vector3(cos(elevation) * sin(azimuth), sin(elevation), -cos(elevation) * cos(azimuth))
    }

    /// Points of its border and its middle, at the distance 1 from the eye.
    private var points: [Vector3] {
        var points = [ahead]
        for step in stride(from: -1.0, through: 1, by: 0.125) {
            for (aside, above) in [(step, -1.0), (step, 1), (-1, step), (1, step)] {
                points.append(ahead + right * (aside * across) + up * (above * rise))
            }
        }
        return points
    }

    private func contains(_ direction: Vector3) -> Bool {
        let depth = direction.dot(ahead)
        // Less than a millionth of its sides is rounding.
        return depth > 0 && direction.dot(right).magnitude < depth * across * (1 - 1e-6)
            && direction.dot(up).magnitude < depth * rise * (1 - 1e-6)
    }

    func covers(_ mark: LabelMark) -> Bool {
        let middle = Self.direction(mark.azimuth, mark.elevation)
        return contains(middle) || points.contains { angle($0, middle) < mark.radius - 1e-9 }
    }

    var coversOwnMark: Bool { covers(mark) }

    private func overlaps(_ other: SeenLabel) -> Bool {
        // Farther apart than their corners no two overlap.
        let reach = atan(hypot(across, rise)) + atan(hypot(other.across, other.rise))
        guard ahead.dot(other.ahead) > cos(min(.pi, reach)) else { return false }
        return points.contains(where: other.contains) || other.points.contains(where: contains)
    }

    /// Pairs of which one covers some of the other.
    static func overlaps(_ labels: [SeenLabel]) -> Int {
        labels.indices.reduce(0) { sum, first in
            sum + labels[(first + 1)...].count { $0.overlaps(labels[first]) }
        }
    }
}
