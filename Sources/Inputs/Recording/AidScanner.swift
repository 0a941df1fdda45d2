import Geometry
import Model

/// Reads aid measurements of other programs; unknown members are skipped.
enum AidScanner {
    typealias Problem = JSONScanner.Problem

    /// - Parameter topic: a topic of aid measurements.
    static func aid(_ topic: Topic, _ scanner: inout JSONScanner) throws(Problem) -> AidMeasurement {
        var fields = Fields()
        try scanner.object { name, value throws(Problem) in try fields.read(name, &value) }
        return AidMeasurement(
            source: try need(fields.source, "source"), time: try need(fields.time, "time"),
            arrival: try need(fields.arrival, "arrival"), content: try content(topic, fields))
    }

    private static func content(_ topic: Topic, _ fields: Fields) throws(Problem) -> AidMeasurement.Content {
        switch topic {
        case .aidOdometry: .odometry(try odometry(fields))
        case .aidPosition:
            .position(
                OfferedPosition(
                    position: try position(fields), hasHeight: try need(fields.hasHeight, "hasHeight"),
                    horizontalAccuracy: try need(fields.horizontalAccuracy, "horizontalAccuracy"),
                    verticalAccuracy: try need(fields.verticalAccuracy, "verticalAccuracy")))
        case .aidSighting:
            .sighting(
                Sighting(
                    target: try target(fields), directionInBody: try need(fields.direction, "direction"),
                    standardDeviation: try deviation(fields)))
        case .aidRange:
            .range(
                BeaconRange(
                    beacon: try position(fields), range: try need(fields.range, "range"),
                    standardDeviation: try deviation(fields)))
        case .aidHeading:
            .heading(
                OfferedHeading(
                    azimuth: try need(fields.azimuth, "azimuth"), standardDeviation: try deviation(fields)))
        case .aidHeight:
            .height(
                OfferedHeight(height: try need(fields.height, "height"), standardDeviation: try deviation(fields)))
        default: throw Problem("the topic is none of an offer")
        }
    }

    private static func odometry(_ fields: Fields) throws(Problem) -> OdometryPose {
        OdometryPose(
            position: try need(fields.position, "position"),
            rotationOwnFromBody: try need(fields.orientation, "orientation"),
            reset: try need(fields.reset, "reset"), tracking: try need(fields.tracking, "tracking"))
    }

    private static func target(_ fields: Fields) throws(Problem) -> Sighting.Target {
        switch try need(fields.target, "target") {
        case .sun: .sun(utcSeconds: fields.utcSeconds)
        case .point: .point(try position(fields), hasHeight: try need(fields.hasHeight, "hasHeight"))
        }
    }

    private static func position(_ fields: Fields) throws(Problem) -> GeodeticPosition {
        guard
            let position = GeodeticPosition(
                latitudeDegrees: try need(fields.latitude, "latitude"),
                longitudeDegrees: try need(fields.longitude, "longitude"),
                ellipsoidalHeight: try need(fields.height, "height"))
        else { throw Problem("the position is not on the earth") }
        return position
    }

    private static func deviation(_ fields: Fields) throws(Problem) -> Double {
        try need(fields.standardDeviation, "standardDeviation")
    }

    private static func need<Value>(_ value: Value?, _ name: StaticString) throws(Problem) -> Value {
        try MeasurementScanner.need(value, name)
    }

    // MARK: - Members

    /// Members of all kinds.
    private struct Fields {
        var source: SourceName?
        var (time, arrival): (BootTime?, BootTime?)
        var (position, direction): (Vector3?, Vector3?)
        var orientation: Rotation3?
        var reset: UInt32?
        var target: TargetWord?
        var hasHeight: Bool?
        var (latitude, longitude, height, utcSeconds, tracking): (Double?, Double?, Double?, Double?, Double?)
        var (horizontalAccuracy, verticalAccuracy): (Double?, Double?)
        var (range, azimuth, standardDeviation): (Double?, Double?, Double?)

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
            case "latitude": latitude = try value.double()
            case "longitude": longitude = try value.double()
            case "height": height = try value.double()
            case "utcSeconds": utcSeconds = try value.double()
            case "tracking": tracking = try value.double()
            case "horizontalAccuracy": horizontalAccuracy = try value.double()
            case "verticalAccuracy": verticalAccuracy = try value.double()
            case "range": range = try value.double()
            case "azimuth": azimuth = try value.double()
            case "standardDeviation": standardDeviation = try value.double()
            default: try value.skip()
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

    /// Keeps the bits of the quaternion as written: normalising it again might change the last bit.
    private static func orientation(_ scanner: inout JSONScanner) throws(Problem) -> Rotation3 {
        var (x, y, z, w): (Double?, Double?, Double?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "x": x = try value.double()
            case "y": y = try value.double()
            case "z": z = try value.double()
            case "w": w = try value.double()
            default: try value.skip()
            }
        }
        guard let rotation = Rotation3(exactly: try need(w, "w"), try need(x, "x"), try need(y, "y"), try need(z, "z"))
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
