import JSON

/// KML 2.2: a `gx:Track` for each part without a gap, or a LineString if no times are known.
///
/// KML's absolute heights are above the geoid: if the geoid height is unknown, the line lies on the ground. Source: OGC
/// 07-147r2, and https://developers.google.com/kml/documentation/kmlreference#gxtrack.
struct KMLTrackWriter: TrackWriter {
    private let description: TrackDescription
    private var times = TextBuffer()
    private var coordinates = TextBuffer()
    private var count = 0
    private var last: TrackSample?
    /// Whether all heights of the piece are known.
    private var hasHeights = true

    init(_ description: TrackDescription) { self.description = description }

    mutating func begin(into text: inout TextBuffer) {
        text.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <name>
            """ as StaticString)
        text.append(xml: description.name)
        text.append("</name>\n" as StaticString)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        let hasHeight = point.position?.seaLevelHeight != nil
        if startsSegment {
            endPiece(into: &text)
        } else if count == TrackPiece.maximumCount || (count > 0 && hasHeight != hasHeights) {
            let joint = last
            endPiece(into: &text)
            if let joint, (joint.position?.seaLevelHeight != nil) == hasHeight { add(joint) }
        }
        add(point)
    }

    private mutating func add(_ point: TrackSample) {
        guard let position = point.position else { return }
        last = point
        count += 1
        hasHeights = position.seaLevelHeight != nil
        if description.hasUTC, let utc = point.utc {
            times.append("<when>" as StaticString)
            times.append(rfc3339: utc)
            times.append("</when>\n" as StaticString)
        }
        let separator = UInt8(ascii: description.hasUTC ? " " : ",")
        if description.hasUTC { coordinates.append("<gx:coord>" as StaticString) }
        coordinates.append(position.longitudeDegrees, decimals: 9)
        coordinates.append(separator)
        coordinates.append(position.latitudeDegrees, decimals: 9)
        if let height = position.seaLevelHeight {
            coordinates.append(separator)
            coordinates.append(height, decimals: 3)
        } else if description.hasUTC {
            // A `gx:coord` has three numbers; the height of a line on the ground is ignored.
            coordinates.append(" 0" as StaticString)
        }
        if description.hasUTC { coordinates.append("</gx:coord>" as StaticString) }
        coordinates.append(UInt8(ascii: "\n"))
    }

    mutating func end(into text: inout TextBuffer) {
        endPiece(into: &text)
        text.append("</Document>\n</kml>\n" as StaticString)
    }

    private mutating func endPiece(into text: inout TextBuffer) {
        guard count > 0 else { return }
        text.append("<Placemark>\n<name>" as StaticString)
        text.append(xml: description.name)
        text.append("</name>\n" as StaticString)
        description.hasUTC ? appendTrack(to: &text) : appendLine(to: &text)
        text.append("</Placemark>\n" as StaticString)
        times.removeAll()
        coordinates.removeAll()
        count = 0
    }

    private var altitudeMode: StaticString {
        hasHeights
            ? "<altitudeMode>absolute</altitudeMode>\n" : "<altitudeMode>clampToGround</altitudeMode>\n"
    }

    private func appendTrack(to text: inout TextBuffer) {
        text.append("<gx:Track>\n" as StaticString)
        text.append(altitudeMode)
        text.append(times.bytes)
        text.append(coordinates.bytes)
        text.append("</gx:Track>\n" as StaticString)
    }

    /// A line needs two points.
    private func appendLine(to text: inout TextBuffer) {
        text.append(count > 1 ? "<LineString>\n<tessellate>1</tessellate>\n" : "<Point>\n" as StaticString)
        text.append(altitudeMode)
        text.append("<coordinates>\n" as StaticString)
        text.append(coordinates.bytes)
        text.append("</coordinates>\n" as StaticString)
        text.append(count > 1 ? "</LineString>\n" : "</Point>\n" as StaticString)
    }
}
