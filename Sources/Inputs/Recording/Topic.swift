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

    /// Topics of recordings. Single samples and clock ticks are in blocks there; only exports and other programs' files
    /// have topics for them.
    static let written = allCases.filter {
        ![.angularRate, .specificForce, .magneticField, .pressure, .clock].contains($0)
    }

    /// Name in a file and for live connections.
    package var name: String { names.topic }

    /// Name of the schema, by which other programs recognize its messages.
    package var schemaName: String { names.type.map { "org.waymark.\($0)" } ?? form?.name ?? "" }

    /// Name of the topic, and name of the messages' type; nil for a third-party type.
    private var names: (topic: String, type: String?) {
        switch self {
        case .angularRate: ("/imu/angular_rate", "AngularRate")
        case .specificForce: ("/imu/specific_force", "SpecificForce")
        case .magneticField: ("/magnetic_field", "MagneticField")
        case .pressure: ("/pressure", "Pressure")
        case .fix: ("/gnss/fix", "Fix")
        case .clock: ("/clock", "Clock")
        case .pose: ("/pose", "Pose")
        case .frame: ("/frame", "Frame")
        case .warmStart: ("/warm_start", "WarmStart")
        case .calibration: ("/calibration", "SensorCalibration")
        case .samples: ("/samples", "Samples")
        case .location: ("/location", nil)
        case .receiverLocation: ("/gnss/location", nil)
        case .transform: ("/tf", nil)
        case .scenePose: ("/scene/pose", nil)
        case .map: ("/map/places", nil)
        case .route: ("/map/route", nil)
        case .log: ("/log", nil)
        case .estimatorState: ("/estimator_state", "EstimatorState")
        case .aidOdometry: ("/aid/odometry", "AidOdometry")
        case .aidPosition: ("/aid/position", "AidPosition")
        case .aidSighting: ("/aid/sighting", "AidSighting")
        case .aidRange: ("/aid/range", "AidRange")
        case .aidHeading: ("/aid/heading", "AidHeading")
        case .aidHeight: ("/aid/height", "AidHeight")
        case .plan: ("/plan", "FloorPlan")
        case .plansInUse: ("/plans_in_use", "PlansInUse")
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

    /// Third-party schema of the messages; nil for Waymark's own messages, which are always JSON.
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
