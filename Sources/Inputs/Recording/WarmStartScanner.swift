import Geometry
import Model

/// Reads a warm start; unknown members are skipped.
enum WarmStartScanner {
    typealias Problem = JSONScanner.Problem

    static func warmStart(_ text: UnsafeRawBufferPointer) throws(Problem) -> WarmStart {
        var scanner = JSONScanner(text)
        var start = WarmStart()
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "version": start.version = try self.text(&value)
            case "ageSeconds": start.ageSeconds = try value.double()
            case "moment": start.moment = try moment(&value)
            case "sensors": start.sensors = try sensors(&value)
            case "place": start.place = try place(&value)
            case "gyroBias": start.gyroBias = try vectors(&value)
            case "accelerometerBias": start.accelerometerBias = try vectors(&value)
            case "hardIron": start.hardIron = try vectors(&value)
            case "fieldNorm": start.fieldNorm = try value.double()
            case "stepScale": start.stepScale = try scalars(&value)
            case "velocityDelay": start.velocityDelay = try scalars(&value)
            case "compassConfirmationAge": start.compassConfirmationAge = try value.double()
            default: try value.skip()
            }
        }
        try scanner.end()
        return start
    }

    private static func text(_ scanner: inout JSONScanner) throws(Problem) -> String {
        WarmStartMessage.plain(String(decoding: try scanner.string(), as: UTF8.self))
    }

    private static func moment(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Moment {
        var (time, boot, utc): (BootTime?, String?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try MeasurementScanner.time(&value)
            case "boot": boot = try self.text(&value)
            case "utcSeconds": utc = try value.double()
            default: try value.skip()
            }
        }
        return WarmStart.Moment(
            bootTime: try MeasurementScanner.need(time, "time"), boot: try MeasurementScanner.need(boot, "boot"),
            utcSeconds: try MeasurementScanner.need(utc, "utcSeconds"))
    }

    private static func sensors(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Sensors {
        var sensors = WarmStart.Sensors()
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "gyroscope": sensors.gyroscope = try self.text(&value)
            case "accelerometer": sensors.accelerometer = try self.text(&value)
            case "magnetometer": sensors.magnetometer = try self.text(&value)
            case "receiver": sensors.receiver = try self.text(&value)
            default: try value.skip()
            }
        }
        return sensors
    }

    private static func place(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Place {
        var (latitude, longitude, height, standardDeviation, age): (Double?, Double?, Double?, Double?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "latitude": latitude = try value.double()
            case "longitude": longitude = try value.double()
            case "height": height = try value.double()
            case "horizontalDeviation": standardDeviation = try value.double()
            case "ageSeconds": age = try value.double()
            default: try value.skip()
            }
        }
        guard
            let position = GeodeticPosition(
                latitudeDegrees: try MeasurementScanner.need(latitude, "latitude"),
                longitudeDegrees: try MeasurementScanner.need(longitude, "longitude"),
                ellipsoidalHeight: try MeasurementScanner.need(height, "height"))
        else { throw Problem("the place is not on the earth") }
        return WarmStart.Place(
            position: position,
            horizontalStandardDeviation: try MeasurementScanner.need(standardDeviation, "horizontalDeviation"),
            ageSeconds: try MeasurementScanner.need(age, "ageSeconds"))
    }

    private static func vectors(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Estimate<Vector3> {
        try estimate(&scanner) { value throws(Problem) in try MeasurementScanner.vector(&value) }
    }

    private static func scalars(_ scanner: inout JSONScanner) throws(Problem) -> WarmStart.Estimate<Double> {
        try estimate(&scanner) { value throws(Problem) in try value.double() }
    }

    private static func estimate<Value>(
        _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(Problem) -> Value
    ) throws(Problem) -> WarmStart.Estimate<Value> {
        var (value, standardDeviation): (Value?, Value?)
        try scanner.object { name, part throws(Problem) in
            switch name {
            case "value": value = try read(&part)
            case "deviation": standardDeviation = try read(&part)
            default: try part.skip()
            }
        }
        return WarmStart.Estimate(
            value: try MeasurementScanner.need(value, "value"),
            standardDeviation: try MeasurementScanner.need(standardDeviation, "deviation"))
    }
}
