import Geometry
import JSON

/// Trajectory of the TUM RGB-D benchmark: `timestamp tx ty tz qx qy qz qw`; poses without a position or rotation are
/// left out.
///
/// Position in metres: east, north and up at the first position; the quaternion rotates body vectors to ENU. The time
/// is in seconds, in UTC since 1970 or, if UTC is unknown, since boot. A comment names frame and clock. Source:
/// https://cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats.
struct TUMTrackWriter: TrackWriter {
    private let description: TrackDescription
    private var plane: LocalTangentPlane?

    init(_ description: TrackDescription) { self.description = description }

    func accepts(_ point: TrackSample) -> Bool {
        point.rotationENUFromBody != nil && geodetic(point) != nil && (point.utc != nil || !description.hasUTC)
    }

    mutating func begin(into text: inout TextBuffer) {
        text.write("# timestamp tx ty tz qx qy qz qw: position east, north, up in metres; rotation ENU from ")
        text.write("body (x right, y up, z backwards)\n")
        TUMLine.appendClock(hasUTC: description.hasUTC, to: &text)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let position = geodetic(point), let rotation = point.rotationENUFromBody else { return }
        if plane == nil {
            plane = LocalTangentPlane(origin: position)
            text.write("# origin: latitude \(position.latitudeDegrees, 9), longitude \(position.longitudeDegrees, 9)")
            text.write(", height \(position.ellipsoidalHeight, 4)\n")
        }
        guard let offset = plane?.pointENU(of: position) else { return }
        TUMLine.append(
            (description.hasUTC ? point.utc : nil) ?? point.time.nanoseconds, offset, rotation, to: &text)
    }

    /// Position with whichever height is known, because all heights of a recording are of the same kind.
    private func geodetic(_ point: TrackSample) -> GeodeticPosition? {
        guard let position = point.position, let height = position.ellipsoidalHeight ?? position.seaLevelHeight else {
            return nil
        }
        return GeodeticPosition(
            latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees,
            ellipsoidalHeight: height)
    }
}
