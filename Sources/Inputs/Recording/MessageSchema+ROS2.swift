/// Messages of ROS 2. Names, types and order of the fields: the packages builtin_interfaces, std_msgs, geometry_msgs,
/// sensor_msgs, nav_msgs and tf2_msgs, unchanged since Humble.
extension MessageSchema {
    static let imu = MessageSchema(
        ros: "sensor_msgs/msg/Imu",
        [
            ("header", .message(header), .one), ("orientation", .message(rosQuaternion), .one),
            ("orientation_covariance", .number, .exactly(9)), ("angular_velocity", .message(rosVector3), .one),
            ("angular_velocity_covariance", .number, .exactly(9)),
            ("linear_acceleration", .message(rosVector3), .one),
            ("linear_acceleration_covariance", .number, .exactly(9)),
        ])

    static let magneticField = MessageSchema(
        ros: "sensor_msgs/msg/MagneticField",
        [
            ("header", .message(header), .one), ("magnetic_field", .message(rosVector3), .one),
            ("magnetic_field_covariance", .number, .exactly(9)),
        ])

    static let navSatFix = MessageSchema(
        ros: "sensor_msgs/msg/NavSatFix",
        [
            ("header", .message(header), .one),
            (
                "status",
                .message(
                    MessageSchema(
                        ros: "sensor_msgs/msg/NavSatStatus",
                        [("status", .integer(.int8), .one), ("service", .integer(.uint16), .one)])),
                .one
            ),
            ("latitude", .number, .one), ("longitude", .number, .one), ("altitude", .number, .one),
            ("position_covariance", .number, .exactly(9)), ("position_covariance_type", .integer(.uint8), .one),
        ])

    static let odometry = MessageSchema(
        ros: "nav_msgs/msg/Odometry",
        [
            ("header", .message(header), .one), ("child_frame_id", .text, .one),
            (
                "pose",
                .message(
                    MessageSchema(
                        ros: "geometry_msgs/msg/PoseWithCovariance",
                        [("pose", .message(rosPose), .one), ("covariance", .number, .exactly(36))])),
                .one
            ),
            (
                "twist",
                .message(
                    MessageSchema(
                        ros: "geometry_msgs/msg/TwistWithCovariance",
                        [("twist", .message(twist), .one), ("covariance", .number, .exactly(36))])),
                .one
            ),
        ])

    static let transforms = MessageSchema(
        ros: "tf2_msgs/msg/TFMessage",
        [
            (
                "transforms",
                .message(
                    MessageSchema(
                        ros: "geometry_msgs/msg/TransformStamped",
                        [
                            ("header", .message(header), .one), ("child_frame_id", .text, .one),
                            ("transform", .message(transform), .one),
                        ])),
                .list
            )
        ])

    // MARK: parts

    private static let header = MessageSchema(
        ros: "std_msgs/msg/Header",
        [
            (
                "stamp",
                .message(
                    MessageSchema(
                        ros: "builtin_interfaces/msg/Time",
                        [("sec", .integer(.int32), .one), ("nanosec", .integer(.uint32), .one)])),
                .one
            ),
            ("frame_id", .text, .one),
        ])

    private static let rosVector3 = MessageSchema(
        ros: "geometry_msgs/msg/Vector3", [("x", .number, .one), ("y", .number, .one), ("z", .number, .one)])

    private static let point = MessageSchema(
        ros: "geometry_msgs/msg/Point", [("x", .number, .one), ("y", .number, .one), ("z", .number, .one)])

    private static let rosQuaternion = MessageSchema(
        ros: "geometry_msgs/msg/Quaternion",
        [("x", .number, .one), ("y", .number, .one), ("z", .number, .one), ("w", .number, .one)])

    private static let rosPose = MessageSchema(
        ros: "geometry_msgs/msg/Pose",
        [("position", .message(point), .one), ("orientation", .message(rosQuaternion), .one)])

    private static let twist = MessageSchema(
        ros: "geometry_msgs/msg/Twist",
        [("linear", .message(rosVector3), .one), ("angular", .message(rosVector3), .one)])

    private static let transform = MessageSchema(
        ros: "geometry_msgs/msg/Transform",
        [("translation", .message(rosVector3), .one), ("rotation", .message(rosQuaternion), .one)])

    private init(ros name: String, _ fields: [(name: StaticString, kind: Kind, count: Count)]) {
        self.init(name, fields.enumerated().map { Field($0 + 1, $1.name, $1.kind, $1.count) })
    }
}

// MARK: - Definition

extension MessageSchema {
    /// Definition in the language of ROS 2, followed by the definitions of nested messages. Format: schema encoding
    /// `ros2msg` of MCAP's registry.
    var rosDefinition: String {
        let separator = String(repeating: "=", count: 80)
        return allParts.reduce(rosFields) { $0 + "\(separator)\nMSG: \($1.rosName)\n\($1.rosFields)" }
    }

    private var rosName: String { name.split(separator: "/").filter { $0 != "msg" }.joined(separator: "/") }

    private var rosFields: String { fields.map { "\(Self.rosType($0)) \($0.name)\n" }.joined() }

    private static func rosType(_ field: Field) -> String {
        let type =
            switch field.kind {
            case .number: "float64"
            case .text: "string"
            case .flag: "bool"
            case .integer(let type): type.rawValue
            case .message(let schema): schema.rosName
            case .choice(let name, _): preconditionFailure("\(name): ROS has no choices")
            }
        return switch field.count {
        case .one, .optional: type
        case .list: "\(type)[]"
        case .exactly(let count): "\(type)[\(count)]"
        }
    }
}
