import Geometry
import JSON
import Messages
import Model

/// Measurements as JSON, with full-precision numbers.
package enum MeasurementMessage {
    /// Appends the measurement as one object; its numbers have to be finite.
    package static func write(_ measurement: Measurement, into json: inout JSONWriter) {
        json.beginObject()
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
        json.endObject()
    }

    private static func write(_ time: BootTime, _ vector: Vector3, _ json: inout JSONWriter) {
        json.member("time", time.message)
        json.member("x", vector.x, .exact)
        json.member("y", vector.y, .exact)
        json.member("z", vector.z, .exact)
    }

    /// Appends a vector as an object of its own.
    static func write(_ name: StaticString, _ vector: Vector3, _ json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.member("x", vector.x, .exact)
        json.member("y", vector.y, .exact)
        json.member("z", vector.z, .exact)
        json.endObject()
    }

    private static func write(_ fix: GNSSFix, _ json: inout JSONWriter) {
        json.member("epoch", fix.epoch.message)
        json.member("arrival", fix.arrival.message)
        json.member("utcSeconds", fix.utcSeconds, .exact)
        json.member("latitude", fix.position.latitudeDegrees, .exact)
        json.member("longitude", fix.position.longitudeDegrees, .exact)
        json.member("height", fix.position.ellipsoidalHeight, .exact)
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

    /// Whether every number of the measurement is finite: JSON cannot represent others.
    package static func isFinite(_ measurement: Measurement) -> Bool {
        switch measurement {
        case .angularRate(let sample): sample.rate.isFinite
        case .specificForce(let sample): sample.force.isFinite
        case .magneticField(let sample): sample.field.isFinite
        case .pressure(let sample): sample.pressureHectopascal.isFinite
        case .fix(let fix): isFinite(fix)
        case .aid(let aid): AidMessage.isFinite(aid)
        case .calibration(let calibration): CalibrationEntry.isFinite(calibration)
        case .clock: true
        }
    }

    private static func isFinite(_ fix: GNSSFix) -> Bool {
        let position = fix.position
        let known = Vector3(position.latitudeDegrees, position.longitudeDegrees, position.ellipsoidalHeight)
        let velocity = Vector3(fix.velocityENU.east ?? 0, fix.velocityENU.north ?? 0, fix.velocityENU.up ?? 0)
        let sigma = Vector3(fix.positionSigma.east ?? 0, fix.positionSigma.north ?? 0, fix.positionSigma.up ?? 0)
        return known.isFinite && fix.antennaInBody.isFinite && velocity.isFinite && sigma.isFinite
            && (fix.velocitySigma ?? 0).isFinite && (fix.geoidSeparation ?? 0).isFinite
            && (fix.utcSeconds ?? 0).isFinite
    }
}
