import Geometry
import Glibc
import Messages
import Recording
import WaymarkInterface

/// A placement as a foxglove.SceneEntity. Arrows and nodes lie on the ground. Other marks have the size that the wearer
/// sees. Labels are above their marks.
struct FoxgloveEntity {
    private let placement: SceneInterface.Placement

    init(_ placement: SceneInterface.Placement) { self.placement = placement }

    /// Dimensions of an arrow, as in other displays of the scene. Unit: metres.
    private enum Arrow {
        /// Distance from the arrow's position to its rear end.
        static let back = 0.35
        static let (shaftLength, shaftDiameter, headLength, headDiameter) = (0.4, 0.2, 0.5, 0.8)
    }

    /// Dimensions of a node of the route, a flat disc. Unit: metres.
    private static let (nodeDiameter, nodeHeight) = (0.5, 0.05)
    /// Height of a label. Unit: pixels.
    private static let labelSize = 14.0
    /// Limits of a mark's diameter, in case its angle or distance is invalid. Unit: metres.
    private static let diameters = 0.01...10_000.0

    /// Writes the members of the entity.
    ///
    /// - Parameter time: time of the server's clock. Unit: ns.
    func write(at time: UInt64, into writer: inout MessageWriter) {
        writer.member("timestamp", PoseInterface.Time(nanoseconds: Int64(clamping: time)))
        writer.member("frame_id", placement.lock == .head ? "body" : "scene")
        writer.member("id", placement.id)
        // If the lifetime is zero, the entity stays until it is replaced or deleted.
        writer.member("lifetime", PoseInterface.Time(nanoseconds: 0))
        writer.member("frame_locked", true)
        writeMetadata(&writer)
        writeMarks(&writer)
        writeLabel(&writer)
    }

    private func writeMetadata(_ writer: inout MessageWriter) {
        let pairs: [(key: String, value: String?)] = [
            ("kind", placement.kind.description), ("name", placement.name), ("category", placement.category),
            ("maneuver", placement.maneuver?.description), ("side", placement.side?.description),
            ("distance", placement.distanceText), ("alongRoute", placement.alongRouteText),
        ]
        writer.list("metadata", pairs.filter { $0.value != nil }) { pair, writer in
            writer.member("key", pair.key)
            writer.member("value", pair.value ?? "")
        }
    }

    // MARK: - Marks

    private func writeMarks(_ writer: inout MessageWriter) {
        let kind = placement.kind.known
        list("arrows", kind == .arrow, &writer, writeArrow)
        list("spheres", isSphere, &writer) { writeSized(upright: false, diameter, diameter, &$0) }
        list("cylinders", kind != .arrow && !isSphere, &writer) { writer in
            let isNode = kind == .node
            writeSized(
                upright: true, isNode ? Self.nodeDiameter : diameter, isNode ? Self.nodeHeight : diameter, &writer,
                scales: true)
        }
    }

    /// Whether the mark is a sphere. Marks of the route are cylinders.
    private var isSphere: Bool {
        switch placement.kind.known {
        case .place, .cluster, .anchor, nil: true
        case .route, .arrow, .node, .start, .turn, .destination: false
        }
    }

    /// Diameter of the mark, from its angular size and distance. Unit: metres.
    private var diameter: Double {
        let width = 2 * placement.distance * tan(Angle.radians(degrees: placement.size.angle) / 2)
        return width.isFinite ? min(max(width, Self.diameters.lowerBound), Self.diameters.upperBound) : 1
    }

    /// Writes a list that contains one mark, or none if `isThere` is false.
    private func list(
        _ name: StaticString, _ isThere: Bool, _ writer: inout MessageWriter, _ write: (inout MessageWriter) -> Void
    ) {
        writer.list(name, isThere ? [placement] : []) { write(&$1) }
    }

    /// Writes an arrow. In the schema, an arrow points along +x from its rear end.
    private func writeArrow(_ writer: inout MessageWriter) {
        let course = Angle.radians(degrees: placement.course ?? 0)
        let ahead = Vector3(-sin(course), 0, -cos(course))
        let turn = Rotation3.about(Vector3(0, 1, 0), by: course + .pi / 2)
        writePose(position - ahead * Arrow.back, turn, &writer)
        writer.member("shaft_length", Arrow.shaftLength, decimals: 3)
        writer.member("shaft_diameter", Arrow.shaftDiameter, decimals: 3)
        writer.member("head_length", Arrow.headLength, decimals: 3)
        writer.member("head_diameter", Arrow.headDiameter, decimals: 3)
        writeColor(color, opacity: 0.9, &writer)
    }

    /// - Parameters:
    ///   - upright: whether to rotate a cylinder's z axis upwards in the scene.
    ///   - scales: whether to write the relative width of a cylinder's ends, which is 1.
    private func writeSized(
        upright: Bool, _ width: Double, _ height: Double, _ writer: inout MessageWriter, scales: Bool = false
    ) {
        writePose(position, upright ? Rotation3.about(Vector3(1, 0, 0), by: -.pi / 2) : .identity, &writer)
        writer.member("size", PoseInterface.Vector(x: width, y: width, z: height), decimals: 3)
        if scales {
            writer.member("bottom_scale", 1, decimals: 0)
            writer.member("top_scale", 1, decimals: 0)
        }
        writeColor(color, opacity: 0.8, &writer)
    }

    // MARK: - Label

    private func writeLabel(_ writer: inout MessageWriter) {
        let texts = [placement.name, placement.alongRouteText ?? placement.distanceText].compactMap { $0 }
        let hasLabel = ![.arrow, .node].contains(placement.kind.known) && !texts.isEmpty
        list("texts", hasLabel, &writer) { writer in
            writePose(position + Vector3(0, diameter * 0.75, 0), .identity, &writer)
            writer.member("billboard", true)
            writer.member("font_size", Self.labelSize, decimals: 0)
            writer.member("scale_invariant", true)
            writeColor((1, 1, 1), opacity: 1, &writer)
            writer.member("text", texts.joined(separator: " · "))
        }
    }

    // MARK: - Parts

    private var position: Vector3 { Vector3(placement.position) }

    private func writePose(_ position: Vector3, _ rotation: Rotation3, _ writer: inout MessageWriter) {
        let quaternion = PoseInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w)
        writer.pose(position.message, quaternion, decimals: 3)
    }

    private func writeColor(
        _ color: (red: Double, green: Double, blue: Double), opacity: Double, _ writer: inout MessageWriter
    ) {
        writer.message("color") { writer in
            writer.member("r", color.red, decimals: 3)
            writer.member("g", color.green, decimals: 3)
            writer.member("b", color.blue, decimals: 3)
            writer.member("a", opacity, decimals: 3)
        }
    }

    /// Red, green and blue, as in other displays of the scene.
    private var color: (red: Double, green: Double, blue: Double) {
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
