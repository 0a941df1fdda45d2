import Geometry
import JSON
import Scene

/// Place that is being read from the texts of a waypoint or a table row. The rules and limits are those of a GeoJSON
/// feature.
struct PlaceDraft {
    var latitude = 0.0
    var longitude = 0.0
    var height = PlacementHeight.unstated
    var name: String?
    /// Kind as the author of the document wrote it; nil to take the kind from the tags.
    var kind: String?
    var identifier: String?
    var isFavorite = false
    private(set) var tags: [String: String] = [:]

    /// Keeps a property as a tag, or drops it if it would exceed the limits.
    mutating func tag(_ name: String, _ value: String) {
        guard tags.count < PlaceFeature.maximumTagCount,
            (1...PlaceFeature.maximumTagNameLength).contains(name.utf8.count),
            let key = PlainText.line(name, maximumLength: PlaceFeature.maximumTagNameLength),
            let text = PlainText.text(value, maximumLength: PlaceFeature.maximumTagLength)
        else { return }
        tags[key] = text
    }

    /// Sets the height above mean sea level. Ignores 0, which programs write for an unknown height.
    mutating func setSeaLevelHeight(_ metres: Double) {
        if metres != 0 { height = .meanSeaLevel(metres) }
    }

    /// Makes the place; throws a problem if the id is too long.
    ///
    /// - Parameter path: location of the draft in its document, for the problem.
    func place(at path: String) throws(DocumentProblem) -> Place {
        let kind = kind.flatMap(PlaceKind.word) ?? PlaceKind.word(ofTags: tags)
        let title = PlainText.firstLine(
            of: name, tags["name:en"], tags["brand"], tags["ref"], maximumLength: PlaceFeature.maximumNameLength)
        guard
            let position = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: ellipsoidalHeight)
        else { throw DocumentProblem(path: path, message: "a position that is nowhere") }
        var place = Place(
            id: "", name: title ?? String((kind ?? PlaceKind.unknown).map { $0 == "_" ? " " : $0 }),
            kind: kind ?? PlaceKind.unknown, position: position, height: height, tags: tags, isFavorite: isFavorite)
        if let identifier, identifier.utf8.count > PlaceFeature.maximumIDLength {
            throw DocumentProblem(path: path, message: "an id longer than \(PlaceFeature.maximumIDLength) bytes")
        }
        place.id =
            identifier.flatMap { PlainText.line($0, maximumLength: PlaceFeature.maximumIDLength) }
            ?? PlaceIdentifier.derived(from: place)
        return place
    }

    private var ellipsoidalHeight: Double {
        if case .ellipsoidal(let metres) = height { return metres }
        return 0
    }

    /// Reads a number with an optional sign; nil if the text is not a finite number.
    ///
    /// - Parameter decimalComma: whether a comma may stand in place of the decimal point, as in the spreadsheets of
    ///   many countries.
    static func number(_ text: String, decimalComma: Bool = false) -> Double? {
        guard let line = PlainText.line(text, maximumLength: 40) else { return nil }
        var bytes = Array(line.utf8)
        if bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        if decimalComma, !bytes.contains(UInt8(ascii: ".")), let comma = bytes.firstIndex(of: UInt8(ascii: ",")) {
            bytes[comma] = UInt8(ascii: ".")
        }
        let value = bytes.withUnsafeBytes { NumberParser.double($0) }
        return value?.isFinite == true ? value : nil
    }

    /// Reads an angle in degrees from an attribute of an element.
    ///
    /// - Parameter problem: makes the problem of the element.
    static func degrees(
        _ name: String, within maximum: Double, of attributes: [String: String],
        _ problem: (String) -> DocumentProblem
    ) throws(DocumentProblem) -> Double {
        guard let text = attributes[name] else { throw problem("the attribute \(name) is missing") }
        guard let value = number(text), value.magnitude <= maximum else {
            throw problem("\(name) has to be a number of degrees within ±\(Int(maximum)), not \(quoted(text))")
        }
        return value
    }

    /// Reads a height in metres from the text of an element.
    ///
    /// - Parameter problem: makes the problem of the element.
    static func height(
        _ name: String, _ text: String, _ problem: (String) -> DocumentProblem
    ) throws(DocumentProblem) -> Double {
        guard let value = number(text), value.magnitude <= GeoJSONPosition.maximumHeight else {
            throw problem("\(name) has to be a height in metres, not \(quoted(text))")
        }
        return value
    }

    /// An untrusted text in quotes, for messages.
    static func quoted(_ text: String) -> String { "'\(PlainText.line(text, maximumLength: 40) ?? "")'" }
}
