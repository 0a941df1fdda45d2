import Calibration
import Geometry
import JSON

/// Writer of a calibration document as JSON. Numbers are written to the last bit; a number that is not finite is left
/// out, together with the value that it belongs to.
extension CalibrationDocument {
    /// Document in UTF-8, readable by ``read(_:)``.
    public var bytes: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.member("format", Self.format)
        json.member("version", Int64(Self.version))
        json.key("devices")
        json.beginArray()
        for device in devices { json.value(device) }
        json.endArray()
        json.endObject()
        json.text.append(UInt8(ascii: "\n"))
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ calibration: DeviceCalibration) {
        beginObject()
        if let device = calibration.device {
            key("device")
            beginObject()
            member("name", device.name)
            member("label", device.label)
            member("serial", device.serial)
            member("location", device.location)
            endObject()
        }
        key("sensors")
        beginArray()
        for records in calibration.sensors {
            beginObject()
            member("sensor", records.sensor.rawValue)
            key("present")
            value(records.present)
            key("history")
            beginArray()
            for record in records.history { value(record) }
            endArray()
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func value(_ record: CalibrationRecord) {
        beginObject()
        member("time", record.time, .exact)
        member("origin", record.origin.rawValue)
        member("kind", record.kind.rawValue)
        if !record.method.isEmpty { member("method", record.method) }
        member("waymark", record.version)
        if let fit = record.fit { write(fit) }
        if record.isOfCounts { member("ofCounts", true) }
        member("residualRMS", record.residualRMS, .exact)
        member("residualRMSBefore", record.residualRMSBefore, .exact)
        if !record.residualUnit.isEmpty { member("residualUnit", record.residualUnit) }
        member("headingErrorRadians", record.predictedHeadingError, .exact)
        member("tiltErrorRadians", record.predictedTiltError, .exact)
        member("poses", record.poses.map(Int64.init))
        member("coverage", record.coverage, .exact)
        if !record.noise.isEmpty {
            key("noise")
            beginArray()
            for axis in record.noise { value(axis) }
            endArray()
        }
        member("temperature", record.temperature, .exact)
        member("samples", Int64(record.samples))
        member("seconds", record.seconds, .exact)
        rotation("mountMatrix", record.mountMatrix)
        if record.mountMatrix != nil { member("sign", Int64(record.sign)) }
        rotation("turn", record.turn)
        rotation("accelerometerMount", record.accelerometerMount)
        endObject()
    }

    /// A rotation, row by row.
    private mutating func rotation(_ name: String, _ elements: [Double]?) {
        guard let elements, elements.allSatisfy(\.isFinite) else { return }
        key(text: name)
        beginArray()
        for element in elements { value(element, .exact) }
        endArray()
    }

    /// The members `parameters` and `standardDeviations`.
    package mutating func write(_ fit: SensorFit) {
        guard fit.isFinite else { return }
        key("parameters")
        write(fit.bias, fit.correction)
        key("standardDeviations")
        write(fit.biasStandardDeviation, fit.correctionStandardDeviation)
    }

    private mutating func write(_ bias: Vector3, _ matrix: Matrix<3, 3>) {
        beginObject()
        key("bias")
        row(bias.x, bias.y, bias.z)
        key("matrix")
        beginArray()
        for i in 0..<3 { row(matrix[i, 0], matrix[i, 1], matrix[i, 2]) }
        endArray()
        endObject()
    }

    private mutating func row(_ x: Double, _ y: Double, _ z: Double) {
        beginArray()
        value(x, .exact)
        value(y, .exact)
        value(z, .exact)
        endArray()
    }

    private mutating func value(_ axis: AxisNoise) {
        beginObject()
        write(axis)
        key("curve")
        beginArray()
        for point in axis.curve where point.isFinite { row(point.tau, point.deviation, point.uncertainty) }
        endArray()
        endObject()
    }

    /// The members that describe the noise, except its curve.
    package mutating func write(_ axis: AxisNoise) {
        member("randomWalk", axis.randomWalk, .exact)
        member("biasInstability", axis.biasInstability, .exact)
        member("rateRandomWalk", axis.rateRandomWalk, .exact)
    }
}

extension AllanPoint {
    package var isFinite: Bool { tau.isFinite && deviation.isFinite && uncertainty.isFinite }
}

extension SensorFit {
    package var isFinite: Bool {
        bias.isFinite && biasStandardDeviation.isFinite
            && (0..<3).allSatisfy { i in
                (0..<3).allSatisfy { correction[i, $0].isFinite && correctionStandardDeviation[i, $0].isFinite }
            }
    }
}
