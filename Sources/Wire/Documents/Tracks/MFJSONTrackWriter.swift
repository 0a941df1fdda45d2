import JSON

/// OGC Moving Features JSON, Prism encoding: a feature with a `MovingPoint` for each part without a gap.
///
/// Positions are longitude and latitude. A third coordinate would have to be the height above mean sea level and be
/// known for every point. The height above the ellipsoid is therefore a temporal property, like accuracies, speed and
/// directions. A part with only one point is left out, because the standard's schema requires at least two instants.
struct MFJSONTrackWriter: TrackWriter {
    private let description: TrackDescription
    /// Points of the feature that has not been written yet, with strictly increasing times.
    private var piece: [TrackSample] = []
    private var features: Int64 = 0

    init(_ description: TrackDescription) { self.description = description }

    /// A movement is a function of time, so every point needs UTC.
    func accepts(_ point: TrackSample) -> Bool { point.position != nil && point.utc != nil }

    mutating func begin(into text: inout TextBuffer) {
        text.write(
            """
            {"type":"FeatureCollection",
            "crs":{"type":"Name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},
            "trs":{"type":"Name","properties":{"name":"urn:ogc:data:time:iso8601"}},
            "features":[
            """)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        if startsSegment {
            endPiece(into: &text)
        } else if let last = piece.last {
            if let cut = AntimeridianCut(from: last, to: point) {
                add(cut.before, into: &text)
                endPiece(into: &text)
                add(cut.behind, into: &text)
            } else if piece.count >= TrackPiece.maximumCount {
                endPiece(into: &text)
                add(last, into: &text)
            }
        }
        add(point, into: &text)
    }

    /// Adds a point. If several points have the same time, only the first is kept. If UTC goes back, a new feature
    /// begins.
    private mutating func add(_ point: TrackSample, into text: inout TextBuffer) {
        if let last = piece.last?.microseconds, let time = point.microseconds, time <= last {
            guard time < last else { return }
            endPiece(into: &text)
        }
        piece.append(point)
    }

    mutating func end(into text: inout TextBuffer) {
        endPiece(into: &text)
        text.write("\n]}\n")
    }

    private mutating func endPiece(into text: inout TextBuffer) {
        defer { piece.removeAll(keepingCapacity: true) }
        guard piece.count > 1 else { return }
        features += 1
        text.write(features == 1 ? "\n" : ",\n")
        appendMembers(to: &text)
        text.write("\"temporalGeometry\":{\"type\":\"MovingPoint\",\"interpolation\":\"Linear\",\n")
        appendTimes(to: &text)
        text.write(",\n\"coordinates\":")
        text.append(list: piece) { point in
            "[\(point.position?.longitudeDegrees, 9),\(point.position?.latitudeDegrees, 9)]"
        }
        text.write("}")
        appendProperties(to: &text)
        text.write("}")
    }

    /// Appends the properties that have at least one known value, because the standard allows no others.
    private func appendProperties(to text: inout TextBuffer) {
        let known = TemporalProperty.all.filter { property in piece.contains { property.value($0) != nil } }
        guard !known.isEmpty else { return }
        text.write(",\n\"temporalProperties\":[{\n")
        appendTimes(to: &text)
        for property in known { property.append(of: piece, to: &text) }
        text.write("}]")
    }

    /// Appends the members of a feature that do not change with time; the properties are those of GeoJSON.
    private func appendMembers(to text: inout TextBuffer) {
        var properties = JSONWriter()
        properties.object { json in
            json.member("name", description.name)
            json.member("part", features)
            json.member("creator", description.creator)
            json.member("origin", description.origin == .receiver ? "receiver" : "fusion")
        }
        text.write("{\"type\":\"Feature\",\"id\":\(features),\"properties\":\(properties.bytes)")
        text.write(",\n\"geometry\":null,\"time\":")
        text.append(list: [piece[0], piece[piece.count - 1]]) { "\"\(utc: $0.utc)\"" }
        text.write(",\n")
    }

    private func appendTimes(to text: inout TextBuffer) {
        text.write("\"datetimes\":")
        text.append(list: piece) { "\"\(utc: $0.utc)\"" }
    }
}

/// Property of a movement, with a value for each instant; unknown values are null.
private struct TemporalProperty: Sendable {
    let name: String
    /// Unit of the property: a common code of UN/CEFACT's recommendation 20, or a URI.
    let form: String
    /// Interpolation between values. Directions are not interpolated, because they jump from 360° to 0° at north.
    let interpolation: String
    let description: String
    let decimals: Int
    let value: @Sendable (TrackSample) -> Double?

    private static let metres: String = "MTR"
    /// The common code of the degree has two letters, but the standard requires three.
    private static let degrees: String = "http://qudt.org/vocab/unit/DEG"

    static let all = [
        TemporalProperty(
            name: "height", form: metres, interpolation: "Linear", description: "above the WGS84 ellipsoid",
            decimals: 3
        ) { $0.position?.ellipsoidalHeight },
        TemporalProperty(
            name: "horizontalAccuracy", form: metres, interpolation: "Linear",
            description: "radius that holds 68 %", decimals: 3
        ) { $0.standardDeviation.horizontalAccuracy },
        TemporalProperty(
            name: "verticalAccuracy", form: metres, interpolation: "Linear",
            description: "half-width of the height that holds 68 %", decimals: 3
        ) { $0.standardDeviation.up },
        TemporalProperty(
            name: "speed", form: "MTS", interpolation: "Linear", description: "over ground", decimals: 3
        ) { $0.groundSpeed },
        TemporalProperty(
            name: "course", form: degrees, interpolation: "Discrete",
            description: "direction of the velocity, clockwise from true north", decimals: 2
        ) { $0.courseDegrees.map(hundredths) },
        TemporalProperty(
            name: "heading", form: degrees, interpolation: "Discrete",
            description: "direction of the line of sight, clockwise from true north", decimals: 2
        ) { $0.headingDegrees.map(hundredths) },
        TemporalProperty(
            name: "headingAccuracy", form: degrees, interpolation: "Linear",
            description: "half-width that holds 68 %", decimals: 2
        ) { $0.yawAccuracyDegrees },
    ]

    /// Rounds a direction to the precision that is written, so that the text stays below 360.
    private static func hundredths(_ degrees: Double) -> Double {
        let hundredths = (degrees * 100).rounded()
        return hundredths < 36_000 ? hundredths / 100 : 0
    }

    func append(of points: [TrackSample], to text: inout TextBuffer) {
        text.write(",\n\"\(name)\":{\"type\":\"Measure\",\"form\":\"\(form)\",\"interpolation\":\"\(interpolation)\"")
        text.write(",\"description\":\"\(description)\",\n\"values\":")
        text.append(list: points) { value($0).map { "\($0, decimals)" } ?? "null" }
        text.write("}")
    }
}

extension TrackSample {
    /// UTC since 1970, in the resolution that is written. Unit: microseconds.
    fileprivate var microseconds: Int64? { utc.map { $0 / 1000 } }
}

extension TextBuffer {
    fileprivate mutating func append<Element>(list: [Element], _ text: (Element) -> TrackText) {
        write("[")
        for (index, element) in list.enumerated() { write("\(index > 0 ? "," : "")\(text(element))") }
        write("]")
    }
}
