/// Messages of ROS 2. Names, types and order of the fields are from the packages builtin_interfaces, std_msgs,
/// geometry_msgs, sensor_msgs, nav_msgs and tf2_msgs, which have not changed them since Humble.
extension MessageSchema {
    static let imu = MessageSchema(
        ros: "sensor_msgs/msg/Imu",
        [
            "header": .message(header), "orientation": .message(rosQuaternion), "orientation_covariance": .numbers(9),
            "angular_velocity": .message(rosVector3), "angular_velocity_covariance": .numbers(9),
            "linear_acceleration": .message(rosVector3), "linear_acceleration_covariance": .numbers(9),
        ])

    static let magneticField = MessageSchema(
        ros: "sensor_msgs/msg/MagneticField",
        [
            "header": .message(header), "magnetic_field": .message(rosVector3),
            "magnetic_field_covariance": .numbers(9),
        ])

    static let navSatFix = MessageSchema(
        ros: "sensor_msgs/msg/NavSatFix",
        [
            "header": .message(header), "status": .message(navSatStatus), "latitude": .number, "longitude": .number,
            "altitude": .number, "position_covariance": .numbers(9), "position_covariance_type": .integer(.uint8),
        ])

    static let odometry = MessageSchema(
        ros: "nav_msgs/msg/Odometry",
        [
            "header": .message(header), "child_frame_id": .text, "pose": .message(poseWithCovariance),
            "twist": .message(twistWithCovariance),
        ])

    static let transforms = MessageSchema(ros: "tf2_msgs/msg/TFMessage", ["transforms": .list(transformStamped)])

    // MARK: parts

    private static let header = MessageSchema(
        ros: "std_msgs/msg/Header", ["stamp": .message(time), "frame_id": .text])

    private static let time = MessageSchema(
        ros: "builtin_interfaces/msg/Time", ["sec": .integer(.int32), "nanosec": .integer(.uint32)])

    private static let navSatStatus = MessageSchema(
        ros: "sensor_msgs/msg/NavSatStatus", ["status": .integer(.int8), "service": .integer(.uint16)])

    private static let rosVector3 = MessageSchema(
        ros: "geometry_msgs/msg/Vector3", ["x": .number, "y": .number, "z": .number])

    private static let point = MessageSchema(
        ros: "geometry_msgs/msg/Point", ["x": .number, "y": .number, "z": .number])

    private static let rosQuaternion = MessageSchema(
        ros: "geometry_msgs/msg/Quaternion", ["x": .number, "y": .number, "z": .number, "w": .number])

    private static let rosPose = MessageSchema(
        ros: "geometry_msgs/msg/Pose", ["position": .message(point), "orientation": .message(rosQuaternion)])

    private static let poseWithCovariance = MessageSchema(
        ros: "geometry_msgs/msg/PoseWithCovariance", ["pose": .message(rosPose), "covariance": .numbers(36)])

    private static let twist = MessageSchema(
        ros: "geometry_msgs/msg/Twist", ["linear": .message(rosVector3), "angular": .message(rosVector3)])

    private static let twistWithCovariance = MessageSchema(
        ros: "geometry_msgs/msg/TwistWithCovariance", ["twist": .message(twist), "covariance": .numbers(36)])

    private static let transform = MessageSchema(
        ros: "geometry_msgs/msg/Transform",
        ["translation": .message(rosVector3), "rotation": .message(rosQuaternion)])

    private static let transformStamped = MessageSchema(
        ros: "geometry_msgs/msg/TransformStamped",
        ["header": .message(header), "child_frame_id": .text, "transform": .message(transform)])

    private struct ROSType {
        var kind: Kind
        var count = Count.one

        static let number = ROSType(kind: .number)
        static let text = ROSType(kind: .text)
        static func integer(_ type: IntegerType) -> ROSType { ROSType(kind: .integer(type)) }
        static func message(_ schema: MessageSchema) -> ROSType { ROSType(kind: .message(schema)) }
        static func list(_ schema: MessageSchema) -> ROSType { ROSType(kind: .message(schema), count: .list) }
        static func numbers(_ count: Int) -> ROSType { ROSType(kind: .number, count: .exactly(count)) }
    }

    private init(ros name: String, _ fields: KeyValuePairs<StaticString, ROSType>) {
        self.init(name, fields.enumerated().map { Field($0 + 1, $1.key, $1.value.kind, $1.value.count) })
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
