import Geometry
import JSON
import Scene

/// Writer of places as GeoJSON. The caller can remove the bytes written so far at any time, so a file of any length
/// needs only the memory for one piece.
///
/// ``PlaceDocumentReader`` reads back ids, names, kinds, heights, tags and favourites.
public struct PlaceDocumentWriter: Sendable {
    /// Form of the document; the raw value is the word on the command line and on the wire.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// FeatureCollection, with one feature per line.
        case collection = "geojson"
        /// A sequence of features, each after a record separator and before a line feed (RFC 8142).
        case sequence = "geojsonseq"
        /// One feature per line, without anything else.
        case lines = "ndjson"
    }

    private let form: Form
    private var json = JSONWriter()
    private var isFirst = true

    /// Begins a document of the given form.
    public init(form: Form) {
        self.form = form
        if form == .collection { json.text.append("{\"type\":\"FeatureCollection\",\"features\":[") }
    }

    /// Bytes that were written since the last ``removeAll()``.
    public var bytes: [UInt8] { json.bytes }

    /// Removes the bytes; call it when they have been passed on.
    public mutating func removeAll() { json.removeAll() }

    package mutating func append(_ place: Place) {
        switch form {
        case .collection: json.text.append(isFirst ? "\n" : ",\n" as StaticString)
        case .sequence: json.text.append(0x1E as UInt8)
        case .lines: break
        }
        isFirst = false
        var feature = JSONWriter()
        Self.write(place, into: &feature)
        json.text.append(feature.bytes)
        if form != .collection { json.text.append(UInt8(ascii: "\n")) }
    }

    /// Ends the document; call it once, after the last place.
    public mutating func finish() {
        if form == .collection { json.text.append("\n]}\n" as StaticString) }
    }

    package static func write(_ place: Place, into json: inout JSONWriter) {
        json.object { json in
            json.member("type", word: "Feature")
            json.member("id", place.id)
            var coordinates = [place.position.longitudeDegrees, place.position.latitudeDegrees]
            if case .ellipsoidal(let metres) = place.height, metres.isFinite { coordinates.append(metres) }
            json.geometry("Point") { $0.value(coordinates, .exact) }
            json.object("properties") { json in
                json.member("name", place.name)
                json.member("kind", place.kind)
                if place.isFavorite { json.member("favorite", true) }
                write(place.height, into: &json)
                for (tag, value) in place.tags.sorted(by: { $0.key < $1.key }) {
                    json.key(text: PlaceProperty.escaped(tag))
                    json.value(value)
                }
            }
        }
    }

    private static func write(_ height: PlacementHeight, into json: inout JSONWriter) {
        let (kind, metres): (PlaceProperty.HeightKind, Double)
        switch height {
        case .unstated: return
        case .eyeRelative(let above): (kind, metres) = (.eye, above)
        case .groundRelative(let above): (kind, metres) = (.ground, above)
        case .roofRelative(let above): (kind, metres) = (.roof, above)
        case .ellipsoidal(let above): (kind, metres) = (.ellipsoid, above)
        case .meanSeaLevel(let above): (kind, metres) = (.sea, above)
        }
        json.member("heightKind", kind.rawValue)
        json.member("heightMetres", metres, .exact)
    }
}
