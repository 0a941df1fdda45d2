import JSON
import Model

/// The scene frame as the type `Frame` of the Varlink interface `org.waymark.Pose`.
public enum FrameMessage {
    /// Appends the frame as one JSON object.
    ///
    /// - Parameter time: when the frame became so.
    /// - Returns: the offset in `json` at which `,"missed":N` may be put in.
    @discardableResult
    public static func write(
        _ frame: FrameEstimate, sequence: UInt64, time: BootTime, precision: MessagePrecision = .rounded,
        into json: inout JSONWriter
    ) -> Int {
        json.beginObject()
        json.member("sequence", Int64(clamping: sequence))
        let insertion = json.text.count
        json.member("time", time)
        json.member("generation", Int64(frame.generation))
        json.member("origin", frame.origin, precision)
        writeAlignment("published", frame.published, precision, &json)
        writeAlignment("target", frame.target, precision, &json)
        json.member("slewEnd", frame.slewEnd)
        json.member("horizontalAccuracy", frame.horizontalAccuracy, precision.length)
        json.member("orientationYawAccuracy", frame.yawAccuracy.map { $0 * 180 / .pi }, precision.angle)
        writeAlignment("before", frame.before, precision, &json)
        json.key("causes")
        json.beginArray()
        frame.causes.forEachWord { json.value($0) }
        json.endArray()
        if let cause = frame.mainCause { json.member("mainCause", word: cause.word) }
        json.endObject()
        return insertion
    }

    static func writeAlignment(
        _ name: StaticString, _ alignment: SceneAlignment, _ precision: MessagePrecision, _ json: inout JSONWriter
    ) {
        json.key(name)
        json.beginObject()
        json.member("yaw", alignment.yaw * 180 / .pi, precision.angle)
        json.member("east", alignment.translation.x, precision.length)
        json.member("north", alignment.translation.y, precision.length)
        json.member("up", alignment.translation.z, precision.length)
        json.endObject()
    }
}
