import Geometry
import JSON

/// Trajectory of the TUM RGB-D benchmark in the scene frame. Content is placed in this frame, which is never corrected
/// abruptly.
///
/// Position in metres along the scene's axes (x east, y up, z south); the quaternion rotates body vectors to the scene.
/// A comment begins each scene frame; positions in different scene frames are unrelated. Times are the same as in
/// `TUMTrackWriter`.
struct SceneTUMWriter: TrackWriter {
    private let hasUTC: Bool
    private var generation: UInt32?

    init(_ description: TrackDescription) { hasUTC = description.hasUTC }

    func accepts(_ point: TrackSample) -> Bool { point.scenePose != nil && (point.utc != nil || !hasUTC) }

    mutating func begin(into text: inout TextBuffer) {
        text.write("# timestamp tx ty tz qx qy qz qw: position in the scene in metres (x east, y up, z south); ")
        text.write("rotation scene from body (x right, y up, z backwards)\n")
        TUMLine.appendClock(hasUTC: hasUTC, to: &text)
    }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let pose = point.scenePose else { return }
        if generation != pose.generation {
            generation = pose.generation
            text.write("# scene frame, generation \(Int64(pose.generation))\n")
        }
        TUMLine.append(
            (hasUTC ? point.utc : nil) ?? point.time.nanoseconds, pose.position, pose.rotationSceneFromBody, to: &text)
    }
}

/// Text that trajectories in both frames have in common.
enum TUMLine {
    static func appendClock(hasUTC: Bool, to text: inout TextBuffer) {
        text.write("# timestamp: seconds ")
        text.write(hasUTC ? "of UTC since 1970\n" : "since boot, because UTC is unknown\n")
    }

    /// - Parameter time: time on the clock that the comment names. Unit: nanoseconds.
    static func append(_ time: Int64, _ position: Vector3, _ rotation: Rotation3, to text: inout TextBuffer) {
        text.write("\(seconds: time) \(position.x, 4) \(position.y, 4) \(position.z, 4)")
        text.write(" \(rotation.x, 9) \(rotation.y, 9) \(rotation.z, 9) \(rotation.w, 9)\n")
    }
}
