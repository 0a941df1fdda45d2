import JSON

/// GPX 1.1: one track, with a segment for each part without a gap.
///
/// `ele` is the height above mean sea level, as GPS programs assume, and is left out if only the ellipsoidal height is
/// known; the sum of `ele` and `geoidheight` is the ellipsoidal height. Dilutions of precision are left out, since they
/// are not accuracies. Source: https://www.topografix.com/GPX/1/1/gpx.xsd.
struct GPXTrackWriter: TrackWriter {
    private let description: TrackDescription
    private var isInSegment = false

    init(_ description: TrackDescription) { self.description = description }

    mutating func begin(into text: inout TextBuffer) {
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"" as StaticString)
        text.append(xml: description.creator)
        text.append("\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk>\n<name>" as StaticString)
        text.append(xml: description.name)
        text.append("</name>\n" as StaticString)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let position = point.position else { return }
        if startsSegment {
            endSegment(into: &text)
            text.append("<trkseg>\n" as StaticString)
            isInSegment = true
        }
        text.append("<trkpt lat=\"" as StaticString)
        text.append(position.latitudeDegrees, decimals: 9)
        text.append("\" lon=\"" as StaticString)
        text.append(position.longitudeDegrees, decimals: 9)
        text.append("\">" as StaticString)
        if let height = position.seaLevelHeight {
            text.append("<ele>" as StaticString)
            text.append(height, decimals: 3)
            text.append("</ele>" as StaticString)
        }
        if description.hasUTC, let utc = point.utc {
            text.append("<time>" as StaticString)
            text.append(rfc3339: utc)
            text.append("</time>" as StaticString)
        }
        if let separation = position.geoidSeparation {
            text.append("<geoidheight>" as StaticString)
            text.append(separation, decimals: 3)
            text.append("</geoidheight>" as StaticString)
        }
        text.append("</trkpt>\n" as StaticString)
    }

    mutating func end(into text: inout TextBuffer) {
        endSegment(into: &text)
        text.append("</trk>\n</gpx>\n" as StaticString)
    }

    private mutating func endSegment(into text: inout TextBuffer) {
        if isInSegment { text.append("</trkseg>\n" as StaticString) }
        isInSegment = false
    }
}
