import Geometry
import JSON

/// Trajectory of the TUM RGB-D benchmark in the scene frame, in which content is placed and which is never corrected
/// abruptly.
///
/// Position in metres along the scene's axes (x east, y up, z south); the quaternion rotates body vectors to the scene.
/// A comment begins each scene frame; positions in different scene frames are unrelated. Times are those of
/// `TUMTrackWriter`.
struct SceneTUMWriter: TrackWriter {
    private let hasUTC: Bool
    private var generation: UInt32?

    init(_ description: TrackDescription) { hasUTC = description.hasUTC }

    func accepts(_ point: TrackSample) -> Bool { point.scenePose != nil && (point.utc != nil || !hasUTC) }

    mutating func begin(into text: inout TextBuffer) {
        text.append(
            "# timestamp tx ty tz qx qy qz qw: position in the scene in metres (x east, y up, z south); rotation scene "
                as StaticString)
        text.append("from body (x right, y up, z backwards)\n" as StaticString)
        TUMLine.appendClock(hasUTC: hasUTC, to: &text)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let pose = point.scenePose else { return }
        if generation != pose.generation {
            generation = pose.generation
            text.append("# scene frame, generation \(pose.generation)\n".utf8)
        }
        TUMLine.append(
            (hasUTC ? point.utc : nil) ?? point.time.nanoseconds, pose.position, pose.rotationSceneFromBody, to: &text)
    }

    mutating func end(into text: inout TextBuffer) {}
}

/// Parts that trajectories in both frames share.
enum TUMLine {
    static func appendClock(hasUTC: Bool, to text: inout TextBuffer) {
        text.append("# timestamp: seconds " as StaticString)
        text.append(hasUTC ? "of UTC since 1970\n" : "since boot, because UTC is unknown\n" as StaticString)
    }

    /// - Parameter time: time on the clock that the comment names. Unit: nanoseconds.
    static func append(_ time: Int64, _ position: Vector3, _ rotation: Rotation3, to text: inout TextBuffer) {
        text.append(seconds: time)
        for value in [position.x, position.y, position.z] {
            text.append(UInt8(ascii: " "))
            text.append(value, decimals: 4)
        }
        for value in [rotation.x, rotation.y, rotation.z, rotation.w] {
            text.append(UInt8(ascii: " "))
            text.append(value, decimals: 9)
        }
        text.append(UInt8(ascii: "\n"))
    }
}
