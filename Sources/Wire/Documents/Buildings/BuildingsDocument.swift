import JSON
import Scene

/// Buildings read from GeoJSON or an OpenStreetMap extract. The format is detected from the content.
///
/// A building is a closed way, an area or a multipolygon with the tag `building`; its height is taken from `height`, or
/// else from the number of levels. Other elements are ignored.
///
/// Source: RFC 7946; OpenStreetMap, "OSM XML".
public struct BuildingsDocument: Sendable {
    /// Maximum size of a document. Unit: bytes.
    public static let maximumSize = 16 << 20
    private static let limits = JSONLimits(values: 1_000_000, text: maximumSize)

    /// Maximum total number of corners of all buildings. The size of the document does not limit it, because several
    /// relations may share a way.
    private static let maximumCornerCount = 1_000_000

    package struct Counts: Hashable, Sendable {
        /// Number of buildings with a height.
        public var buildings = 0
        /// Number of buildings that were left out because the document does not give their height.
        public var withoutHeight = 0
        /// Number of buildings that were left out because a part is missing, or a corner or height is invalid.
        public var unusable = 0
    }

    /// Buildings whose height is known. If several have the same number, only the last of them is kept.
    public var buildings: [Building] { Array(found.values) }
    package var counts: Counts { Counts(buildings: found.count, withoutHeight: withoutHeight, unusable: unusable) }

    private var found: [Int64: Building] = [:]
    private var (withoutHeight, unusable) = (0, 0)
    private var corners = 0

    /// Reads a document.
    ///
    /// - Throws: a problem, with its path or line, if the document is invalid or has another format.
    public static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> BuildingsDocument {
        guard bytes.count <= maximumSize else {
            throw DocumentProblem("larger than the limit of \(maximumSize >> 20) MiB: divide it into several files")
        }
        let text = PlainText.trimmed(bytes)
        switch text.first {
        case UInt8(ascii: "<"): return try OSMBuildings.read(text)
        case UInt8(ascii: "{"): return try GeoJSONBuildings.read(try JSONReader.read(text, limits: limits))
        default:
            throw DocumentProblem(
                "no buildings; understood are a FeatureCollection of GeoJSON and the XML of OpenStreetMap")
        }
    }

    /// Adds a building.
    /// - Parameter rings: rings of the building, or nil if one of them is incomplete. A ring may repeat its first
    ///   corner at its end.
    mutating func add(
        id: Int64?, rings: @autoclosure () throws(DocumentProblem) -> [[Building.Vertex]]?, tags: BuildingTags
    ) throws(DocumentProblem) {
        guard let height = tags.height else { return withoutHeight += 1 }
        guard Building.heights.contains(height), let rings = try rings()?.map(Self.opened) else {
            return unusable += 1
        }
        corners += rings.reduce(0) { $0 + $1.count }
        guard corners <= Self.maximumCornerCount else {
            throw DocumentProblem(
                "buildings of more than \(Self.maximumCornerCount) corners: divide it into several files")
        }
        let id = id ?? BuildingNumber.derived(from: rings)
        guard let building = Building(id: id, rings: rings, height: height) else { return unusable += 1 }
        found[building.id] = building
    }

    private static func opened(_ ring: [Building.Vertex]) -> [Building.Vertex] {
        ring.count > 1 && ring.first == ring.last ? ring.dropLast() : ring
    }
}

/// Makes the numbers of buildings, from OpenStreetMap elements if they are known.
enum BuildingNumber {
    /// Number of a way; nil if it is too large.
    static func way(_ id: Int64) -> Int64? { doubled(id) }

    /// Number of a relation; nil if it is too large.
    static func relation(_ id: Int64) -> Int64? { doubled(id).map { $0 + 1 } }

    private static func doubled(_ id: Int64) -> Int64? { (0..<Int64.max / 2).contains(id) ? 2 * id : nil }

    /// Number of an element that is named as in `way/12` or `relation/34`, or as in osmium's `w12` or `a24`; nil for
    /// any other text.
    static func named(_ name: String) -> Int64? {
        if let first = name.first, let id = Int64(name.dropFirst()), id >= 0 {
            // Osmium derives an area's number in the same way, so it needs no conversion.
            return first == "w" ? way(id) : first == "a" ? id : first == "r" ? relation(id) : nil
        }
        let parts = name.split(separator: "/")
        guard parts.count == 2, let id = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "way": return way(id)
        case "relation": return relation(id)
        default: return nil
        }
    }

    /// Negative number derived from the corners, the same in every run and on every machine.
    static func derived(from rings: [[Building.Vertex]]) -> Int64 {
        var bytes: [UInt8] = []
        for corner in rings.joined() {
            for part in [corner.latitude, corner.longitude] {
                withUnsafeBytes(of: part.littleEndian) { bytes += $0 }
            }
        }
        return Int64(bitPattern: FNV.hash(bytes) | 1 << 63)
    }
}
