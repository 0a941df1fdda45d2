import Geometry
import JSON

/// Tags of an element that a reader uses.
protocol OSMTags {
    init()

    /// Whether the reader uses none of the element's tags.
    var isEmpty: Bool { get }

    /// Whether a relation is an area of several ways.
    var isMultipolygon: Bool { get }

    /// Takes a tag, if the reader uses it.
    mutating func take(_ name: String, _ value: String)
}

/// Source of an OpenStreetMap element, for problems.
struct OSMSource {
    let place: XMLPlace
    /// Kind and number, such as "way 12".
    let element: String

    var text: String { "\(place.text) (\(element))" }

    func problem(_ message: String) -> DocumentProblem { DocumentProblem(path: text, message: message) }
}

/// Nodes, ways and relations of an OpenStreetMap document that a reader of some tags may need.
final class OSMElements<Tags: OSMTags>: XMLHandler {
    typealias Source = OSMSource

    struct Node {
        let id: Int64
        let source: Source
        let tags: Tags
    }

    struct Way {
        let id: Int64
        let source: Source
        let nodes: [Int64]
        let tags: Tags
    }

    struct Relation {
        let id: Int64
        let source: Source
        /// Ways of the outer rings, and ways of the holes.
        let outers: [Int64]
        let inners: [Int64]
        let tags: Tags
    }

    private(set) var positions: [Int64: GeodeticPosition] = [:]
    private(set) var taggedNodes: [Node] = []
    private(set) var ways: [Way] = []
    private(set) var relations: [Relation] = []
    private var wayIndex: [Int64: Int] = [:]

    private enum Kind: String { case node, way, relation }

    private struct Element {
        let kind: Kind
        let id: Int64
        let source: Source
        var tags = Tags()
        /// Nodes of a way, or the ways of a relation's outer rings.
        var references: [Int64] = []
        var inners: [Int64] = []
    }

    /// Element whose parts are being read.
    private var current: Element?
    private var depth = 0

    /// Way with this number; nil if the document does not contain it.
    func way(_ id: Int64) -> Way? { wayIndex[id].map { ways[$0] } }

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
        case .node:
            if !element.tags.isEmpty {
                taggedNodes.append(Node(id: element.id, source: element.source, tags: element.tags))
            }
        case .way:
            wayIndex[element.id] = ways.count
            ways.append(Way(id: element.id, source: element.source, nodes: element.references, tags: element.tags))
        case .relation where element.tags.isMultipolygon:
            relations.append(
                Relation(
                    id: element.id, source: element.source, outers: element.references, inners: element.inners,
                    tags: element.tags))
        case .relation: break
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
