import Geometry
import Model

/// Reads the measurements that other programs offered as aid. Unknown members are skipped.
enum AidScanner {
    typealias Problem = JSONScanner.Problem

    /// - Parameter topic: a topic of aid measurements.
    static func aid(_ topic: Topic, _ scanner: inout JSONScanner) throws(Problem) -> AidMeasurement {
        var fields = Fields()
        try scanner.object { name, value throws(Problem) in try fields.read(name, &value) }
        return AidMeasurement(
            source: try fields.source.need("source"), time: try fields.time.need("time"),
            arrival: try fields.arrival.need("arrival"), content: try content(topic, fields))
    }

    private static func content(_ topic: Topic, _ fields: Fields) throws(Problem) -> AidMeasurement.Content {
        let numbers = fields.numbers
        switch topic {
        case .aidOdometry:
            return .odometry(
                OdometryPose(
                    position: try fields.position.need("position"),
                    rotationOwnFromBody: try fields.orientation.need("orientation"),
                    reset: try fields.reset.need("reset"), tracking: try numbers.need("tracking")))
        case .aidPosition:
            return .position(
                OfferedPosition(
                    position: try numbers.position(), hasHeight: try fields.hasHeight.need("hasHeight"),
                    horizontalAccuracy: try numbers.need("horizontalAccuracy"),
                    verticalAccuracy: try numbers.need("verticalAccuracy")))
        case .aidSighting:
            return .sighting(
                Sighting(
                    target: try target(fields), directionInBody: try fields.direction.need("direction"),
                    standardDeviation: try numbers.need("standardDeviation")))
        case .aidRange:
            return .range(
                BeaconRange(
                    beacon: try numbers.position(), range: try numbers.need("range"),
                    standardDeviation: try numbers.need("standardDeviation")))
        case .aidHeading:
            return .heading(
                OfferedHeading(
                    azimuth: try numbers.need("azimuth"), standardDeviation: try numbers.need("standardDeviation")))
        case .aidHeight:
            return .height(
                OfferedHeight(
                    height: try numbers.need("height"), standardDeviation: try numbers.need("standardDeviation")))
        default: throw Problem("the topic is none of an offer")
        }
    }

    private static func target(_ fields: Fields) throws(Problem) -> Sighting.Target {
        switch try fields.target.need("target") {
        case .sun: .sun(utcSeconds: fields.numbers["utcSeconds"])
        case .point: .point(try fields.numbers.position(), hasHeight: try fields.hasHeight.need("hasHeight"))
        }
    }

    // MARK: - Members

    private static let numbers: Set = [
        "latitude", "longitude", "height", "utcSeconds", "tracking", "horizontalAccuracy", "verticalAccuracy", "range",
        "azimuth", "standardDeviation",
    ]
    private static let quaternion: Set = ["x", "y", "z", "w"]

    /// Members of all kinds of aid measurements.
    private struct Fields {
        var source: SourceName?
        var (time, arrival): (BootTime?, BootTime?)
        var (position, direction): (Vector3?, Vector3?)
        var orientation: Rotation3?
        var reset: UInt32?
        var target: TargetWord?
        var hasHeight: Bool?
        var numbers = NumberMembers(AidScanner.numbers)

        mutating func read(_ name: JSONScanner.Name, _ value: inout JSONScanner) throws(Problem) {
            switch name {
            case "source": source = try AidScanner.source(&value)
            case "time": time = try MeasurementScanner.time(&value)
            case "arrival": arrival = try MeasurementScanner.time(&value)
            case "position": position = try MeasurementScanner.vector(&value)
            case "direction": direction = try MeasurementScanner.vector(&value)
            case "orientation": orientation = try AidScanner.orientation(&value)
            case "reset": reset = try AidScanner.reset(&value)
            case "target": target = try AidScanner.targetWord(&value)
            case "hasHeight": hasHeight = try value.boolean()
            default: try numbers.read(name, &value)
            }
        }
    }

    private enum TargetWord { case sun, point }

    private static func source(_ scanner: inout JSONScanner) throws(Problem) -> SourceName {
        let bytes = try scanner.string()
        guard bytes.count <= SourceName.maximumLength, let name = SourceName(String(decoding: bytes, as: UTF8.self))
        else {
            throw Problem(
                "source is no name of 1 to \(SourceName.maximumLength) of the characters a-z, 0-9, -, _ and .")
        }
        return name
    }

    /// Reads the quaternion without normalising it, because that might change its last bit.
    private static func orientation(_ scanner: inout JSONScanner) throws(Problem) -> Rotation3 {
        let parts = try NumberMembers(quaternion, of: &scanner)
        let rotation = Rotation3(
            exactly: try parts.need("w"), try parts.need("x"), try parts.need("y"), try parts.need("z"))
        guard let rotation
        else { throw Problem("orientation is no rotation: the squares of x, y, z and w do not sum up to 1") }
        return rotation
    }

    private static func reset(_ scanner: inout JSONScanner) throws(Problem) -> UInt32 {
        guard let reset = UInt32(exactly: try scanner.integer()) else { throw Problem("reset is out of range") }
        return reset
    }

    private static func targetWord(_ scanner: inout JSONScanner) throws(Problem) -> TargetWord {
        switch JSONScanner.Name(bytes: try scanner.string()) {
        case "sun": .sun
        case "point": .point
        default: throw Problem("target is none of sun and point")
        }
    }
}
