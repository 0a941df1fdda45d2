import Geometry
import JSON
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// A pose as the type `Pose` of the Varlink interface `org.waymark.Pose`.
///
/// Written once and sent to every subscriber; what only one of them missed is put in at the place that `write` returns.
public enum PoseMessage {
    /// Below this the direction of motion is mostly noise. Unit: m/s.
    static let slowestCourse = 0.5

    /// Appends the pose as one JSON object.
    ///
    /// - Parameters:
    ///   - utcOffset: nanoseconds to add to boot time to get UTC since 1970; nil while no fix has told it.
    /// - Returns: the offset in `json` at which `,"missed":N` may be put in.
    @discardableResult
    public static func write(
        _ pose: PoseEstimate, sequence: UInt64, utcOffset: Int64? = nil, precision: MessagePrecision = .rounded,
        into json: inout JSONWriter
    ) -> Int {
        json.beginObject()
        json.member("sequence", Int64(clamping: sequence))
        let insertion = json.text.count
        json.member("time", pose.time)
        json.member("utc", pose.time, utcOffset: utcOffset)
        json.member("frame", word: "scene")
        json.member("generation", Int64(pose.generation))
        json.member("position", pose.positionInScene, precision)
        json.member("orientation", pose.rotationSceneFromBody, precision)
        json.member("linearVelocity", pose.velocityInScene, precision)
        json.member("angularVelocity", pose.angularVelocityInBody, precision)
        writeTracking(pose, &json)
        json.member("geo", pose.geodetic, precision)
        json.member("heading", direction: pose.heading, precision)
        json.member("headingReference", word: pose.headingReference.word)
        writeVelocityOverGround(pose, precision, &json)
        writeMotion(pose.motion, precision, &json)
        writeAccuracy(pose.accuracy, precision, &json)
        json.member("state", word: pose.state.word)
        writeReasons(pose.reasons, &json)
        writeSources(pose.sources, &json)
        json.endObject()
        return insertion
    }

    private static func writeTracking(_ pose: PoseEstimate, _ json: inout JSONWriter) {
        json.key("tracking")
        json.beginObject()
        json.member("orientation", word: pose.orientationTracking.word)
        json.member("position", word: pose.positionTracking.word)
        json.endObject()
    }

    private static func writeVelocityOverGround(
        _ pose: PoseEstimate, _ precision: MessagePrecision, _ json: inout JSONWriter
    ) {
        guard let velocity = pose.velocityENU else { return }
        let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
        if speed >= slowestCourse, pose.headingReference == .trueNorth {
            json.member("course", direction: atan2(velocity.x, velocity.y), precision)
        }
        json.member("speed", speed, precision.length)
    }

    private static func writeMotion(
        _ motion: MotionEstimate?, _ precision: MessagePrecision, _ json: inout JSONWriter
    ) {
        guard let motion, motion.probability.isFinite else { return }
        json.key("motion")
        json.beginObject()
        json.member("mode", word: motion.kind.word)
        json.member("probability", motion.probability, precision.accuracy)
        json.endObject()
    }

    private static func writeAccuracy(
        _ accuracy: PoseAccuracy, _ precision: MessagePrecision, _ json: inout JSONWriter
    ) {
        json.key("accuracy")
        json.beginObject()
        json.member("horizontalAccuracy", accuracy.horizontal, precision.accuracy)
        json.member("verticalAccuracy", accuracy.vertical, precision.accuracy)
        json.member("orientationYawAccuracy", accuracy.yaw.map { $0 * 180 / .pi }, precision.accuracy)
        json.member("horizontalVelocityAccuracy", accuracy.velocityHorizontal, precision.accuracy)
        json.member("verticalVelocityAccuracy", accuracy.velocityVertical, precision.accuracy)
        json.member("angularVelocityAccuracy", accuracy.angularVelocity, precision.length)
        json.endObject()
    }

    private static func writeReasons(_ reasons: LimitingReasons, _ json: inout JSONWriter) {
        json.key("reasons")
        json.beginArray()
        reasons.forEachWord { json.value($0) }
        json.endArray()
    }

    private static func writeSources(_ sources: AidingSources, _ json: inout JSONWriter) {
        json.key("sources")
        json.beginArray()
        sources.forEachWord { json.value($0) }
        json.endArray()
    }
}
