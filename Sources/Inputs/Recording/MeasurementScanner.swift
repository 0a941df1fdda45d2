import Geometry
import Messages
import Model

/// Reads measurements from the JSON of a recording; unknown members are skipped.
package enum MeasurementScanner {
    package typealias Problem = JSONScanner.Problem

    /// - Parameter geoid: geoid as reported by earlier fixes.
    /// - Throws: if the message is not JSON, or a member is missing or has another type or range.
    package static func measurement(
        _ topic: Topic, _ text: UnsafeRawBufferPointer, geoid: inout ReceiverGeoid
    ) throws(Problem) -> Measurement? {
        var scanner = JSONScanner(text)
        let measurement: Measurement? =
            switch topic {
            case .angularRate:
                .angularRate(try vectorSample(&scanner) { AngularRateSample(time: $0, rate: $1) })
            case .specificForce:
                .specificForce(try vectorSample(&scanner) { SpecificForceSample(time: $0, force: $1) })
            case .magneticField:
                .magneticField(try vectorSample(&scanner) { MagneticSample(time: $0, field: $1) })
            case .pressure: try pressure(&scanner)
            case .clock: try clock(&scanner)
            case .fix: .fix(try fix(&scanner, &geoid))
            case .calibration: .calibration(try CalibrationEntry.read(&scanner))
            case .aidOdometry, .aidPosition, .aidSighting, .aidRange, .aidHeading, .aidHeight:
                .aid(try AidScanner.aid(topic, &scanner))
            default: nil
            }
        if measurement != nil { try scanner.end() }
        return measurement
    }

    private static func vectorSample<Sample>(
        _ scanner: inout JSONScanner, _ make: (BootTime, Vector3) -> Sample
    ) throws(Problem) -> Sample {
        var time: BootTime?
        var (x, y, z): (Double?, Double?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try self.time(&value)
            case "x": x = try value.double()
            case "y": y = try value.double()
            case "z": z = try value.double()
            default: try value.skip()
            }
        }
        return make(try need(time, "time"), Vector3(try need(x, "x"), try need(y, "y"), try need(z, "z")))
    }

    private static func pressure(_ scanner: inout JSONScanner) throws(Problem) -> Measurement {
        var time: BootTime?
        var pressure: Double?
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try self.time(&value)
            case "hectopascal": pressure = try value.double()
            default: try value.skip()
            }
        }
        return .pressure(
            PressureSample(time: try need(time, "time"), pressureHectopascal: try need(pressure, "hectopascal")))
    }

    private static func clock(_ scanner: inout JSONScanner) throws(Problem) -> Measurement {
        var time: BootTime?
        try scanner.object { name, value throws(Problem) in
            if name == "time" { time = try self.time(&value) } else { try value.skip() }
        }
        return .clock(try need(time, "time"))
    }

    private static func fix(_ scanner: inout JSONScanner, _ geoid: inout ReceiverGeoid) throws(Problem) -> GNSSFix {
        var fields = FixFields()
        try scanner.object { name, value throws(Problem) in try fields.read(name, &value) }
        let latitude = try need(fields.latitude, "latitude")
        let longitude = try need(fields.longitude, "longitude")
        let height = try need(fields.height, "height")
        guard
            var position = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height)
        else { throw Problem("the position is not on the earth") }
        let kind = try need(fields.heightKind, "heightKind")
        geoid.learn(fields.geoidSeparation)
        if kind == .meanSeaLevel { position.ellipsoidalHeight += geoid.separation(at: position) }
        return GNSSFix(
            epoch: try need(fields.epoch, "epoch"), arrival: try need(fields.arrival, "arrival"),
            utcSeconds: fields.utcSeconds, position: position, hasHeight: kind != .unknown,
            velocityENU: fields.velocity, positionSigma: fields.sigma, velocitySigma: fields.velocitySigma,
            antennaInBody: fields.antenna, geoidSeparation: fields.geoidSeparation)
    }

    private struct FixFields {
        var (epoch, arrival): (BootTime?, BootTime?)
        var (utcSeconds, latitude, longitude, height, velocitySigma): (Double?, Double?, Double?, Double?, Double?)
        var heightKind: HeightKind?
        var geoidSeparation: Double?
        var velocity = GNSSFix.VelocityENU(east: nil, north: nil, up: nil)
        /// Files of other programs may omit the antenna's position: the antenna is then assumed at the sensor.
        var antenna = Vector3.zero
        var sigma = GNSSFix.PositionSigma(east: nil, north: nil, up: nil)

        mutating func read(_ name: JSONScanner.Name, _ value: inout JSONScanner) throws(Problem) {
            switch name {
            case "epoch": epoch = try MeasurementScanner.time(&value)
            case "arrival": arrival = try MeasurementScanner.time(&value)
            case "utcSeconds": utcSeconds = try value.double()
            case "latitude": latitude = try value.double()
            case "longitude": longitude = try value.double()
            case "height": height = try value.double()
            case "heightKind": heightKind = try MeasurementScanner.heightKind(&value)
            case "geoidSeparation": geoidSeparation = try value.double()
            case "velocityEast": velocity.east = try value.double()
            case "velocityNorth": velocity.north = try value.double()
            case "velocityUp": velocity.up = try value.double()
            case "sigmaEast": sigma.east = try value.double()
            case "sigmaNorth": sigma.north = try value.double()
            case "sigmaUp": sigma.up = try value.double()
            case "antennaX": antenna.x = try value.double()
            case "antennaY": antenna.y = try value.double()
            case "antennaZ": antenna.z = try value.double()
            case "velocitySigma": velocitySigma = try value.double()
            default: try value.skip()
            }
        }
    }

    /// Reference of a fix's height. `meanSeaLevel` is no longer written.
    private enum HeightKind { case unknown, ellipsoidal, meanSeaLevel }

    private static func heightKind(_ value: inout JSONScanner) throws(Problem) -> HeightKind {
        switch JSONScanner.Name(bytes: try value.string()) {
        case "unknown": return .unknown
        case "ellipsoidal": return .ellipsoidal
        case "meanSeaLevel": return .meanSeaLevel
        default: throw Problem("heightKind is none of unknown, ellipsoidal and meanSeaLevel")
        }
    }

    static func time(_ scanner: inout JSONScanner) throws(Problem) -> BootTime {
        var (seconds, nanoseconds): (Int64?, Int64?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "sec": seconds = try value.integer()
            case "nsec": nanoseconds = try value.integer()
            default: try value.skip()
            }
        }
        let (whole, part) = (try need(seconds, "sec"), try need(nanoseconds, "nsec"))
        guard (0..<1_000_000_000).contains(part) else { throw Problem("the time is out of range") }
        // Negative seconds are increased by one before the multiplication, so that the earliest second of the range
        // does not overflow.
        let total = (whole < 0 ? whole + 1 : whole).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = total.partialValue.addingReportingOverflow(whole < 0 ? part - 1_000_000_000 : part)
        guard !total.overflow, !sum.overflow else { throw Problem("the time is out of range") }
        return BootTime(nanoseconds: sum.partialValue)
    }

    /// Vector from the members x, y and z.
    static func vector(_ scanner: inout JSONScanner) throws(Problem) -> Vector3 {
        let axes = try axes(&scanner) { value throws(Problem) in try value.double() }
        return Vector3(axes.0, axes.1, axes.2)
    }

    /// Parts of an object for three axes, from the members x, y and z.
    static func axes<Part>(
        _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(Problem) -> Part
    ) throws(Problem) -> (Part, Part, Part) {
        var (x, y, z): (Part?, Part?, Part?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "x": x = try read(&value)
            case "y": y = try read(&value)
            case "z": z = try read(&value)
            default: try value.skip()
            }
        }
        return (try need(x, "x"), try need(y, "y"), try need(z, "z"))
    }

    static func need<Value>(_ value: Value?, _ name: StaticString) throws(Problem) -> Value {
        guard let value else { throw Problem("\(name) is missing") }
        return value
    }
}
