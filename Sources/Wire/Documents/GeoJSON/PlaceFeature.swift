import Geometry
import JSON
import Scene

/// A place from a GeoJSON feature, or from a bare geometry.
///
/// The name is the first of `name`, `name:en`, `brand`, `ref` and the kind that exists. The kind is `kind`, or else the
/// result of ``PlaceKind``. `favorite`, `heightKind` (eye, ground, roof, ellipsoid, sea) and `heightMetres` are
/// recognised too. All other properties that are text, numbers, true or false become tags.
struct PlaceFeature {
    /// Maximum lengths. A longer text is truncated; a longer id is refused. Unit: bytes.
    static let maximumNameLength = 200
    static let maximumTagLength = 1024
    static let maximumTagNameLength = 100
    static let maximumIDLength = 200
    /// Maximum number of tags; further tags are left out.
    static let maximumTagCount = 64

    private let feature: JSONNode
    private var kind = PlaceKind()
    private var names: [JSONNode?] = [nil, nil, nil, nil]
    private var ownKind: JSONNode?
    private var identifiers: [JSONNode?] = [nil, nil]
    private var type: JSONNode?
    private var heightKind: JSONNode?
    private var heightMetres: JSONNode?
    private var isFavorite = false
    private var tags: [String: String] = [:]

    static func read(_ node: JSONNode) throws(DocumentProblem) -> Place {
        try node.require(.object)
        let type = try node.member("type")
        guard type.equals("Feature") else {
            if type.equals("FeatureCollection") { throw node.problem("a FeatureCollection inside of another") }
            var bare = PlaceFeature(feature: node)
            return try bare.place(geometry: node, properties: nil)
        }
        var feature = PlaceFeature(feature: node)
        guard let geometry = node["geometry"] else { throw node.problem("a place needs a geometry") }
        return try feature.place(geometry: geometry, properties: node["properties"])
    }

    private init(feature: JSONNode) { self.feature = feature }

    private mutating func place(geometry: JSONNode, properties: JSONNode?) throws(DocumentProblem) -> Place {
        try geometry.require(.object)
        var (position, hasHeight) = try GeoJSONPoint.of(geometry)
        if let properties {
            for (name, value) in try properties.object() { try take(name, value) }
        }
        let kind = ownKind.flatMap { text(of: $0, maximumLength: PlaceKind.maximumLength) } ?? self.kind.text
        let height = try height(position.ellipsoidalHeight, isSaid: hasHeight)
        if case .ellipsoidal(let metres) = height {
            position.ellipsoidalHeight = metres
        } else {
            position.ellipsoidalHeight = 0
        }
        let name = name(kind: kind)
        var place = Place(
            id: "", name: name, kind: kind ?? PlaceKind.unknown, position: position, height: height, tags: tags,
            isFavorite: isFavorite)
        place.id = try identifier() ?? PlaceIdentifier.derived(from: place)
        return place
    }

    // MARK: - Properties

    private mutating func take(_ name: JSONNode, _ value: JSONNode) throws(DocumentProblem) {
        guard let bytes = name.bytes, !value.isNull else { return }
        if name.equals("name") { names[0] = value; return }
        if name.equals("kind"), value.kind == .text { ownKind = value; return }
        if name.equals("favorite"), let favorite = value.bool { isFavorite = favorite; return }
        if name.equals("heightKind") { heightKind = value; return }
        if name.equals("heightMetres") { heightMetres = value; return }
        if feature["id"] == nil {
            if name.equals("@id") { identifiers[0] = value; return }
            if name.equals("@type") { type = value; return }
            if name.equals("id") { identifiers[1] = value; return }
        }
        if name.equals("name:en") { names[1] = value }
        if name.equals("brand") { names[2] = value }
        if name.equals("ref") { names[3] = value }
        kind.consider(name, value)
        keep(bytes, value)
    }

    private mutating func keep(_ name: UnsafeRawBufferPointer, _ value: JSONNode) {
        guard tags.count < Self.maximumTagCount, (1...Self.maximumTagNameLength).contains(name.count) else { return }
        guard var key = PlainText.line(name, maximumLength: Self.maximumTagNameLength) else { return }
        if let plain = PlaceProperty.unescaped(key) { key = plain }
        guard let text = tag(value) else { return }
        tags[key] = text
    }

    /// Text of a tag. Line breaks are kept, because some tags are descriptions.
    private func tag(_ value: JSONNode) -> String? {
        guard let bytes = value.bytes else { return text(of: value, maximumLength: Self.maximumTagLength) }
        let isPlain =
            bytes.count <= Self.maximumTagLength && bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x0A }
        return isPlain
            ? String(decoding: bytes, as: UTF8.self) : PlainText.line(bytes, maximumLength: Self.maximumTagLength)
    }

    /// Text of a string, number or Boolean; nil for any other kind.
    private func text(of node: JSONNode, maximumLength: Int) -> String? {
        switch node.kind {
        case .text: return node.bytes.flatMap { PlainText.line($0, maximumLength: maximumLength) }
        case .number:
            var buffer = TextBuffer()
            let number = node.number ?? 0
            if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
                buffer.append(whole)
            } else {
                buffer.append(exact: number)
            }
            return String(decoding: buffer.bytes, as: UTF8.self)
        case .bool: return node.bool == true ? "true" : "false"
        default: return nil
        }
    }

    private func name(kind: String?) -> String {
        for case let node? in names {
            if let name = text(of: node, maximumLength: Self.maximumNameLength) { return name }
        }
        // A place without a name, such as a bench, is named by its kind.
        return String((kind ?? PlaceKind.unknown).map { $0 == "_" ? " " : $0 })
    }

    // MARK: - Identity and height

    /// Identifier of the feature, or else the identifier that Overpass or osmium wrote into its properties; nil if the
    /// feature has neither.
    private func identifier() throws(DocumentProblem) -> String? {
        for node in [feature["id"], identifiers[0], identifiers[1]] {
            guard let node, let text = text(of: node, maximumLength: .max), !text.isEmpty else { continue }
            // The type is needed because nodes, ways and relations are numbered separately.
            let type = type.flatMap { self.text(of: $0, maximumLength: Self.maximumIDLength) }
            let isBare = node.kind == .number && feature["id"] == nil
            let identifier = isBare && type != nil ? "\(type!)/\(text)" : text
            guard identifier.utf8.count <= Self.maximumIDLength else {
                throw node.problem("an id longer than \(Self.maximumIDLength) bytes")
            }
            return identifier
        }
        return nil
    }

    private func height(_ thirdCoordinate: Double, isSaid: Bool) throws(DocumentProblem) -> PlacementHeight {
        let metres: Double?
        if let heightMetres {
            let number = try heightMetres.double()
            guard number.magnitude <= GeoJSONPosition.maximumHeight else {
                throw heightMetres.problem("a height of \(number) m is beyond any")
            }
            metres = number
        } else {
            metres = isSaid ? thirdCoordinate : nil
        }
        guard let heightKind else {
            // Programs write 0 for an unknown height.
            guard let metres, heightMetres != nil || metres != 0 else { return .unstated }
            return .ellipsoidal(metres)
        }
        guard let kind = heightKind.string.flatMap(PlaceProperty.HeightKind.init(rawValue:)) else {
            throw heightKind.problem(PlaceProperty.HeightKind.unknown)
        }
        return kind.height(metres ?? 0)
    }
}
