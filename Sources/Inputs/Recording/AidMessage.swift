import Geometry
import JSON
import Messages
import Model

/// Writes the aid measurements of other programs as messages of a recording, with full-precision numbers.
enum AidMessage {
    /// Appends the measurement's members to the open object.
    static func write(_ aid: AidMeasurement, _ json: inout JSONWriter) {
        json.member("source", aid.source.text)
        json.member("time", aid.time.message)
        json.member("arrival", aid.arrival.message)
        switch aid.content {
        case .odometry(let pose): write(pose, &json)
        case .position(let offer):
            json.members(offer.position)
            json.member("hasHeight", offer.hasHeight)
            json.member("horizontalAccuracy", offer.horizontalAccuracy, .exact)
            json.member("verticalAccuracy", offer.verticalAccuracy, .exact)
        case .sighting(let sighting): write(sighting, &json)
        case .range(let range):
            json.members(range.beacon)
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
        json.member("position", pose.position)
        let rotation = pose.rotationOwnFromBody
        json.object("orientation") { json in
            json.members(Vector3(rotation.x, rotation.y, rotation.z))
            json.member("w", rotation.w, .exact)
        }
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
            // The height is written even if it is not used, so that a replay gets the same bits.
            json.members(position)
            json.member("hasHeight", hasHeight)
        }
        json.member("direction", sighting.directionInBody)
        json.member("standardDeviation", sighting.standardDeviation, .exact)
    }
}
