import Model

/// Kinds of content of a recording, each in its own channel.
package enum Topic: Int, CaseIterable, Sendable {
    case angularRate, specificForce, magneticField, pressure, fix, clock, pose, frame, warmStart, calibration, samples
    // Topics with schemas that Foxglove and other tools know; a replay does not use their messages.
    case location, receiverLocation, transform, scenePose, map, log
    case estimatorState
    case route
    case aidOdometry, aidPosition, aidSighting, aidRange, aidHeading, aidHeight
    case plan, plansInUse

    /// Topics of written files. Samples as single messages are never written, only read from other files.
    static let written = allCases.filter {
        ![.angularRate, .specificForce, .magneticField, .pressure, .clock].contains($0)
    }

    /// Name in a file and for live connections.
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
        case .samples: "/samples"
        case .location: "/location"
        case .receiverLocation: "/gnss/location"
        case .transform: "/tf"
        case .scenePose: "/scene/pose"
        case .map: "/map/places"
        case .route: "/map/route"
        case .log: "/log"
        case .estimatorState: "/estimator_state"
        case .aidOdometry: "/aid/odometry"
        case .aidPosition: "/aid/position"
        case .aidSighting: "/aid/sighting"
        case .aidRange: "/aid/range"
        case .aidHeading: "/aid/heading"
        case .aidHeight: "/aid/height"
        case .plan: "/plan"
        case .plansInUse: "/plans_in_use"
        }
    }

    init?(name: String) {
        guard let topic = Topic.allCases.first(where: { $0.name == name }) else { return nil }
        self = topic
    }

    /// Topic of a measurement as a single message.
    package init(_ measurement: Measurement) {
        switch measurement {
        case .angularRate: self = .angularRate
        case .specificForce: self = .specificForce
        case .magneticField: self = .magneticField
        case .pressure: self = .pressure
        case .fix: self = .fix
        case .aid(let aid): self = Topic(aid.content)
        case .clock: self = .clock
        case .calibration: self = .calibration
        }
    }

    private init(_ content: AidMeasurement.Content) {
        switch content {
        case .odometry: self = .aidOdometry
        case .position: self = .aidPosition
        case .sighting: self = .aidSighting
        case .range: self = .aidRange
        case .heading: self = .aidHeading
        case .height: self = .aidHeight
        }
    }

    /// Schema of the messages that other programs know; nil for Waymark's own, which are always JSON.
    package var form: MessageSchema? {
        switch self {
        case .location, .receiverLocation: .locationFix
        case .transform: .frameTransform
        case .scenePose: .poseInFrame
        case .map, .route: .geoJSON
        case .log: .log
        default: nil
        }
    }

    /// Name of the schema, by which other programs recognize its messages.
    package var schemaName: String {
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
        case .samples: "org.waymark.Samples"
        case .location, .receiverLocation, .transform, .scenePose, .map, .route, .log: form?.name ?? ""
        case .estimatorState: "org.waymark.EstimatorState"
        case .aidOdometry: "org.waymark.AidOdometry"
        case .aidPosition: "org.waymark.AidPosition"
        case .aidSighting: "org.waymark.AidSighting"
        case .aidRange: "org.waymark.AidRange"
        case .aidHeading: "org.waymark.AidHeading"
        case .aidHeight: "org.waymark.AidHeight"
        case .plan: "org.waymark.FloorPlan"
        case .plansInUse: "org.waymark.PlansInUse"
        }
    }

    /// JSON Schema of the messages; an optional member is absent while it is unknown.
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
        case .samples: Topic.samplesSchema
        case .location, .receiverLocation, .transform, .scenePose, .map, .route, .log: form?.jsonSchema ?? ""
        case .estimatorState: Topic.estimatorStateSchema
        case .aidOdometry: Topic.aidOdometrySchema
        case .aidPosition: Topic.aidPositionSchema
        case .aidSighting: Topic.aidSightingSchema
        case .aidRange: Topic.aidRangeSchema
        case .aidHeading: Topic.aidHeadingSchema
        case .aidHeight: Topic.aidHeightSchema
        case .plan: Topic.planSchema
        case .plansInUse: Topic.plansInUseSchema
        }
    }
}
