import Geometry
import JSON
import Model
import Scene

/// A correction of the scene frame as the type `Correction` of the Varlink interface `org.waymark.Scene`.
public enum CorrectionMessage {
    /// Appends the correction as one JSON object.
    ///
    /// - Parameters:
    ///   - utcOffset: nanoseconds to add to boot time to get UTC since 1970; nil while no fix has told it.
    ///   - effect: on what was asked for.
    public static func write(
        _ correction: FrameCorrection, utcOffset: Int64?, effect: FrameCorrection.Effect?, into json: inout JSONWriter
    ) {
        let precision = MessagePrecision.rounded
        json.beginObject()
        json.member("time", correction.time)
        json.member("utc", correction.time, utcOffset: utcOffset)
        json.member("large", correction.isLarge)
        json.member("end", correction.slewEnd)
        json.member("generation", Int64(correction.generation))
        FrameMessage.writeAlignment("before", correction.before, precision, &json)
        FrameMessage.writeAlignment("target", correction.target, precision, &json)
        json.member("turn", Angle.degrees(radians: correction.turn), precision.angle)
        json.member("shift", correction.shift, precision.length)
        // Content goes the other way than the wearer.
        json.member("rise", -correction.displacement.z, precision.length)
        json.key("causes")
        json.beginArray()
        correction.causes.forEachWord { json.value($0) }
        json.endArray()
        if let cause = correction.mainCause { json.member("mainCause", word: cause.word) }
        if let evidence = correction.evidence { write(evidence, &json) }
        json.member("text", correction.text)
        json.member("moved", effect?.distance, precision.length)
        json.member("angle", effect.map { Angle.degrees(radians: $0.angle) }, precision.angle)
        json.endObject()
    }

    private static func write(_ evidence: HeadingReading, _ json: inout JSONWriter) {
        json.key("pairs")
        json.beginArray()
        write("velocities", evidence.velocities, &json)
        write("positions", evidence.positions, &json)
        json.endArray()
    }

    private static func write(_ kind: StaticString, _ pairs: HeadingPairs?, _ json: inout JSONWriter) {
        guard let pairs else { return }
        let precision = MessagePrecision.rounded
        json.beginObject()
        json.member("kind", word: kind)
        json.member("count", Int64(pairs.count))
        // A heading counts clockwise.
        json.member("correction", pairs.correction.map { -Angle.degrees(radians: $0) }, precision.angle)
        json.member("deviation", Angle.degrees(radians: pairs.deviation), precision.angle)
        json.endObject()
    }
}
