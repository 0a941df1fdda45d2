import JSON

/// GPX 1.1: one track, with a segment for each part without a gap.
///
/// `ele` is the height above mean sea level, as GPS programs assume, and is left out if only the ellipsoidal height is
/// known; the sum of `ele` and `geoidheight` is the ellipsoidal height. Dilutions of precision are left out, because
/// they are not accuracies. Source: https://www.topografix.com/GPX/1/1/gpx.xsd.
struct GPXTrackWriter: TrackWriter {
    private let description: TrackDescription
    private var isInSegment = false

    init(_ description: TrackDescription) { self.description = description }

    mutating func begin(into text: inout TextBuffer) {
        text.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="\(xml: description.creator)" xmlns="http://www.topografix.com/GPX/1/1">
            <trk>
            <name>\(xml: description.name)</name>

            """)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let position = point.position else { return }
        if startsSegment {
            endSegment(into: &text)
            text.write("<trkseg>\n")
            isInSegment = true
        }
        text.write("<trkpt lat=\"\(position.latitudeDegrees, 9)\" lon=\"\(position.longitudeDegrees, 9)\">")
        if let height = position.seaLevelHeight { text.write("<ele>\(height, 3)</ele>") }
        if description.hasUTC, let utc = point.utc { text.write("<time>\(utc: utc)</time>") }
        if let separation = position.geoidSeparation { text.write("<geoidheight>\(separation, 3)</geoidheight>") }
        text.write("</trkpt>\n")
    }

    mutating func end(into text: inout TextBuffer) {
        endSegment(into: &text)
        text.write("</trk>\n</gpx>\n")
    }

    private mutating func endSegment(into text: inout TextBuffer) {
        if isInSegment { text.write("</trkseg>\n") }
        isInSegment = false
    }
}
