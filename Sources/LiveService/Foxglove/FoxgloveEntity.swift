import Geometry
import JSON
import WaymarkInterface

#if canImport(Glibc)
    import Glibc
#endif

/// A placement as foxglove.SceneEntity: arrows and nodes on the ground, other marks as large as the wearer sees them,
/// labels above their marks.
struct FoxgloveEntity {
    private let placement: SceneInterface.Placement

    init(_ placement: SceneInterface.Placement) { self.placement = placement }

    /// Lengths of an arrow as other displays of the scene draw it. Unit: metres.
    private enum Arrow {
        /// From the arrow's position to its end at the back.
        static let back = 0.35
        static let (shaftLength, shaftDiameter, headLength, headDiameter) = (0.4, 0.2, 0.5, 0.8)
    }

    /// A node of the route, a flat disc. Unit: metres.
    private static let (nodeDiameter, nodeHeight) = (0.5, 0.05)
    /// Height of a label. Unit: pixels.
    private static let labelSize = 14.0
    /// Limits of a mark's diameter, for angles and distances that are none. Unit: metres.
    private static let diameters = 0.01...10_000.0

    /// Writes the entity.
    ///
    /// - Parameter time: Unit: ns of the server's clock.
    func write(at time: UInt64, into json: inout JSONWriter) {
        json.beginObject()
        json.member("timestamp", PoseInterface.Time(nanoseconds: Int64(clamping: time)))
        json.member("frame_id", word: placement.lock == .head ? "body" : "scene")
        json.member("id", placement.id)
        // Zero: until it is replaced or deleted.
        json.member("lifetime", PoseInterface.Time(nanoseconds: 0))
        json.member("frame_locked", true)
        writeMetadata(&json)
        writeMarks(&json)
        writeLabel(&json)
        json.endObject()
    }

    private func writeMetadata(_ json: inout JSONWriter) {
        let pairs: [(StaticString, String?)] = [
            ("kind", placement.kind.description), ("name", placement.name), ("category", placement.category),
            ("maneuver", placement.maneuver?.description), ("side", placement.side?.description),
            ("distance", placement.distanceText), ("alongRoute", placement.alongRouteText),
        ]
        json.key("metadata")
        json.beginArray()
        for case (let key, let value?) in pairs {
            json.beginObject()
            json.member("key", word: key)
            json.member("value", value)
            json.endObject()
        }
        json.endArray()
    }

    // MARK: - Marks

    private func writeMarks(_ json: inout JSONWriter) {
        let kind = placement.kind.known
        list("arrows", kind == .arrow, &json, writeArrow)
        list("spheres", isSphere, &json) { writeSized(upright: false, diameter, diameter, &$0) }
        list("cylinders", kind != .arrow && !isSphere, &json) { json in
            let isNode = kind == .node
            writeSized(
                upright: true, isNode ? Self.nodeDiameter : diameter, isNode ? Self.nodeHeight : diameter, &json,
                scales: true)
        }
    }

    /// What stands for itself; marks of the route are cylinders.
    private var isSphere: Bool {
        switch placement.kind.known {
        case .place, .cluster, .anchor, nil: true
        case .route, .arrow, .node, .start, .turn, .destination: false
        }
    }

    /// Width of the mark, which its wearer sees under the angle of its size. Unit: metres.
    private var diameter: Double {
        let width = 2 * placement.distance * tan(Angle.radians(degrees: placement.size.angle) / 2)
        return width.isFinite ? min(max(width, Self.diameters.lowerBound), Self.diameters.upperBound) : 1
    }

    private func list(
        _ name: StaticString, _ isThere: Bool, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) {
        json.key(name)
        json.beginArray()
        if isThere {
            json.beginObject()
            write(&json)
            json.endObject()
        }
        json.endArray()
    }

    /// An arrow of the schema points along +x from its back end.
    private func writeArrow(_ json: inout JSONWriter) {
        let course = Angle.radians(degrees: placement.course ?? 0)
        let ahead = Vector3(-sin(course), 0, -cos(course))
        let turn = Rotation3.about(Vector3(0, 1, 0), by: course + .pi / 2)
        writePose(position - ahead * Arrow.back, turn, &json)
        json.member("shaft_length", Arrow.shaftLength, .fixed(3))
        json.member("shaft_diameter", Arrow.shaftDiameter, .fixed(3))
        json.member("head_length", Arrow.headLength, .fixed(3))
        json.member("head_diameter", Arrow.headDiameter, .fixed(3))
        writeColor(opacity: 0.9, &json)
    }

    /// - Parameters:
    ///   - upright: turns the axis of a cylinder, which is z, to the scene's up.
    ///   - scales: writes the ends of a cylinder, which are as wide as its middle.
    private func writeSized(
        upright: Bool, _ width: Double, _ height: Double, _ json: inout JSONWriter, scales: Bool = false
    ) {
        writePose(position, upright ? Rotation3.about(Vector3(1, 0, 0), by: -.pi / 2) : .identity, &json)
        write("size", Vector3(width, width, height), &json)
        if scales {
            json.member("bottom_scale", 1, .fixed(0))
            json.member("top_scale", 1, .fixed(0))
        }
        writeColor(opacity: 0.8, &json)
    }

    // MARK: - Label

    private func writeLabel(_ json: inout JSONWriter) {
        let texts = [placement.name, placement.alongRouteText ?? placement.distanceText].compactMap { $0 }
        let hasLabel = ![.arrow, .node].contains(placement.kind.known) && !texts.isEmpty
        list("texts", hasLabel, &json) { json in
            writePose(position + Vector3(0, diameter * 0.75, 0), .identity, &json)
            json.member("billboard", true)
            json.member("font_size", Self.labelSize, .fixed(0))
            json.member("scale_invariant", true)
            json.key("color")
            writeColor((1, 1, 1), 1, &json)
            json.member("text", texts.joined(separator: " · "))
        }
    }

    // MARK: - Parts

    private var position: Vector3 { Vector3(placement.position.x, placement.position.y, placement.position.z) }

    private func writePose(_ position: Vector3, _ rotation: Rotation3, _ json: inout JSONWriter) {
        json.key("pose")
        json.beginObject()
        write("position", position, &json)
        json.key("orientation")
        json.beginObject()
        json.member("x", rotation.x, .fixed(6))
        json.member("y", rotation.y, .fixed(6))
        json.member("z", rotation.z, .fixed(6))
        json.member("w", rotation.w, .fixed(6))
        json.endObject()
        json.endObject()
    }

    private func write(_ name: StaticString, _ vector: Vector3, _ json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.member("x", vector.x, .fixed(3))
        json.member("y", vector.y, .fixed(3))
        json.member("z", vector.z, .fixed(3))
        json.endObject()
    }

    private func writeColor(opacity: Double, _ json: inout JSONWriter) {
        json.key("color")
        writeColor(color, opacity, &json)
    }

    private func writeColor(_ color: (Double, Double, Double), _ opacity: Double, _ json: inout JSONWriter) {
        json.beginObject()
        json.member("r", color.0, .fixed(3))
        json.member("g", color.1, .fixed(3))
        json.member("b", color.2, .fixed(3))
        json.member("a", opacity, .fixed(3))
        json.endObject()
    }

    /// Red, green and blue, as other displays of the scene have them.
    private var color: (Double, Double, Double) {
        switch placement.kind.known {
        case .arrow, .node, .start: (0.34, 0.77, 1)
        case .turn, .route: (1, 0.75, 0.31)
        case .destination: (1, 0.38, 0.38)
        case .place: (0.59, 0.89, 0.59)
        case .cluster: (0.77, 0.67, 1)
        case .anchor, nil: (1, 1, 1)
        }
    }
}
