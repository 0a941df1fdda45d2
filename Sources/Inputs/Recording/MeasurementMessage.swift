import Geometry
import JSON
import Messages
import Model

/// Measurements as JSON, with full-precision numbers.
package enum MeasurementMessage {
    /// Appends the measurement as one object; its numbers have to be finite.
    package static func write(_ measurement: Measurement, into json: inout JSONWriter) {
        json.object { json in
            switch measurement {
            case .angularRate(let sample): write(sample.time, sample.rate, &json)
            case .specificForce(let sample): write(sample.time, sample.force, &json)
            case .magneticField(let sample): write(sample.time, sample.field, &json)
            case .pressure(let sample):
                json.member("time", sample.time.message)
                json.member("hectopascal", sample.pressureHectopascal, .exact)
            case .fix(let fix): write(fix, &json)
            case .aid(let aid): AidMessage.write(aid, &json)
            case .calibration(let calibration): CalibrationEntry.write(calibration, &json)
            case .clock(let time): json.member("time", time.message)
            }
        }
    }

    private static func write(_ time: BootTime, _ vector: Vector3, _ json: inout JSONWriter) {
        json.member("time", time.message)
        json.members(vector)
    }

    private static func write(_ fix: GNSSFix, _ json: inout JSONWriter) {
        json.member("epoch", fix.epoch.message)
        json.member("arrival", fix.arrival.message)
        json.member("utcSeconds", fix.utcSeconds, .exact)
        json.members(fix.position)
        json.member("heightKind", word: fix.hasHeight ? "ellipsoidal" : "unknown")
        json.member("geoidSeparation", fix.geoidSeparation, .exact)
        json.member("velocityEast", fix.velocityENU.east, .exact)
        json.member("velocityNorth", fix.velocityENU.north, .exact)
        json.member("velocityUp", fix.velocityENU.up, .exact)
        json.member("sigmaEast", fix.positionSigma.east, .exact)
        json.member("sigmaNorth", fix.positionSigma.north, .exact)
        json.member("sigmaUp", fix.positionSigma.up, .exact)
        json.member("velocitySigma", fix.velocitySigma, .exact)
        json.member("antennaX", fix.antennaInBody.x, .exact)
        json.member("antennaY", fix.antennaInBody.y, .exact)
        json.member("antennaZ", fix.antennaInBody.z, .exact)
    }

    /// Whether every number of the measurement is finite, because JSON cannot represent others.
    static func isFinite(_ measurement: Measurement) -> Bool {
        switch measurement {
        case .angularRate(let sample): return sample.rate.isFinite
        case .specificForce(let sample): return sample.force.isFinite
        case .magneticField(let sample): return sample.field.isFinite
        case .pressure(let sample): return sample.pressureHectopascal.isFinite
        case .clock: return true
        case .fix, .aid, .calibration:
            // These kinds are rare, so a slower check is acceptable: writing them shows whether a number is omitted.
            var json = JSONWriter()
            write(measurement, into: &json)
            return !json.hasOmittedNumber
        }
    }
}

extension JSONWriter {
    /// Writes the members x, y and z.
    mutating func members(_ vector: Vector3) {
        member("x", vector.x, .exact)
        member("y", vector.y, .exact)
        member("z", vector.z, .exact)
    }

    /// Writes the members latitude, longitude and height.
    mutating func members(_ position: GeodeticPosition) {
        member("latitude", position.latitudeDegrees, .exact)
        member("longitude", position.longitudeDegrees, .exact)
        member("height", position.ellipsoidalHeight, .exact)
    }

    /// Writes a vector as an object of its own.
    mutating func member(_ name: StaticString, _ vector: Vector3) { object(name) { $0.members(vector) } }
}
