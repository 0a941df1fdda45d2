/// JSON Schemas of the messages.
extension Topic {
    /// Schema of an object.
    ///
    /// - Parameters:
    ///   - required: names separated by spaces.
    ///   - properties: JSON members, as written by the functions below.
    package static func object(_ description: String? = nil, required: String, _ properties: String) -> String {
        let names = required.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
        let about = description.map { "\"description\":\"\($0)\"," } ?? ""
        return "{\(about)\"type\":\"object\",\"required\":[\(names)],\"properties\":{\(properties)}}"
    }

    /// Numbers with these names.
    package static func number(_ names: String) -> String { each(names, "{\"type\":\"number\"}") }
    /// Integers with these names.
    package static func integer(_ names: String) -> String { each(names, "{\"type\":\"integer\"}") }
    /// Strings with these names.
    package static func text(_ names: String) -> String { each(names, "{\"type\":\"string\"}") }
    /// Arrays of strings with these names.
    package static func words(_ names: String) -> String {
        each(names, "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}")
    }
    /// Times with these names.
    package static func time(_ names: String) -> String {
        each(names, object(required: "sec nsec", integer("sec nsec")))
    }
    private static func geo(_ name: String) -> String {
        each(name, object(required: "latitude longitude height", number("latitude longitude height")))
    }
    /// Vectors with these names.
    static func vector(_ names: String) -> String { each(names, object(required: "x y z", number("x y z"))) }
    /// Quaternions with these names.
    static func quaternion(_ names: String) -> String {
        each(names, object(required: "x y z w", number("x y z w")))
    }

    /// Members with these names and the same schema.
    package static func each(_ names: String, _ schema: String) -> String {
        names.split(separator: " ").map { "\"\($0)\":\(schema)" }.joined(separator: ",")
    }

    static func vectorSchema(_ description: String) -> String {
        object(description, required: "time x y z", "\(time("time")),\(number("x y z"))")
    }

    static let fixSchema = object(
        "What a GNSS receiver says of one epoch: degrees, metres, m/s; sigmas are standard deviations per axis; the antenna in body axes.",
        required: "epoch arrival latitude longitude height heightKind",
        "\(time("epoch arrival")),\(text("heightKind")),"
            + number(
                "utcSeconds latitude longitude height velocityEast velocityNorth velocityUp sigmaEast sigmaNorth sigmaUp "
                    + "velocitySigma antennaX antennaY antennaZ geoidSeparation"))

    static let poseSchema = object(
        "The type Pose of the Varlink interface org.waymark.Pose.",
        required: "sequence time frame generation position orientation linearVelocity angularVelocity tracking "
            + "headingReference accuracy state reasons sources",
        [
            integer("sequence generation"), time("time"), text("utc frame headingReference state"),
            vector("position linearVelocity angularVelocity"),
            each("orientation", object(required: "x y z w", number("x y z w"))),
            each("tracking", object(required: "orientation position", text("orientation position"))), geo("geo"),
            number("heading course speed"), words("reasons sources"),
            each(
                "motion", object(required: "mode probability", text("mode") + "," + number("probability"))),
            each(
                "accuracy",
                object(
                    required: "",
                    number(
                        "horizontalAccuracy verticalAccuracy orientationYawAccuracy horizontalVelocityAccuracy "
                            + "verticalVelocityAccuracy angularVelocityAccuracy"))),
        ].joined(separator: ","))

    static let warmStartSchema = object(
        "What the estimator knew from before, to be given to it before the next measurement: values with standard deviations in rad/s, m/s², microtesla, metres and seconds, body axes.",
        required: "version ageSeconds sensors",
        [
            text("version"), number("ageSeconds fieldNorm compassConfirmationAge"),
            each(
                "moment",
                object(required: "time boot utcSeconds", time("time") + "," + text("boot") + "," + number("utcSeconds"))
            ),
            each("sensors", object(required: "", text("gyroscope accelerometer magnetometer receiver"))),
            each(
                "place",
                object(
                    required: "latitude longitude height horizontalDeviation ageSeconds",
                    number("latitude longitude height horizontalDeviation ageSeconds"))),
            each(
                "gyroBias accelerometerBias hardIron",
                object(required: "value deviation", vector("value deviation"))),
            each(
                "stepScale velocityDelay",
                object(required: "value deviation", number("value deviation"))),
        ].joined(separator: ","))

    static let calibrationSchema = object(
        "How the values of a sensor are put right from here on: correction times (measured less bias), in rad/s, m/s², microtesla, body axes; the correction of the sensor called mount is a rotation that all sensors share.",
        required: "time sensor correction bias",
        [
            time("time"), text("sensor"), vector("bias biasDeviation"),
            each("correction", object(required: "x y z", vector("x y z"))),
        ].joined(separator: ","))

    static let planSchema = object(
        "A floor plan that is used further on: its document as GeoJSON, by which its levels are drawn.",
        required: "time id name document",
        [time("time"), text("id name"), each("document", "{\"type\":\"object\"}")].joined(separator: ","))

    static let plansInUseSchema = object(
        "Floor plans that the estimator uses from here on, by their ids, nearest first.", required: "time plans",
        [time("time"), words("plans")].joined(separator: ","))

    static let estimatorStateSchema = object(
        "Everything the estimator was at this point, for a replay by the same version: words of 64 bits, little-endian, by base64; layout is a hash of their meaning.",
        required: "version layout time state",
        [text("version layout state"), time("time"), integer("utcOffset")].joined(separator: ","))

    static let frameSchema = object(
        "The type Frame of the Varlink interface org.waymark.Pose.",
        required: "sequence time generation published target",
        [
            integer("sequence generation"), time("time slewEnd"), geo("origin"), words("causes"), text("mainCause"),
            number("horizontalAccuracy orientationYawAccuracy"),
            each("published target before", object(required: "yaw east north up", number("yaw east north up"))),
        ].joined(separator: ","))

    static let samplesSchema = object(
        "Samples of the fast sensors in the order in which the estimator took them: one letter each in order, g angularRate (rad/s), a specificForce (m/s²), m magneticField (microtesla), b pressure, c the passing of time; body axes. step: nanoseconds since the sample before of the same sensor, that of its first since time.",
        required: "time order",
        [
            time("time"), text("order"), columns("angularRate specificForce magneticField", "x y z"),
            columns("pressure", "hectopascal"), columns("clock", ""),
        ].joined(separator: ","))

    private static func columns(_ names: String, _ values: String) -> String {
        let numbers = each(values, "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}")
        let steps = each("step", "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}")
        return each(names, object(required: "step \(values)", numbers.isEmpty ? steps : "\(steps),\(numbers)"))
    }
}
