import Geometry
import Messages
import Model

/// Reads measurements from the JSON of a recording; unknown members are skipped.
package enum MeasurementScanner {
    package typealias Problem = JSONScanner.Problem

    /// - Parameter geoid: geoid that earlier fixes reported.
    /// - Throws: if the message is not JSON, or if a member is missing or has a wrong type or range.
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
        return make(try time.need("time"), Vector3(try x.need("x"), try y.need("y"), try z.need("z")))
    }

    private static func pressure(_ scanner: inout JSONScanner) throws(Problem) -> Measurement {
        var (time, pressure): (BootTime?, Double?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try self.time(&value)
            case "hectopascal": pressure = try value.double()
            default: try value.skip()
            }
        }
        return .pressure(
            PressureSample(time: try time.need("time"), pressureHectopascal: try pressure.need("hectopascal")))
    }

    private static func clock(_ scanner: inout JSONScanner) throws(Problem) -> Measurement {
        var time: BootTime?
        try scanner.object { name, value throws(Problem) in
            if name == "time" { time = try self.time(&value) } else { try value.skip() }
        }
        return .clock(try time.need("time"))
    }

    private static let fixNumbers: Set = [
        "utcSeconds", "latitude", "longitude", "height", "geoidSeparation", "velocityEast", "velocityNorth",
        "velocityUp", "sigmaEast", "sigmaNorth", "sigmaUp", "antennaX", "antennaY", "antennaZ", "velocitySigma",
    ]

    private static func fix(_ scanner: inout JSONScanner, _ geoid: inout ReceiverGeoid) throws(Problem) -> GNSSFix {
        var (epoch, arrival): (BootTime?, BootTime?)
        var heightKind: HeightKind?
        var numbers = NumberMembers(fixNumbers)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "epoch": epoch = try self.time(&value)
            case "arrival": arrival = try self.time(&value)
            case "heightKind": heightKind = try self.heightKind(&value)
            default: try numbers.read(name, &value)
            }
        }
        var position = try numbers.position()
        let kind = try heightKind.need("heightKind")
        geoid.learn(numbers["geoidSeparation"])
        if kind == .meanSeaLevel { position.ellipsoidalHeight += geoid.separation(at: position) }
        return GNSSFix(
            epoch: try epoch.need("epoch"), arrival: try arrival.need("arrival"), utcSeconds: numbers["utcSeconds"],
            position: position, hasHeight: kind != .unknown,
            velocityENU: GNSSFix.VelocityENU(
                east: numbers["velocityEast"], north: numbers["velocityNorth"], up: numbers["velocityUp"]),
            positionSigma: GNSSFix.PositionSigma(
                east: numbers["sigmaEast"], north: numbers["sigmaNorth"], up: numbers["sigmaUp"]),
            velocitySigma: numbers["velocitySigma"],
            // Files of other programs may omit the antenna's position. The antenna is then assumed to be at the sensor.
            antennaInBody: Vector3(numbers["antennaX"] ?? 0, numbers["antennaY"] ?? 0, numbers["antennaZ"] ?? 0),
            geoidSeparation: numbers["geoidSeparation"])
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
        let (whole, part) = (try seconds.need("sec"), try nanoseconds.need("nsec"))
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

    /// Values of the members x, y and z of an object, each read by `read`.
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
        return (try x.need("x"), try y.need("y"), try z.need("z"))
    }
}

extension Optional {
    /// Returns the value of a required member; throws if it is missing.
    func need(_ name: StaticString) throws(JSONScanner.Problem) -> Wrapped {
        guard let self else { throw JSONScanner.Problem("\(name) is missing") }
        return self
    }
}

/// Members of an object that are numbers, by their names.
struct NumberMembers {
    typealias Problem = JSONScanner.Problem

    private let names: Set<String>
    private var values: [String: Double] = [:]

    init(_ names: Set<String>) { self.names = names }

    /// Reads the members with these names from an object; skips all others.
    init(_ names: Set<String>, of scanner: inout JSONScanner) throws(Problem) {
        var members = NumberMembers(names)
        try scanner.object { name, value throws(Problem) in try members.read(name, &value) }
        self = members
    }

    /// Reads the value if its member has one of the names; otherwise skips it.
    mutating func read(_ name: JSONScanner.Name, _ value: inout JSONScanner) throws(Problem) {
        let text = String(decoding: name.bytes, as: UTF8.self)
        if names.contains(text) { values[text] = try value.double() } else { try value.skip() }
    }

    subscript(_ name: String) -> Double? { values[name] }

    func need(_ name: StaticString) throws(Problem) -> Double { try values["\(name)"].need(name) }

    /// Position with the members latitude, longitude and height.
    ///
    /// - Parameter subject: name of the position in error messages.
    func position(_ subject: StaticString = "position") throws(Problem) -> GeodeticPosition {
        let position = GeodeticPosition(
            latitudeDegrees: try need("latitude"), longitudeDegrees: try need("longitude"),
            ellipsoidalHeight: try need("height"))
        guard let position else { throw Problem("the \(subject) is not on the earth") }
        return position
    }
}
