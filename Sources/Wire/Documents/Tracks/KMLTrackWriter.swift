import JSON

/// KML 2.2: a `gx:Track` for each part without a gap, or a LineString if no times are known.
///
/// KML's absolute heights are above the geoid. If the heights above the geoid are unknown, the line lies on the ground.
/// Source: OGC 07-147r2, and https://developers.google.com/kml/documentation/kmlreference#gxtrack.
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
        text.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <name>\(xml: description.name)</name>

            """)
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
        if description.hasUTC, let utc = point.utc { times.write("<when>\(utc: utc)</when>\n") }
        let (longitude, latitude) = (position.longitudeDegrees, position.latitudeDegrees)
        if description.hasUTC {
            // A `gx:coord` has three numbers; the height of a line on the ground is ignored.
            let height: TrackText = position.seaLevelHeight.map { "\($0, 3)" } ?? "0"
            coordinates.write("<gx:coord>\(longitude, 9) \(latitude, 9) \(height)</gx:coord>\n")
        } else {
            let height: TrackText = position.seaLevelHeight.map { ",\($0, 3)" } ?? ""
            coordinates.write("\(longitude, 9),\(latitude, 9)\(height)\n")
        }
    }

    mutating func end(into text: inout TextBuffer) {
        endPiece(into: &text)
        text.write("</Document>\n</kml>\n")
    }

    private mutating func endPiece(into text: inout TextBuffer) {
        guard count > 0 else { return }
        text.write("<Placemark>\n<name>\(xml: description.name)</name>\n")
        let mode = hasHeights ? "absolute" : "clampToGround"
        let altitude: TrackText = "<altitudeMode>\(mode)</altitudeMode>\n"
        if description.hasUTC {
            text.write("<gx:Track>\n\(altitude)\(times.bytes)\(coordinates.bytes)</gx:Track>\n")
        } else {
            // A line needs two points.
            text.write(count > 1 ? "<LineString>\n<tessellate>1</tessellate>\n" : "<Point>\n")
            text.write("\(altitude)<coordinates>\n\(coordinates.bytes)</coordinates>\n")
            text.write(count > 1 ? "</LineString>\n" : "</Point>\n")
        }
        text.write("</Placemark>\n")
        times.removeAll()
        coordinates.removeAll()
        count = 0
    }
}
