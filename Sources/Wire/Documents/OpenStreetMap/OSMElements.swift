import Geometry
import JSON

/// Keys of the tags that a reader uses; tags with other keys are ignored.
protocol OSMKey: RawRepresentable<String>, Hashable {
    /// Key of the tag that gives the kind of a relation.
    static var type: Self { get }
}

/// Tags of an element that a reader uses.
protocol OSMTags {
    associatedtype Key: OSMKey

    init()

    var values: [Key: String] { get set }
}

extension OSMTags {
    /// Whether a relation is an area that consists of several ways.
    var isMultipolygon: Bool { values[.type] == "multipolygon" }

    /// Takes a tag, if its key is used.
    mutating func take(_ name: String, _ value: String) {
        guard let key = Key(rawValue: name) else { return }
        values[key] = value
    }
}

/// Origin of an OpenStreetMap element, which messages about problems name.
struct OSMSource {
    let place: XMLPlace
    /// Kind and number, such as "way 12".
    let element: String

    var text: String { "\(place.text) (\(element))" }

    func problem(_ message: String) -> DocumentProblem { DocumentProblem(path: text, message: message) }
}

/// Nodes, ways and relations of an OpenStreetMap document, with only those tags that the reader of the document uses.
final class OSMElements<Tags: OSMTags>: XMLHandler {
    typealias Source = OSMSource

    enum Kind: String { case node, way, relation }

    struct Element {
        let kind: Kind
        let id: Int64
        let source: Source
        var tags = Tags()
        /// Nodes of a way, or ways of a relation's outer rings.
        var references: [Int64] = []
        /// Ways of a relation's holes.
        var inners: [Int64] = []
    }

    private(set) var positions: [Int64: GeodeticPosition] = [:]
    private(set) var taggedNodes: [Element] = []
    private(set) var ways: [Element] = []
    /// Relations that are areas made of several ways.
    private(set) var relations: [Element] = []
    private var wayIndex: [Int64: Int] = [:]

    /// Element whose parts are being read.
    private var current: Element?
    private var depth = 0

    /// Way with this number; nil if the document does not contain it.
    func way(_ id: Int64) -> Element? { wayIndex[id].map { ways[$0] } }

    // MARK: - XMLHandler

    func begin(_ name: String, attributes: [String: String], at place: XMLPlace) throws(DocumentProblem) {
        depth += 1
        switch depth {
        case 1:
            guard name == "osm" else {
                throw place.problem(
                    "no OpenStreetMap: its outermost element is \(PlaceDraft.quoted(name)), not 'osm'")
            }
        case 2: try beginElement(name, attributes, place)
        case 3 where current != nil: try addPart(name, attributes, place)
        default: break
        }
    }

    func end(_ name: String, text: String, at place: XMLPlace) throws(DocumentProblem) {
        defer { depth -= 1 }
        guard depth == 2, let element = current else { return }
        current = nil
        switch element.kind {
        case .node: if !element.tags.values.isEmpty { taggedNodes.append(element) }
        case .way:
            wayIndex[element.id] = ways.count
            ways.append(element)
        case .relation: if element.tags.isMultipolygon { relations.append(element) }
        }
    }

    private func beginElement(
        _ name: String, _ attributes: [String: String], _ place: XMLPlace
    ) throws(DocumentProblem) {
        // Editors keep deleted elements until they are uploaded.
        guard let kind = Kind(rawValue: name), attributes["action"] != "delete", attributes["visible"] != "false" else {
            return
        }
        let id = try identifier("id", attributes, place)
        let element = Element(kind: kind, id: id, source: Source(place: place, element: "\(name) \(id)"))
        if kind == .node { positions[id] = try position(attributes, element.source) }
        current = element
    }

    private func addPart(_ name: String, _ attributes: [String: String], _ place: XMLPlace) throws(DocumentProblem) {
        switch (name, current?.kind) {
        case ("tag", _):
            if let key = attributes["k"], let value = attributes["v"] { current?.tags.take(key, value) }
        case ("nd", .way): current?.references.append(try identifier("ref", attributes, place))
        case ("member", .relation) where attributes["type"] == "way":
            let way = try identifier("ref", attributes, place)
            switch attributes["role"] {
            case nil, "", "outer": current?.references.append(way)
            case "inner": current?.inners.append(way)
            default: break
            }
        default: break
        }
    }

    // MARK: - Attributes

    private func identifier(
        _ name: String, _ attributes: [String: String], _ place: XMLPlace
    ) throws(DocumentProblem) -> Int64 {
        guard let text = attributes[name] else { throw place.problem("the attribute \(name) is missing") }
        guard let number = Int64(text) else {
            throw place.problem("\(name) has to be a whole number, not \(PlaceDraft.quoted(text))")
        }
        return number
    }

    private func position(_ attributes: [String: String], _ source: Source) throws(DocumentProblem) -> GeodeticPosition
    {
        let position = GeodeticPosition(
            latitudeDegrees: try PlaceDraft.degrees("lat", within: 90, of: attributes, source.problem),
            longitudeDegrees: try PlaceDraft.degrees("lon", within: 360, of: attributes, source.problem),
            ellipsoidalHeight: 0)
        guard let position else { throw source.problem("a position that is nowhere") }
        return position
    }
}
