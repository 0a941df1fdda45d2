import Model

/// Kinds of content of a recording, each in a channel of its own.
package enum Topic: Int, CaseIterable, Sendable {
    case angularRate, specificForce, magneticField, pressure, fix, clock, pose, frame, warmStart, calibration

    package var name: String {
        switch self {
        case .angularRate: "/imu/angular_rate"
        case .specificForce: "/imu/specific_force"
        case .magneticField: "/magnetic_field"
        case .pressure: "/pressure"
        case .fix: "/gnss/fix"
        case .clock: "/clock"
        case .pose: "/pose"
        case .frame: "/frame"
        case .warmStart: "/warm_start"
        case .calibration: "/calibration"
        }
    }

    init?(name: String) {
        guard let topic = Topic.allCases.first(where: { $0.name == name }) else { return nil }
        self = topic
    }

    package init(_ measurement: Measurement) {
        switch measurement {
        case .angularRate: self = .angularRate
        case .specificForce: self = .specificForce
        case .magneticField: self = .magneticField
        case .pressure: self = .pressure
        case .fix: self = .fix
        case .clock: self = .clock
        case .calibration: self = .calibration
        }
    }

    var schemaName: String {
        switch self {
        case .angularRate: "org.waymark.AngularRate"
        case .specificForce: "org.waymark.SpecificForce"
        case .magneticField: "org.waymark.MagneticField"
        case .pressure: "org.waymark.Pressure"
        case .fix: "org.waymark.Fix"
        case .clock: "org.waymark.Clock"
        case .pose: "org.waymark.Pose"
        case .frame: "org.waymark.Frame"
        case .warmStart: "org.waymark.WarmStart"
        case .calibration: "org.waymark.SensorCalibration"
        }
    }

    /// JSON Schema of the messages; a member that is not required is absent when it is not known.
    package var schema: String {
        switch self {
        case .angularRate: Topic.vectorSchema("Angular rate of the body against inertial space, body axes, rad/s.")
        case .specificForce: Topic.vectorSchema("Specific force, body axes, m/s², +g along up at rest.")
        case .magneticField: Topic.vectorSchema("Magnetic flux density, body axes, microtesla.")
        case .pressure:
            Topic.object(
                "Air pressure.", required: "time hectopascal", "\(Topic.time("time")),\(Topic.number("hectopascal"))")
        case .clock: Topic.object("Nothing but the passing of time.", required: "time", Topic.time("time"))
        case .fix: Topic.fixSchema
        case .pose: Topic.poseSchema
        case .frame: Topic.frameSchema
        case .warmStart: Topic.warmStartSchema
        case .calibration: Topic.calibrationSchema
        }
    }

    private static func object(_ description: String? = nil, required: String, _ properties: String) -> String {
        let names = required.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
        let about = description.map { "\"description\":\"\($0)\"," } ?? ""
        return "{\(about)\"type\":\"object\",\"required\":[\(names)],\"properties\":{\(properties)}}"
    }

    private static func number(_ names: String) -> String { each(names, "{\"type\":\"number\"}") }
    private static func integer(_ names: String) -> String { each(names, "{\"type\":\"integer\"}") }
    private static func text(_ names: String) -> String { each(names, "{\"type\":\"string\"}") }
    private static func words(_ names: String) -> String {
        each(names, "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}")
    }
    /// Time of CLOCK_BOOTTIME.
    private static func time(_ names: String) -> String {
        each(names, object(required: "sec nsec", integer("sec nsec")))
    }
    private static func geo(_ name: String) -> String {
        each(name, object(required: "latitude longitude height", number("latitude longitude height")))
    }
    private static func vector(_ names: String) -> String { each(names, object(required: "x y z", number("x y z"))) }

    private static func each(_ names: String, _ schema: String) -> String {
        names.split(separator: " ").map { "\"\($0)\":\(schema)" }.joined(separator: ",")
    }

    private static func vectorSchema(_ description: String) -> String {
        object(description, required: "time x y z", "\(time("time")),\(number("x y z"))")
    }

    private static let fixSchema = object(
        "What a GNSS receiver says of one epoch: degrees, metres, m/s; sigmas are standard deviations per axis; the antenna in body axes.",
        required: "epoch arrival latitude longitude height heightKind",
        "\(time("epoch arrival")),\(text("heightKind")),"
            + number(
                "utcSeconds latitude longitude height velocityEast velocityNorth velocityUp sigmaEast sigmaNorth sigmaUp "
                    + "velocitySigma antennaX antennaY antennaZ geoidSeparation"))

    private static let poseSchema = object(
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

    private static let warmStartSchema = object(
        "What the estimator knew from before, to be given to it before the next measurement: values with standard deviations in rad/s, m/s², microtesla, metres and seconds, body axes.",
        required: "version ageSeconds sensors",
        [
            text("version"), number("ageSeconds fieldNorm"),
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

    private static let calibrationSchema = object(
        "How the values of a sensor are put right from here on: correction times (measured less bias), in rad/s, m/s², microtesla, body axes; the correction of the sensor called mount is a rotation that all sensors share.",
        required: "time sensor correction bias",
        [
            time("time"), text("sensor"), vector("bias biasDeviation"),
            each("correction", object(required: "x y z", vector("x y z"))),
        ].joined(separator: ","))

    private static let frameSchema = object(
        "The type Frame of the Varlink interface org.waymark.Pose.",
        required: "sequence time generation published target",
        [
            integer("sequence generation"), time("time slewEnd"), geo("origin"), words("causes"), text("mainCause"),
            number("horizontalAccuracy orientationYawAccuracy"),
            each("published target before", object(required: "yaw east north up", number("yaw east north up"))),
        ].joined(separator: ","))
}
