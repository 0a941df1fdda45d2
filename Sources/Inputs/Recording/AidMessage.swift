import Geometry
import JSON
import Messages
import Model

/// Aid measurement of another program as a message of a recording, with full-precision numbers.
enum AidMessage {
    /// Appends the members.
    static func write(_ aid: AidMeasurement, _ json: inout JSONWriter) {
        json.member("source", aid.source.text)
        json.member("time", aid.time.message)
        json.member("arrival", aid.arrival.message)
        switch aid.content {
        case .odometry(let pose): write(pose, &json)
        case .position(let offer):
            write(offer.position, hasHeight: offer.hasHeight, &json)
            json.member("horizontalAccuracy", offer.horizontalAccuracy, .exact)
            json.member("verticalAccuracy", offer.verticalAccuracy, .exact)
        case .sighting(let sighting): write(sighting, &json)
        case .range(let range):
            write(range.beacon, hasHeight: nil, &json)
            json.member("range", range.range, .exact)
            json.member("standardDeviation", range.standardDeviation, .exact)
        case .heading(let heading):
            json.member("azimuth", heading.azimuth, .exact)
            json.member("standardDeviation", heading.standardDeviation, .exact)
        case .height(let offer):
            json.member("height", offer.height, .exact)
            json.member("standardDeviation", offer.standardDeviation, .exact)
        }
    }

    private static func write(_ pose: OdometryPose, _ json: inout JSONWriter) {
        MeasurementMessage.write("position", pose.position, &json)
        let rotation = pose.rotationOwnFromBody
        json.key("orientation")
        json.beginObject()
        json.member("x", rotation.x, .exact)
        json.member("y", rotation.y, .exact)
        json.member("z", rotation.z, .exact)
        json.member("w", rotation.w, .exact)
        json.endObject()
        json.member("reset", Int64(pose.reset))
        json.member("tracking", pose.tracking, .exact)
    }

    private static func write(_ sighting: Sighting, _ json: inout JSONWriter) {
        switch sighting.target {
        case .sun(let utcSeconds):
            json.member("target", word: "sun")
            json.member("utcSeconds", utcSeconds, .exact)
        case .point(let position, let hasHeight):
            json.member("target", word: "point")
            write(position, hasHeight: hasHeight, &json)
        }
        MeasurementMessage.write("direction", sighting.directionInBody, &json)
        json.member("standardDeviation", sighting.standardDeviation, .exact)
    }

    /// The height is written even if it is not used, so that a replay gets the same bits.
    private static func write(_ position: GeodeticPosition, hasHeight: Bool?, _ json: inout JSONWriter) {
        json.member("latitude", position.latitudeDegrees, .exact)
        json.member("longitude", position.longitudeDegrees, .exact)
        json.member("height", position.ellipsoidalHeight, .exact)
        json.member("hasHeight", hasHeight)
    }

    static func isFinite(_ aid: AidMeasurement) -> Bool {
        switch aid.content {
        case .odometry(let pose): pose.position.isFinite && pose.tracking.isFinite
        case .position(let offer):
            isFinite(offer.position) && offer.horizontalAccuracy.isFinite && offer.verticalAccuracy.isFinite
        case .sighting(let sighting):
            isFinite(sighting.target) && sighting.directionInBody.isFinite && sighting.standardDeviation.isFinite
        case .range(let range):
            isFinite(range.beacon) && range.range.isFinite && range.standardDeviation.isFinite
        case .heading(let heading): heading.azimuth.isFinite && heading.standardDeviation.isFinite
        case .height(let offer): offer.height.isFinite && offer.standardDeviation.isFinite
        }
    }

    private static func isFinite(_ target: Sighting.Target) -> Bool {
        switch target {
        case .sun(let utcSeconds): (utcSeconds ?? 0).isFinite
        case .point(let position, _): isFinite(position)
        }
    }

    private static func isFinite(_ position: GeodeticPosition) -> Bool {
        Vector3(position.latitudeDegrees, position.longitudeDegrees, position.ellipsoidalHeight).isFinite
    }
}
