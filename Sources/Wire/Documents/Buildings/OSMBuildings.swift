import JSON
import Scene

/// Reader of buildings from OpenStreetMap XML, as written by the OpenStreetMap API, JOSM, osmium and Overpass.
enum OSMBuildings {
    private typealias Elements = OSMElements<BuildingTags>

    static func read(_ text: ArraySlice<UInt8>) throws(DocumentProblem) -> BuildingsDocument {
        let elements = Elements()
        try XMLReader.read(text, handler: elements)
        var document = BuildingsDocument()
        for way in elements.ways where way.tags.isBuilding {
            try document.add(
                id: BuildingNumber.way(way.id), rings: ring(way.references, elements).map { [$0] }, tags: way.tags)
        }
        for relation in elements.relations where relation.tags.isBuilding {
            try document.add(
                id: BuildingNumber.relation(relation.id), rings: rings(relation, elements), tags: relation.tags)
        }
        return document
    }

    /// Corners of a ring; nil if the ring is open, or if one of its nodes is not in the document.
    private static func ring(_ nodes: [Int64], _ elements: Elements) -> [Building.Vertex]? {
        guard nodes.count > 3, nodes.first == nodes.last, nodes.count <= Building.maximumVertexCount + 1 else {
            return nil
        }
        var corners: [Building.Vertex] = []
        for node in nodes {
            guard let position = elements.positions[node] else { return nil }
            corners.append(Building.Vertex(position))
        }
        return corners
    }

    /// Rings of a relation; nil if a ring is open, or if one of its ways or nodes is not in the document.
    private static func rings(_ relation: Elements.Element, _ elements: Elements) -> [[Building.Vertex]]? {
        let members = Set(relation.references + relation.inners).sorted()
        let ways = members.compactMap { elements.way($0)?.references }
        guard ways.count == members.count, ways.reduce(0, { $0 + $1.count }) <= 2 * Building.maximumVertexCount else {
            return nil
        }
        let joined = OSMRings.joined(ways)
        let rings = joined.compactMap { ring($0, elements) }
        return rings.count == joined.count ? rings : nil
    }
}
