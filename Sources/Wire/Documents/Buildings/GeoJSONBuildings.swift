import JSON
import Scene

/// Reader of buildings from a GeoJSON FeatureCollection whose properties are OpenStreetMap tags.
///
/// Source: RFC 7946.
enum GeoJSONBuildings {
    static func read(_ root: JSONNode) throws(DocumentProblem) -> BuildingsDocument {
        let type = try root.member("type")
        guard type.equals("FeatureCollection") else {
            throw type.problem("buildings are a FeatureCollection, and this is something else")
        }
        var document = BuildingsDocument()
        for feature in try root.member("features").array() {
            guard try feature.member("type").equals("Feature") else { throw feature.problem("a Feature is needed") }
            try add(feature, to: &document)
        }
        return document
    }

    private static func add(_ feature: JSONNode, to document: inout BuildingsDocument) throws(DocumentProblem) {
        guard let properties = feature["properties"], let geometry = feature["geometry"], !geometry.isNull else {
            return
        }
        let tags = try tags(properties)
        guard tags.isBuilding, let rings = try rings(geometry) else { return }
        let id = [feature["id"], properties["@id"]].lazy.compactMap { $0?.string.flatMap(BuildingNumber.named) }.first
        try document.add(id: id, rings: rings, tags: tags)
    }

    private static func tags(_ properties: JSONNode) throws(DocumentProblem) -> BuildingTags {
        var tags = BuildingTags()
        guard !properties.isNull else { return tags }
        for (name, value) in try properties.object() {
            guard let name = name.bytes, name.count <= BuildingTags.maximumNameLength else { continue }
            let text = value.number.map { "\($0)" } ?? value.string
            if let text { tags.take(String(decoding: name, as: UTF8.self), text) }
        }
        return tags
    }

    /// All rings of a Polygon or MultiPolygon; nil for any other geometry, such as the entrance of a building.
    private static func rings(_ geometry: JSONNode) throws(DocumentProblem) -> [[Building.Vertex]]? {
        let type = try geometry.member("type")
        let coordinates = try geometry.member("coordinates")
        if type.equals("Polygon") { return try rings(ofPolygon: coordinates) }
        guard type.equals("MultiPolygon") else { return nil }
        return Array(try coordinates.array().map(rings(ofPolygon:)).joined())
    }

    private static func rings(ofPolygon coordinates: JSONNode) throws(DocumentProblem) -> [[Building.Vertex]] {
        try coordinates.array().map { ring throws(DocumentProblem) in
            try ring.array().map(GeoJSONPosition.read).map { Building.Vertex($0) }
        }
    }
}
