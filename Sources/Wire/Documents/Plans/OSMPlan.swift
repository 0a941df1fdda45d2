import Geometry
import JSON
import PlanMatching

/// Reader of plans from OpenStreetMap XML, as written by the OpenStreetMap API, JOSM, osmium and Overpass.
///
/// Nodes, ways and relations may come in any order. Deleted elements are ignored, and so are elements whose tags do not
/// concern a plan. The document must contain all nodes of the other elements.
struct OSMPlan {
    private var builder = PlanBuilder()
    private let elements: Elements

    private typealias Elements = OSMElements<PlanTags>

    static func read(_ text: ArraySlice<UInt8>) throws(DocumentProblem) -> PlanBuilder {
        let elements = Elements()
        try XMLReader.read(text, handler: elements)
        var reader = OSMPlan(elements: elements)
        for node in elements.taggedNodes { try reader.add(node: node) }
        for way in elements.ways { try reader.add(way: way) }
        for relation in elements.relations { try reader.add(relation: relation) }
        return reader.builder
    }

    private init(elements: Elements) { self.elements = elements }

    // MARK: - Elements

    private mutating func add(node: Elements.Element) throws(DocumentProblem) {
        guard let meaning = node.tags.meaning(of: .point) else { return }
        let point = try vertex(node.id, of: node.source)
        try add(meaning.kind, .point(point), node.tags, node.source)
    }

    private mutating func add(way: Elements.Element) throws(DocumentProblem) {
        let isClosed = way.references.count > 3 && way.references.first == way.references.last
        guard let meaning = way.tags.meaning(of: isClosed ? .closedLine : .line) else { return }
        guard meaning.shape == .area else {
            let points = try vertices(way.references, of: way.source)
            let line = try builder.line(points, at: way.source.text)
            return try add(meaning.kind, .line(line), way.tags, way.source)
        }
        guard isClosed else {
            throw way.source.problem(
                "a \(meaning.kind.rawValue) has to be closed; its way ends elsewhere than it begins")
        }
        let ring = try builder.ring(try vertices(way.references, of: way.source), at: way.source.text)
        try add(meaning.kind, .area([ring]), way.tags, way.source)
    }

    private mutating func add(relation: Elements.Element) throws(DocumentProblem) {
        guard let meaning = relation.tags.meaning(of: .area) else { return }
        let outers = try rings(of: relation.references, in: relation)
        let inners = try rings(of: relation.inners, in: relation)
        guard !outers.isEmpty else { throw relation.source.problem("a multipolygon without an outer way") }
        if meaning.shape == .borders {
            for ring in outers + inners {
                try add(meaning.kind, .line(ring + ring.prefix(1)), relation.tags, relation.source)
            }
            return
        }
        let areas = OSMRings.areas(outers: outers, inners: inners, local: builder.local)
        guard let areas else {
            throw relation.source.problem("too many rings and nodes to find which is inside of which; divide it")
        }
        for rings in areas { try add(meaning.kind, .area(rings), relation.tags, relation.source) }
    }

    private mutating func add(
        _ kind: PlanFeature.Kind, _ shape: PlanFeature.Shape, _ tags: PlanTags, _ source: OSMSource
    ) throws(DocumentProblem) {
        let levels = try PlanLevelNames.read(tags.level, tags.repeatedOn, at: source.text)
        try builder.add(PlanFeature(kind: kind, shape: shape), levels: levels, at: source.text)
    }

    // MARK: - Geometry

    private mutating func rings(
        of members: [Int64], in relation: Elements.Element
    ) throws(DocumentProblem) -> [[PlanPoint]] {
        var ways: [[Int64]] = []
        var (seen, count): (Set<Int64>, Int) = ([], 0)
        for member in members where seen.insert(member).inserted {
            guard let way = elements.way(member) else {
                throw relation.source.problem(
                    "its way \(member) is not in the document; export complete relations")
            }
            count += way.references.count
            guard count <= PlanDocument.maximumVertexCount else {
                throw relation.source.problem("more than \(PlanDocument.maximumVertexCount) vertices in the plan")
            }
            ways.append(way.references)
        }
        var rings: [[PlanPoint]] = []
        for nodes in OSMRings.joined(ways) {
            guard nodes.first == nodes.last else {
                throw relation.source.problem("a ring of the multipolygon is open at node \(nodes.last ?? 0)")
            }
            rings.append(try builder.ring(try vertices(nodes, of: relation.source), at: relation.source.text))
        }
        return rings
    }

    private mutating func vertices(
        _ nodes: [Int64], of source: OSMSource
    ) throws(DocumentProblem) -> [PlanPoint] {
        var points: [PlanPoint] = []
        points.reserveCapacity(min(nodes.count, PlanDocument.maximumVertexCount))
        for node in nodes { points.append(try vertex(node, of: source)) }
        return points
    }

    private mutating func vertex(_ id: Int64, of source: OSMSource) throws(DocumentProblem) -> PlanPoint {
        guard let position = elements.positions[id] else {
            throw source.problem("its node \(id) is not in the document; export complete ways")
        }
        return try builder.vertex(position, at: "\(source.text), node \(id)")
    }
}
