import Geometry
import JSON
import Messages
import Model

/// A warm start as JSON, with full-precision numbers. It is a file between two runs, or a message of a recording.
package enum WarmStartMessage {
    /// Maximum length that is read, far above the length of written warm starts. Unit: bytes.
    package static let maximumSize = 16 * 1024

    /// Encodes a warm start; nil if a number is not finite.
    package static func bytes(_ start: WarmStart) -> [UInt8]? {
        var json = JSONWriter(capacity: 2048)
        write(start, into: &json)
        return json.hasOmittedNumber ? nil : json.bytes
    }

    /// Appends one object. Numbers that are not finite are omitted, which `json` reports.
    static func write(_ start: WarmStart, into json: inout JSONWriter) {
        json.object { json in
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
        }
    }

    private static func write(_ moment: WarmStart.Moment, _ json: inout JSONWriter) {
        json.object("moment") { json in
            json.member("time", moment.bootTime.message)
            json.member("boot", plain(moment.boot))
            json.member("utcSeconds", moment.utcSeconds, .exact)
        }
    }

    private static func write(_ sensors: WarmStart.Sensors, _ json: inout JSONWriter) {
        json.object("sensors") { json in
            json.member("gyroscope", sensors.gyroscope.map(plain))
            json.member("accelerometer", sensors.accelerometer.map(plain))
            json.member("magnetometer", sensors.magnetometer.map(plain))
            json.member("receiver", sensors.receiver.map(plain))
        }
    }

    private static func write(_ place: WarmStart.Place, _ json: inout JSONWriter) {
        json.object("place") { json in
            json.members(place.position)
            json.member("horizontalDeviation", place.horizontalStandardDeviation, .exact)
            json.member("ageSeconds", place.ageSeconds, .exact)
        }
    }

    private static func write(
        _ name: StaticString, _ estimate: WarmStart.Estimate<Vector3>?, _ json: inout JSONWriter
    ) {
        guard let estimate else { return }
        json.object(name) { json in
            json.member("value", estimate.value)
            json.member("deviation", estimate.standardDeviation)
        }
    }

    private static func write(
        _ name: StaticString, _ estimate: WarmStart.Estimate<Double>?, _ json: inout JSONWriter
    ) {
        guard let estimate else { return }
        json.object(name) { json in
            json.member("value", estimate.value, .exact)
            json.member("deviation", estimate.standardDeviation, .exact)
        }
    }

    /// Maximum length of a name. Unit: bytes.
    package static let maximumNameLength = 200

    /// Keeps only printable ASCII without quotes and backslashes, which needs no escapes and is read back unchanged.
    package static func plain(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(maximumNameLength).map { byte in
                (32..<127).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    ? byte : UInt8(ascii: "?")
            }, as: UTF8.self)
    }
}

// MARK: - Reading

extension WarmStartMessage {
    package typealias Problem = JSONScanner.Problem

    /// Reads a warm start; skips unknown members.
    ///
    /// - Throws: if the text is not JSON, a member has a wrong type, or a part lacks a member.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> WarmStart {
        guard bytes.count <= maximumSize else { throw Problem("longer than \(maximumSize) bytes") }
        return try bytes.withUnsafeBufferPointer { bytes throws(Problem) in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            let start = try self.start(&scanner)
            try scanner.end()
            return start
        }
    }

    private static func start(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart {
        var start = WarmStart()
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "version": start.version = try self.text(&value)
            case "ageSeconds": start.ageSeconds = try value.double()
            case "moment": start.moment = try moment(&value)
            case "sensors": start.sensors = try sensors(&value)
            case "place": start.place = try place(&value)
            case "gyroBias": start.gyroBias = try vectors(&value)
            case "accelerometerBias": start.accelerometerBias = try vectors(&value)
            case "hardIron": start.hardIron = try vectors(&value)
            case "fieldNorm": start.fieldNorm = try value.double()
            case "stepScale": start.stepScale = try scalars(&value)
            case "velocityDelay": start.velocityDelay = try scalars(&value)
            case "compassConfirmationAge": start.compassConfirmationAge = try value.double()
            default: try value.skip()
            }
        }
        return start
    }

    private static func text(_ scanner: inout JSONScanner) throws(Problem) -> String {
        plain(String(decoding: try scanner.string(), as: UTF8.self))
    }

    private static func moment(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Moment {
        var (time, boot, utc): (BootTime?, String?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try MeasurementScanner.time(&value)
            case "boot": boot = try self.text(&value)
            case "utcSeconds": utc = try value.double()
            default: try value.skip()
            }
        }
        return WarmStart.Moment(
            bootTime: try time.need("time"), boot: try boot.need("boot"), utcSeconds: try utc.need("utcSeconds"))
    }

    private static func sensors(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Sensors {
        var sensors = WarmStart.Sensors()
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "gyroscope": sensors.gyroscope = try self.text(&value)
            case "accelerometer": sensors.accelerometer = try self.text(&value)
            case "magnetometer": sensors.magnetometer = try self.text(&value)
            case "receiver": sensors.receiver = try self.text(&value)
            default: try value.skip()
            }
        }
        return sensors
    }

    private static func place(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Place {
        let numbers = try NumberMembers(
            ["latitude", "longitude", "height", "horizontalDeviation", "ageSeconds"], of: &scanner)
        return WarmStart.Place(
            position: try numbers.position("place"),
            horizontalStandardDeviation: try numbers.need("horizontalDeviation"),
            ageSeconds: try numbers.need("ageSeconds"))
    }

    private static func vectors(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Estimate<Vector3> {
        try estimate(&scanner) { value throws(Problem) in try MeasurementScanner.vector(&value) }
    }

    private static func scalars(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Estimate<Double> {
        try estimate(&scanner) { value throws(Problem) in try value.double() }
    }

    private static func estimate<Value>(
        _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(Problem) -> Value
    ) throws(Problem) -> WarmStart.Estimate<Value> {
        var (value, standardDeviation): (Value?, Value?)
        try scanner.object { name, part throws(Problem) in
            switch name {
            case "value": value = try read(&part)
            case "deviation": standardDeviation = try read(&part)
            default: try part.skip()
            }
        }
        return WarmStart.Estimate(
            value: try value.need("value"), standardDeviation: try standardDeviation.need("deviation"))
    }
}
