import Geometry
import JSON
import PlanMatching

/// Builder of a plan while its document is read; it checks every position and every border.
struct PlanBuilder {
    /// Name of the plan in the document.
    var name: String?

    private var levels: [(name: String, features: [PlanFeature])] = []
    private var levelIndex: [String: Int] = [:]
    private var vertexCount = 0
    private var featureCount = 0
    /// Extent so far; nil before the first vertex.
    private var extent: PlanExtent?
    private var borders = BorderCheck()

    // MARK: - Points

    /// Makes a vertex at a position, and extends the plan to it.
    mutating func vertex(
        _ position: GeodeticPosition, at path: @autoclosure () -> String
    ) throws(DocumentProblem) -> PlanPoint {
        try count(vertices: 1, at: path())
        let point = PlanPoint(latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees)
        let width = extended(by: point)
        guard width <= PlanDocument.maximumWidth else {
            var text = TextBuffer()
            text.append(width / 1000, decimals: 1)
            throw DocumentProblem(
                path: path(),
                message: """
                    the plan would be \(String(decoding: text.bytes, as: UTF8.self)) km wide with this point; at most \
                    \(Int(PlanDocument.maximumWidth / 1000)) km are taken
                    """)
        }
        return point
    }

    /// Extends the plan to a point and returns its new width. Unit: metres.
    private mutating func extended(by point: PlanPoint) -> Double {
        var extent = self.extent ?? PlanExtent(at: GeodeticPosition(point))
        extent.add(point)
        self.extent = extent
        return extent.width
    }

    /// Makes the ring of an area, without its closing point and without consecutive repeated points.
    func ring(_ points: [PlanPoint], at path: @autoclosure () -> String) throws(DocumentProblem) -> [PlanPoint] {
        var ring = Self.withoutRepeats(points)
        while ring.count > 1, ring.last == ring.first { ring.removeLast() }
        let different = Set(ring).count
        guard different >= 3 else {
            throw DocumentProblem(
                path: path(), message: "a ring needs at least three different points; it has \(different)")
        }
        return ring
    }

    /// Makes a line without consecutive repeated points.
    func line(_ points: [PlanPoint], at path: @autoclosure () -> String) throws(DocumentProblem) -> [PlanPoint] {
        let line = Self.withoutRepeats(points)
        guard line.count >= 2 else {
            throw DocumentProblem(path: path(), message: "a line needs two different points; it has \(line.count)")
        }
        return line
    }

    /// Point in the plane of the plan. Frame: ENU at its first vertex. Unit: metres.
    func local(_ point: PlanPoint) -> Vector2 { extent?.local(point) ?? Vector2() }

    private static func withoutRepeats(_ points: [PlanPoint]) -> [PlanPoint] {
        var kept: [PlanPoint] = []
        kept.reserveCapacity(points.count)
        for point in points where point != kept.last { kept.append(point) }
        return kept
    }

    // MARK: - Parts

    /// Adds a part to each of its levels.
    mutating func add(
        _ feature: PlanFeature, levels names: [String], at path: @autoclosure () -> String
    ) throws(DocumentProblem) {
        if case .area(let rings) = feature.shape { try checkBorders(rings, at: path()) }
        featureCount += names.count
        guard featureCount <= PlanDocument.maximumFeatureCount else {
            throw DocumentProblem(
                path: path(), message: "more than \(PlanDocument.maximumFeatureCount) parts of a plan")
        }
        try count(vertices: (names.count - 1) * feature.shape.vertexCount, at: path())
        for name in names {
            let index = levelIndex[name] ?? levels.count
            if index == levels.count {
                guard index < PlanDocument.maximumLevelCount else {
                    throw DocumentProblem(path: path(), message: "more than \(PlanDocument.maximumLevelCount) levels")
                }
                levelIndex[name] = index
                levels.append((name, []))
            }
            levels[index].features.append(feature)
        }
    }

    /// Makes the plan from the parts that were added.
    ///
    /// - Throws: a problem if no part was added.
    func plan(id: String, name: String?) throws(DocumentProblem) -> FloorPlan {
        guard !levels.isEmpty else {
            let kinds = PlanFeature.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentProblem(
                "nothing of a plan is in it: neither a part with kind (\(kinds)) nor one with tags of "
                    + "OpenStreetMap such as indoor=room or highway=footway")
        }
        let numbers = PlanLevel.numbers(of: levels.map(\.name))
        let built = zip(levels, numbers).map { PlanLevel(name: $0.name, number: $1, features: $0.features) }
        // Sorting is stable: levels without a number stay in the order of the document, above all others.
        let sorted = built.sorted { ($0.number ?? .infinity) < ($1.number ?? .infinity) }
        let name = PlainText.firstLine(of: name, self.name, maximumLength: PlanDocument.maximumNameLength)
        return FloorPlan(id: id, name: name ?? id, levels: sorted)
    }

    private mutating func count(vertices: Int, at path: @autoclosure () -> String) throws(DocumentProblem) {
        vertexCount += vertices
        guard vertexCount <= PlanDocument.maximumVertexCount else {
            throw DocumentProblem(
                path: path(), message: "more than \(PlanDocument.maximumVertexCount) vertices in the plan")
        }
    }

    private mutating func checkBorders(
        _ rings: [[PlanPoint]], at path: @autoclosure () -> String
    ) throws(DocumentProblem) {
        switch borders.check(rings.map { $0.map(local) }) {
        case .clean: return
        case .tooIntricate:
            throw DocumentProblem(
                path: path(), message: "too many long lines side by side to check for crossings; simplify the border")
        case .crossing(let crossing):
            let isOwn = crossing.rings[0] == crossing.rings[1]
            let what = isOwn ? "the border crosses itself" : "the borders of two rings cross"
            throw DocumentProblem(path: path(), message: "\(what) at \(text(of: crossing.point))")
        }
    }

    /// Latitude and longitude of a point in the plane, with a resolution of a centimetre.
    private func text(of point: Vector2) -> String {
        guard let position = extent?.plane.position(ofENU: Vector3(point.x, point.y, 0)) else {
            return "an unknown place"
        }
        var text = TextBuffer()
        text.append(position.latitudeDegrees, decimals: 7)
        text.append(", ")
        text.append(position.longitudeDegrees, decimals: 7)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
