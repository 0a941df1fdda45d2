/// JSON Schemas of aid measurements by other programs; `time` is the time of validity, `arrival` the time of arrival.
extension Topic {
    static let aidOdometrySchema = aidSchema(
        "Pose of the board by a camera's odometry: the inertial sensor's position in the camera's own frame, y up, metres, and the rotation to that frame from body axes. reset changes when the own frame does; tracking: 1 is normal, 0 lost.",
        required: "position orientation reset tracking",
        [vector("position"), quaternion("orientation"), integer("reset"), number("tracking")])

    static let aidPositionSchema = aidSchema(
        "Position of the board by another system than satellites: degrees, metres above the ellipsoid, which count with hasHeight alone; the horizontal accuracy is the radius of 68 %, the vertical one a standard deviation, metres.",
        required: "latitude longitude height hasHeight horizontalAccuracy verticalAccuracy",
        [place, number("horizontalAccuracy verticalAccuracy")])

    static let aidSightingSchema = aidSchema(
        "Direction of length 1, body axes, in which the sun or a point is seen, with its standard deviation per axis, radians. target: sun, at utcSeconds since 1970 where that is known, or point: degrees, metres above the ellipsoid, which count with hasHeight alone.",
        required: "target direction standardDeviation",
        [text("target"), vector("direction"), number("standardDeviation utcSeconds"), place])

    static let aidRangeSchema = aidSchema(
        "Distance to a beacon at a known place, with its standard deviation: degrees, metres, height above the ellipsoid.",
        required: "latitude longitude height range standardDeviation",
        [number("latitude longitude height range standardDeviation")])

    static let aidHeadingSchema = aidSchema(
        "Azimuth over ground of the body's -z axis, clockwise from true north, with its standard deviation, radians.",
        required: "azimuth standardDeviation", [number("azimuth standardDeviation")])

    static let aidHeightSchema = aidSchema(
        "Height of the board above the ellipsoid with its standard deviation, metres.",
        required: "height standardDeviation", [number("height standardDeviation")])

    private static let place = number("latitude longitude height") + "," + each("hasHeight", "{\"type\":\"boolean\"}")

    private static func aidSchema(_ description: String, required: String, _ properties: [String]) -> String {
        object(
            description, required: "source time arrival " + required,
            ([text("source"), time("time arrival")] + properties).joined(separator: ","))
    }
}
