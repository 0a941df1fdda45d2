import Geometry
import JSON
import Messages
import Model

/// A warm start as JSON, with full-precision numbers: a file between two runs, and a message of a recording.
public enum WarmStartMessage {
    /// Maximum length that is read, far above the length of written warm starts. Unit: bytes.
    public static let maximumSize = 16 * 1024

    /// Flaw of a message that was read.
    public struct Flaw: Error, Hashable, Sendable, CustomStringConvertible {
        /// Description of the flaw.
        public let description: String

        /// Makes a flaw from its description.
        public init(_ description: String) { self.description = description }
    }

    /// Encodes a warm start; nil if a number is not finite.
    public static func bytes(_ start: WarmStart) -> [UInt8]? {
        var json = JSONWriter(capacity: 2048)
        return write(start, into: &json) ? json.bytes : nil
    }

    /// - Throws: if it is not JSON, has a member of another type, or lacks one within a part.
    public static func read(_ bytes: [UInt8]) throws(Flaw) -> WarmStart {
        guard bytes.count <= maximumSize else { throw Flaw("longer than \(maximumSize) bytes") }
        let result = bytes.withUnsafeBytes { text in
            Result { () throws(JSONScanner.Problem) in try WarmStartScanner.warmStart(text) }
        }
        switch result {
        case .success(let start): return start
        case .failure(let problem): throw Flaw(problem.description)
        }
    }

    /// Appends one object; false, with nothing written, if a number is not finite.
    static func write(_ start: WarmStart, into json: inout JSONWriter) -> Bool {
        guard isFinite(start) else { return false }
        json.beginObject()
        json.member("version", plain(start.version))
        json.member("ageSeconds", start.ageSeconds, .exact)
        if let moment = start.moment { write(moment, &json) }
        write(start.sensors, &json)
        if let place = start.place { write(place, &json) }
        write("gyroBias", start.gyroBias, &json)
        write("accelerometerBias", start.accelerometerBias, &json)
        write("hardIron", start.hardIron, &json)
        json.member("fieldNorm", start.fieldNorm, .exact)
        write("stepScale", start.stepScale, &json)
        write("velocityDelay", start.velocityDelay, &json)
        json.member("compassConfirmationAge", start.compassConfirmationAge, .exact)
        json.endObject()
        return true
    }

    private static func write(_ moment: WarmStart.Moment, _ json: inout JSONWriter) {
        json.key("moment")
        json.beginObject()
        json.member("time", moment.bootTime.message)
        json.member("boot", plain(moment.boot))
        json.member("utcSeconds", moment.utcSeconds, .exact)
        json.endObject()
    }

    private static func write(_ sensors: WarmStart.Sensors, _ json: inout JSONWriter) {
        json.key("sensors")
        json.beginObject()
        json.member("gyroscope", sensors.gyroscope.map(plain))
        json.member("accelerometer", sensors.accelerometer.map(plain))
        json.member("magnetometer", sensors.magnetometer.map(plain))
        json.member("receiver", sensors.receiver.map(plain))
        json.endObject()
    }

    private static func write(_ place: WarmStart.Place, _ json: inout JSONWriter) {
        json.key("place")
        json.beginObject()
        json.member("latitude", place.position.latitudeDegrees, .exact)
        json.member("longitude", place.position.longitudeDegrees, .exact)
        json.member("height", place.position.ellipsoidalHeight, .exact)
        json.member("horizontalDeviation", place.horizontalStandardDeviation, .exact)
        json.member("ageSeconds", place.ageSeconds, .exact)
        json.endObject()
    }

    private static func write(
        _ name: StaticString, _ estimate: WarmStart.Estimate<Vector3>?, _ json: inout JSONWriter
    ) {
        guard let estimate else { return }
        json.key(name)
        json.beginObject()
        for (part, vector) in [("value" as StaticString, estimate.value), ("deviation", estimate.standardDeviation)] {
            json.key(part)
            json.beginObject()
            json.member("x", vector.x, .exact)
            json.member("y", vector.y, .exact)
            json.member("z", vector.z, .exact)
            json.endObject()
        }
        json.endObject()
    }

    private static func write(
        _ name: StaticString, _ estimate: WarmStart.Estimate<Double>?, _ json: inout JSONWriter
    ) {
        guard let estimate else { return }
        json.key(name)
        json.beginObject()
        json.member("value", estimate.value, .exact)
        json.member("deviation", estimate.standardDeviation, .exact)
        json.endObject()
    }

    /// Maximum length of a name. Unit: bytes.
    public static let maximumNameLength = 200

    /// Printable ASCII without quotes and backslashes, which needs no escapes and is read back unchanged.
    public static func plain(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(maximumNameLength).map { byte in
                (32..<127).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    ? byte : UInt8(ascii: "?")
            }, as: UTF8.self)
    }

    private static func isFinite(_ start: WarmStart) -> Bool {
        let vectors = [start.gyroBias, start.accelerometerBias, start.hardIron].compactMap { $0 }
        let scalars = [start.stepScale, start.velocityDelay].compactMap { $0 }
        var numbers: [Double] = [start.ageSeconds, start.fieldNorm ?? 0, start.moment?.utcSeconds ?? 0]
        numbers.append(start.compassConfirmationAge ?? 0)
        numbers += scalars.flatMap { [$0.value, $0.standardDeviation] }
        if let place = start.place {
            numbers += [
                place.position.latitudeDegrees, place.position.longitudeDegrees, place.position.ellipsoidalHeight,
                place.horizontalStandardDeviation, place.ageSeconds,
            ]
        }
        return numbers.allSatisfy(\.isFinite)
            && vectors.allSatisfy { $0.value.isFinite && $0.standardDeviation.isFinite }
    }
}
