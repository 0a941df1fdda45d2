import Calibration
import Documents
import Geometry
import JSON

/// `Entry` of `org.waymark.Calibration`: what is kept of one sensor of one device.
public struct CalibrationEntryMessage: Sendable {
    public var sensor: CalibratedSensor
    public var device: CalibratedDevice
    public var record: CalibrationRecord
    public var isInForce: Bool
    /// Why it is not.
    public var detail: String?
    public var history: Int
    /// Unit: seconds.
    public var age: Double

    public init(
        sensor: CalibratedSensor, device: CalibratedDevice, record: CalibrationRecord, isInForce: Bool, detail: String?,
        history: Int, age: Double
    ) {
        self.sensor = sensor
        self.device = device
        self.record = record
        self.isInForce = isInForce
        self.detail = detail
        self.history = history
        self.age = age
    }

    private static let degrees = 180 / Double.pi

    public func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("sensor", sensor.rawValue)
        json.member("device", device.name)
        json.member("identity", device.identity)
        json.member("inForce", isInForce)
        json.member("detail", detail)
        json.member("time", record.time, .exact)
        json.member("age", age, .fixed(1))
        json.member("origin", record.origin.rawValue)
        json.member("kind", record.kind.rawValue)
        json.member("version", record.version)
        if let fit = record.fit { json.write(fit) }
        writeResiduals(into: &json)
        json.member("poses", record.poses.map { Int64($0) })
        json.member("coverage", record.coverage, .fixed(2))
        json.key("noise")
        json.beginArray()
        for (name, axis) in zip(Self.axes, record.noise) { write(axis, name, into: &json) }
        json.endArray()
        json.member("temperature", record.temperature, .fixed(2))
        json.member("samples", Int64(record.samples))
        if let mount = record.mountMatrix, mount.allSatisfy(\.isFinite) {
            json.key("mountMatrix")
            json.beginArray()
            for element in mount { json.value(element, .exact) }
            json.endArray()
        }
        json.member("history", Int64(history))
        json.endObject()
    }

    /// As the message of a result has them.
    private func writeResiduals(into json: inout JSONWriter) {
        let isAngle = record.residualUnit == "rad"
        json.member("residualRMS", record.residualRMS.map { isAngle ? $0 * Self.degrees : $0 }, .exact)
        if !record.residualUnit.isEmpty { json.member("residualUnit", isAngle ? "deg" : record.residualUnit) }
        json.member("predictedHeadingError", record.predictedHeadingError.map { $0 * Self.degrees }, .exact)
        json.member("predictedTiltError", record.predictedTiltError.map { $0 * Self.degrees }, .exact)
    }

    private static let axes: [StaticString] = ["gx", "gy", "gz", "ax", "ay", "az"]

    private func write(_ axis: AxisNoise, _ name: StaticString, into json: inout JSONWriter) {
        json.beginObject()
        json.member("axis", word: name)
        let isRate = name.utf8Start[0] == UInt8(ascii: "g")
        json.member("unit", record.isOfCounts ? "1" : isRate ? "rad/s" : "m/s²")
        json.write(axis)
        json.key("curve")
        json.beginArray()
        for point in axis.curve where point.isFinite {
            json.beginObject()
            json.member("tau", point.tau, .exact)
            json.member("deviation", point.deviation, .exact)
            json.member("uncertainty", point.uncertainty, .fixed(4))
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
