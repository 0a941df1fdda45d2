import JSON
import PlanMatching

/// Reader of plans from a GeoJSON FeatureCollection whose properties are Waymark's own (`kind`, `level`) or
/// OpenStreetMap tags.
///
/// Source: RFC 7946.
struct GeoJSONPlan {
    private var builder = PlanBuilder()

    static func read(_ root: JSONNode) throws(DocumentProblem) -> PlanBuilder {
        let type = try root.member("type")
        guard type.equals("FeatureCollection") else {
            throw type.problem("a plan is a FeatureCollection, and this is something else")
        }
        var reader = GeoJSONPlan()
        reader.builder.name = root["name"]?.string
        for feature in try root.member("features").array() { try reader.add(feature) }
        return reader.builder
    }

    private mutating func add(_ feature: JSONNode) throws(DocumentProblem) {
        guard try feature.member("type").equals("Feature") else {
            throw feature.problem("a Feature is needed")
        }
        guard let found = feature["properties"] else { return }
        let properties = try PlanProperties(found)
        if let kind = properties.kind {
            guard let kind = PlanFeature.Kind(rawValue: kind) else { return }
            guard let geometry = feature["geometry"] else {
                throw feature.problem("a \(kind.rawValue) needs a geometry")
            }
            try add(kind, geometry, properties)
        } else if let geometry = feature["geometry"] {
            try addTagged(geometry, properties)
        }
    }

    // MARK: - Parts with a kind

    private mutating func add(
        _ kind: PlanFeature.Kind, _ geometry: JSONNode, _ properties: PlanProperties
    ) throws(DocumentProblem) {
        let type = try geometry.member("type")
        guard let (form, isMultiple) = Self.form(of: type), let shape = Self.shape(of: form, for: kind) else {
            let name = PlainText.line(try type.text(), maximumLength: 40) ?? ""
            throw geometry.problem("a \(kind.rawValue) needs \(Self.geometries(for: kind)), not '\(name)'")
        }
        try add(kind, shape, try geometry.member("coordinates"), isMultiple: isMultiple, try properties.levels())
    }

    private static func form(of type: JSONNode) -> (PlanTags.Form, isMultiple: Bool)? {
        if type.equals("Polygon") { return (.area, false) }
        if type.equals("MultiPolygon") { return (.area, true) }
        if type.equals("LineString") { return (.line, false) }
        if type.equals("MultiLineString") { return (.line, true) }
        if type.equals("Point") { return (.point, false) }
        return nil
    }

    private static func shape(of form: PlanTags.Form, for kind: PlanFeature.Kind) -> PlanTags.Meaning.Shape? {
        switch (kind, form) {
        case (.floor, .area), (.room, .area), (.wall, .area), (.stairs, .area): .area
        case (.wall, .line), (.door, .line), (.stairs, .line), (.path, .line), (.street, .line): .line
        case (.door, .point), (.stairs, .point): .point
        default: nil
        }
    }

    private static func geometries(for kind: PlanFeature.Kind) -> String {
        switch kind {
        case .floor, .room: "a Polygon or a MultiPolygon"
        case .wall: "a LineString or a Polygon, or several"
        case .door: "a Point or a LineString"
        case .stairs: "a Point, a LineString or a Polygon"
        case .path, .street: "a LineString or a MultiLineString"
        }
    }

    // MARK: - Parts with tags

    private mutating func addTagged(_ geometry: JSONNode, _ properties: PlanProperties) throws(DocumentProblem) {
        let tags = properties.tags
        guard !tags.values.isEmpty, let (form, isMultiple) = geometry["type"].flatMap(Self.form),
            var meaning = tags.meaning(of: form)
        else { return }
        let coordinates = try geometry.member("coordinates")
        let levels = try properties.levels()
        if form == .line, !isMultiple, try Self.isClosed(coordinates) {
            guard let closed = tags.meaning(of: .closedLine) else { return }
            meaning = closed
        } else if form == .line, meaning.shape == .area {
            throw geometry.problem(
                "a \(meaning.kind.rawValue) has to be closed; its line ends elsewhere than it begins")
        }
        switch meaning.shape {
        case .area where form == .line:
            let ring = try builder.ring(try points(coordinates), at: coordinates.path)
            try builder.add(PlanFeature(kind: meaning.kind, shape: .area([ring])), levels: levels, at: coordinates.path)
        case .borders: try addBorders(meaning.kind, coordinates, isMultiple: isMultiple, levels)
        default: try add(meaning.kind, meaning.shape, coordinates, isMultiple: isMultiple, levels)
        }
    }

    private mutating func addBorders(
        _ kind: PlanFeature.Kind, _ coordinates: JSONNode, isMultiple: Bool, _ levels: [String]
    ) throws(DocumentProblem) {
        guard isMultiple else { return try add(kind, .line, coordinates, isMultiple: true, levels) }
        for polygon in try coordinates.array() { try add(kind, .line, polygon, isMultiple: true, levels) }
    }

    private static func isClosed(_ line: JSONNode) throws(DocumentProblem) -> Bool {
        var last: JSONNode?
        for point in try line.array() { last = point }
        guard let last else { return false }
        let (first, end) = (try GeoJSONPosition.read(try line.first()), try GeoJSONPosition.read(last))
        return line.count > 3 && first.latitudeDegrees == end.latitudeDegrees
            && first.longitudeDegrees == end.longitudeDegrees
    }

    // MARK: - Geometry

    private mutating func add(
        _ kind: PlanFeature.Kind, _ shape: PlanTags.Meaning.Shape, _ coordinates: JSONNode, isMultiple: Bool,
        _ levels: [String]
    ) throws(DocumentProblem) {
        guard isMultiple else { return try add(kind, shape, coordinates, levels) }
        _ = try coordinates.first()
        for part in coordinates.elements { try add(kind, shape, part, levels) }
    }

    private mutating func add(
        _ kind: PlanFeature.Kind, _ shape: PlanTags.Meaning.Shape, _ coordinates: JSONNode, _ levels: [String]
    ) throws(DocumentProblem) {
        let drawn: PlanFeature.Shape
        switch shape {
        case .point: drawn = .point(try vertex(coordinates))
        case .line, .borders: drawn = .line(try builder.line(try points(coordinates), at: coordinates.path))
        case .area:
            _ = try coordinates.first()
            var rings: [[PlanPoint]] = []
            for ring in coordinates.elements { rings.append(try builder.ring(try points(ring), at: ring.path)) }
            drawn = .area(rings)
        }
        try builder.add(PlanFeature(kind: kind, shape: drawn), levels: levels, at: coordinates.path)
    }

    private mutating func points(_ line: JSONNode) throws(DocumentProblem) -> [PlanPoint] {
        try line.array().map { position throws(DocumentProblem) in try vertex(position) }
    }

    private mutating func vertex(_ node: JSONNode) throws(DocumentProblem) -> PlanPoint {
        try builder.vertex(try GeoJSONPosition.read(node), at: node.path)
    }
}

/// Properties of a feature that matter to a plan.
private struct PlanProperties {
    /// Kind in Waymark's own words; nil if the feature has none.
    private(set) var kind: String?
    private(set) var tags = PlanTags()
    private let node: JSONNode
    private var levelNode: JSONNode?

    init(_ node: JSONNode) throws(DocumentProblem) {
        self.node = node
        for (name, value) in try node.object() where !value.isNull {
            if name.equals("kind") { kind = value.string ?? "" }
            if name.equals("level") { levelNode = value }
            guard let name = name.bytes, name.count <= Self.maximumNameLength, let text = value.string else { continue }
            tags.take(String(decoding: name, as: UTF8.self), text)
        }
    }

    /// Maximum length of a tag name; a tag with a longer name is ignored. Unit: bytes.
    private static let maximumNameLength = 16

    func levels() throws(DocumentProblem) -> [String] {
        let path = levelNode ?? node
        return try PlanLevelNames.read(try level(), kind == nil ? tags.repeatedOn : nil, at: path.path)
    }

    private func level() throws(DocumentProblem) -> String? {
        guard let levelNode else { return nil }
        if let number = levelNode.number {
            guard number.magnitude < 1000 else { throw levelNode.problem("a level of \(number) is beyond any") }
            return "\(number)"
        }
        guard let text = levelNode.string else { throw levelNode.problem("a level is a text or a number") }
        return text
    }
}
