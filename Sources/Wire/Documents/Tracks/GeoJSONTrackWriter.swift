import JSON

/// GeoJSON (RFC 7946): a feature with a LineString for each part without a gap, or with a Point for a part of one
/// point.
///
/// Properties contain arrays with a value for each position: `coordTimes` (RFC 3339, a name that other programs use),
/// `horizontalAccuracy` and `verticalAccuracy` (metres, 68 %; null if unknown). The third coordinate is the height
/// above the ellipsoid. A line that crosses the antimeridian is cut there (section 3.1.9).
struct GeoJSONTrackWriter: TrackWriter {
    private let description: TrackDescription
    private var coordinates = TextBuffer()
    private var times = TextBuffer()
    private var horizontal = TextBuffer()
    private var vertical = TextBuffer()
    private var count = 0
    private var last: TrackSample?
    private var isFirstFeature = true

    init(_ description: TrackDescription) { self.description = description }

    mutating func begin(into text: inout TextBuffer) {
        text.append("{\"type\":\"FeatureCollection\",\"features\":[" as StaticString)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        if startsSegment {
            endPiece(into: &text)
        } else if let last, let cut = AntimeridianCut(from: last, to: point) {
            add(cut.before)
            endPiece(into: &text)
            add(cut.behind)
        } else if count >= TrackPiece.maximumCount, let last {
            endPiece(into: &text)
            add(last)
        }
        add(point)
        last = point
    }

    private mutating func add(_ point: TrackSample) {
        guard let position = point.position else { return }
        if count > 0 {
            coordinates.append(",\n" as StaticString)
            times.append(UInt8(ascii: ","))
            horizontal.append(UInt8(ascii: ","))
            vertical.append(UInt8(ascii: ","))
        }
        count += 1
        coordinates.append(UInt8(ascii: "["))
        coordinates.append(position.longitudeDegrees, decimals: 9)
        coordinates.append(UInt8(ascii: ","))
        coordinates.append(position.latitudeDegrees, decimals: 9)
        if let height = position.ellipsoidalHeight {
            coordinates.append(UInt8(ascii: ","))
            coordinates.append(height, decimals: 3)
        }
        coordinates.append(UInt8(ascii: "]"))
        if let utc = point.utc {
            times.append(UInt8(ascii: "\""))
            times.append(rfc3339: utc)
            times.append(UInt8(ascii: "\""))
        } else {
            times.append("null" as StaticString)
        }
        Self.append(point.standardDeviation.horizontalAccuracy, to: &horizontal)
        Self.append(point.standardDeviation.up, to: &vertical)
    }

    private static func append(_ accuracy: Double?, to text: inout TextBuffer) {
        if let accuracy { text.append(accuracy, decimals: 3) } else { text.append("null" as StaticString) }
    }

    mutating func end(into text: inout TextBuffer) {
        endPiece(into: &text)
        text.append("\n]}\n" as StaticString)
    }

    private mutating func endPiece(into text: inout TextBuffer) {
        guard count > 0 else { return }
        text.append(isFirstFeature ? "\n" : ",\n" as StaticString)
        isFirstFeature = false
        text.append("{\"type\":\"Feature\",\"properties\":{\"name\":" as StaticString)
        var name = JSONWriter()
        name.value(description.name)
        text.append(name.bytes)
        if description.hasUTC {
            text.append(",\n\"coordTimes\":[" as StaticString)
            text.append(times.bytes)
            text.append(UInt8(ascii: "]"))
        }
        text.append(",\n\"horizontalAccuracy\":[" as StaticString)
        text.append(horizontal.bytes)
        text.append("],\n\"verticalAccuracy\":[" as StaticString)
        text.append(vertical.bytes)
        // A line needs two positions.
        text.append(
            count > 1
                ? "]},\n\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\n"
                : "]},\n\"geometry\":{\"type\":\"Point\",\"coordinates\":" as StaticString)
        text.append(coordinates.bytes)
        text.append(count > 1 ? "\n]}}" : "}}" as StaticString)
        coordinates.removeAll()
        times.removeAll()
        horizontal.removeAll()
        vertical.removeAll()
        count = 0
    }
}

/// Point at which a line crosses the antimeridian, with its longitude on each side.
struct AntimeridianCut {
    let before: TrackSample
    let behind: TrackSample

    /// Nil if the shorter way between the points does not cross the antimeridian.
    init?(from start: TrackSample, to end: TrackSample) {
        guard let from = start.position, let to = end.position,
            (to.longitudeDegrees - from.longitudeDegrees).magnitude > 180
        else { return nil }
        let side = from.longitudeDegrees < 0 ? -180.0 : 180.0
        // Both longitudes, measured from the antimeridian.
        let (near, far) = (from.longitudeDegrees - side, to.longitudeDegrees + side)
        let share = near == far ? 0 : near / (near - far)
        func between(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
        func between(_ a: Double?, _ b: Double?) -> Double? { a.flatMap { a in b.map { between(a, $0) } } }
        func between(_ a: Int64, _ b: Int64) -> Int64 { a &+ Int64(share * Double(b &- a)) }
        var cut = start
        cut.time.nanoseconds = between(start.time.nanoseconds, end.time.nanoseconds)
        cut.utc = start.utc.flatMap { a in end.utc.map { between(a, $0) } }
        func position(longitude: Double) -> TrackPosition? {
            TrackPosition(
                latitudeDegrees: between(from.latitudeDegrees, to.latitudeDegrees), longitudeDegrees: longitude,
                ellipsoidalHeight: between(from.ellipsoidalHeight, to.ellipsoidalHeight),
                seaLevelHeight: between(from.seaLevelHeight, to.seaLevelHeight))
        }
        cut.position = position(longitude: side)
        before = cut
        cut.position = position(longitude: -side)
        behind = cut
    }
}
