import Geometry
import Glibc
import Model

/// View of a wearer at one moment.
struct EyeSight: Sendable {
    /// Position of the eye. Frame: scene. Unit: metres.
    var eye: Vector3
    var rotationSceneFromBody: Rotation3
}

/// Motion of the view from one scene of a display to the next.
///
/// A display draws labels and marks with newer poses than that of the message, while hints stay in place. Hints
/// therefore have to avoid labels and marks in the extrapolated views, too.
struct SightMotion: Sendable {
    private var last: (time: BootTime, sight: EyeSight)?

    /// Time by which views are extrapolated. It is one interval of a display at 10 Hz. Unit: seconds.
    private static let lead = 0.1
    /// Range of intervals between two scenes from which the motion is determined. Unit: seconds.
    private static let intervals = 0.001...0.5

    /// Returns the views extrapolated with the motion since the previous scene: now, after half of the lead, and after
    /// the whole lead.
    mutating func sights(_ sight: EyeSight, at time: BootTime) -> [EyeSight] {
        defer { last = (time, sight) }
        guard let last, Self.intervals.contains(time.seconds(since: last.time)) else { return [sight] }
        let share = Self.lead / time.seconds(since: last.time)
        let turn = (last.sight.rotationSceneFromBody.inverse * sight.rotationSceneFromBody).log
        let displacement = sight.eye - last.sight.eye
        return [0, 0.5, 1].map { part in
            EyeSight(
                eye: sight.eye + displacement * (share * part),
                rotationSceneFromBody: sight.rotationSceneFromBody * Rotation3.exp(turn * (share * part)))
        }
    }
}

/// Areas of a display on which labels and marks are drawn. Arrows and nodes are excluded, since they lie on the ground.
struct OccupiedAreas {
    private let sights: [(eye: Vector3, rotationBodyFromScene: Rotation3)]
    private let aspect: Double
    /// Tangent of half the vertical field of view.
    private let tangent: Double
    private let display: DisplayArea

    /// Depth below which a point is not drawn, as a fraction of its distance.
    private static let minimumDepth = 0.02
    /// Greatest angle from the line of sight at which the border of a mark is drawn: 89°. Unit: radians.
    private static let maximumAngle = 1.553

    /// - Parameter sights: views for which areas are occupied, one for each moment.
    init(_ camera: Camera, sights: [EyeSight]) {
        self.sights = sights.map { ($0.eye, $0.rotationSceneFromBody.inverse) }
        aspect = camera.aspect
        tangent = tan(camera.horizontalFieldOfView / 2) / camera.aspect
        display = DisplayArea(x: 0, y: 0, width: 2 * camera.aspect, height: 2)
    }

    /// Returns the areas that marks and the slots of labels cover on the display.
    ///
    /// - Parameter slots: slot of each placement; nil to use the slots in the placements.
    func areas(of placements: [Placement], slots: [LabelSlot?]?) -> [DisplayArea] {
        var found: [DisplayArea] = []
        for (index, placement) in placements.enumerated() where !placement.kind.liesOnTheGround {
            if let mark = swept({ mark(of: placement, $0, $1) }) { found.append(mark) }
            guard let slot = slots.map({ $0[index] }) ?? placement.slot, placement.lock == .scene else { continue }
            if let label = swept({ label(in: slot, of: placement, $0, $1) }) { found.append(label) }
        }
        return found
    }

    /// Returns the smallest area that covers an area at all moments; nil if it is off the display.
    private func swept(_ area: (Vector3, Rotation3) -> DisplayArea?) -> DisplayArea? {
        var whole: DisplayArea?
        for sight in sights {
            guard let now = area(sight.eye, sight.rotationBodyFromScene) else { continue }
            whole = whole?.union(now) ?? now
        }
        return whole.flatMap { $0.meets(display) ? $0 : nil }
    }

    /// Returns the bounds of a disc that faces the eye, at its largest size.
    private func mark(of placement: Placement, _ eye: Vector3, _ rotationBodyFromScene: Rotation3) -> DisplayArea? {
        let line =
            placement.lock == .head ? placement.position : rotationBodyFromScene * (placement.position - eye)
        guard let direction = line.normalized, direction.z < -Self.minimumDepth else { return nil }
        let radius = atan(tan(min(placement.size.angle / 2, Self.maximumAngle)) * max(1, placement.pulse?.scale ?? 1))
        let (left, right) = bounds(direction.x, direction.y, -direction.z, radius)
        let (down, up) = bounds(direction.y, direction.x, -direction.z, radius)
        return DisplayArea(left: left, right: right, top: -up, bottom: -down)
    }

    /// Returns the bounds of a cone of directions along one axis of the display. They are the planes through the other
    /// axis that touch the cone.
    private func bounds(_ along: Double, _ across: Double, _ depth: Double, _ radius: Double) -> (Double, Double) {
        let angle = atan2(along, depth)
        let (reach, room) = (sin(radius), (1 - across * across).squareRoot())
        let half = reach < room ? asin(reach / room) : .pi
        return (
            tan(max(angle - half, -Self.maximumAngle)) / tangent, tan(min(angle + half, Self.maximumAngle)) / tangent
        )
    }

    /// Returns the bounds of the rectangle of a label, as docs/placements.md defines it; nil if a corner is behind the
    /// wearer.
    private func label(
        in slot: LabelSlot, of placement: Placement, _ eye: Vector3, _ rotationBodyFromScene: Rotation3
    ) -> DisplayArea? {
        let line = placement.position - eye
        let level = hypot(line.x, line.z)
        guard level > 0 else { return nil }
        let (sine, cosine) = (line.x / level, -line.z / level)
        let (rise, ahead) = (sin(slot.elevation), cos(slot.elevation))
        let middle = Vector3(ahead * sine, rise, -ahead * cosine)
        let right = Vector3(cosine, 0, sine) * tan(slot.width / 2)
        let up = Vector3(-rise * sine, ahead, rise * cosine) * tan(slot.height / 2)
        var whole: DisplayArea?
        for corner in [middle - right + up, middle + right + up, middle + right - up, middle - right - up] {
            let direction = rotationBodyFromScene * corner
            guard direction.z < -Self.minimumDepth else { return nil }
            let scale = 1 / (-direction.z * tangent)
            let point = DisplayArea(x: direction.x * scale, y: -direction.y * scale, width: 0, height: 0)
            whole = whole?.union(point) ?? point
        }
        return whole
    }
}
