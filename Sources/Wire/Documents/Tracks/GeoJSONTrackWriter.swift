import JSON

/// GeoJSON (RFC 7946): one feature for each part without a gap. Its geometry is a LineString, or a Point if the part
/// has only one point.
///
/// The properties contain arrays with one value per position: `coordTimes` (RFC 3339, a name that other programs use),
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

    mutating func begin(into text: inout TextBuffer) { text.write("{\"type\":\"FeatureCollection\",\"features\":[") }

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
            coordinates.write(",\n")
            times.write(",")
            horizontal.write(",")
            vertical.write(",")
        }
        count += 1
        coordinates.write("[\(position.longitudeDegrees, 9),\(position.latitudeDegrees, 9)")
        if let height = position.ellipsoidalHeight { coordinates.write(",\(height, 3)") }
        coordinates.write("]")
        times.write(point.utc.map { "\"\(utc: $0)\"" } ?? "null")
        horizontal.write(point.standardDeviation.horizontalAccuracy.map { "\($0, 3)" } ?? "null")
        vertical.write(point.standardDeviation.up.map { "\($0, 3)" } ?? "null")
    }

    mutating func end(into text: inout TextBuffer) {
        endPiece(into: &text)
        text.write("\n]}\n")
    }

    private mutating func endPiece(into text: inout TextBuffer) {
        guard count > 0 else { return }
        text.write(isFirstFeature ? "\n" : ",\n")
        isFirstFeature = false
        var name = JSONWriter()
        name.value(description.name)
        text.write("{\"type\":\"Feature\",\"properties\":{\"name\":\(name.bytes)")
        if description.hasUTC { text.write(",\n\"coordTimes\":[\(times.bytes)]") }
        text.write(",\n\"horizontalAccuracy\":[\(horizontal.bytes)],\n\"verticalAccuracy\":[\(vertical.bytes)]},\n")
        // A line needs two positions.
        text.write(
            count > 1
                ? "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\n\(coordinates.bytes)\n]}}"
                : "\"geometry\":{\"type\":\"Point\",\"coordinates\":\(coordinates.bytes)}}")
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
