import Calibration
import Geometry
import JSON

/// Writer of a calibration document as JSON. Numbers are written with full precision. A value that contains a number
/// that is not finite is left out.
extension CalibrationDocument {
    /// Document in UTF-8, readable by ``read(_:)``.
    public var bytes: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("format", Self.format)
            json.member("version", Int64(Self.version))
            json.array("devices", devices) { $1.value($0) }
        }
        json.text.append(UInt8(ascii: "\n"))
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ calibration: DeviceCalibration) {
        object { json in
            if let device = calibration.device {
                json.object("device") { json in
                    json.member("name", device.name)
                    json.member("label", device.label)
                    json.member("serial", device.serial)
                    json.member("location", device.location)
                }
            }
            json.array("sensors", calibration.sensors) { records, json in
                json.object { json in
                    json.member("sensor", records.sensor.rawValue)
                    json.object("present") { $0.members(records.present) }
                    json.array("history", records.history) { record, json in json.object { $0.members(record) } }
                }
            }
        }
    }

    private mutating func members(_ record: CalibrationRecord) {
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
        if !record.noise.isEmpty { array("noise", record.noise) { $1.value($0) } }
        member("temperature", record.temperature, .exact)
        member("samples", Int64(record.samples))
        member("seconds", record.seconds, .exact)
        // Rotations, row by row.
        member("mountMatrix", record.mountMatrix, .exact)
        if record.mountMatrix != nil { member("sign", Int64(record.sign)) }
        member("turn", record.turn, .exact)
        member("accelerometerMount", record.accelerometerMount, .exact)
    }

    /// Writes the members `parameters` and `standardDeviations`.
    package mutating func write(_ fit: SensorFit) {
        guard fit.isFinite else { return }
        write("parameters", fit.bias, fit.correction)
        write("standardDeviations", fit.biasStandardDeviation, fit.correctionStandardDeviation)
    }

    private mutating func write(_ name: StaticString, _ bias: Vector3, _ matrix: Matrix<3, 3>) {
        object(name) { json in
            json.member("bias", [bias.x, bias.y, bias.z], .exact)
            json.member("matrix", rows: (0..<3).map { i in (0..<3).map { matrix[i, $0] } }, .exact)
        }
    }

    private mutating func value(_ axis: AxisNoise) {
        object { json in
            json.write(axis)
            json.array("curve", axis.curve.filter(\.isFinite)) { point, json in
                json.value([point.tau, point.deviation, point.uncertainty], .exact)
            }
        }
    }

    /// Writes the members that describe the noise, except its curve.
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
