import CGPS
import Glibc

/// Content of one line of gpsd; values that are not finite or not plausible are omitted.
package struct GPSDReport {
    /// Path of the receiver; nil if gpsd does not name it.
    package var device: String?
    /// Position, velocity and time of a TPV object.
    package var fix: FixReport?
    /// Standard deviations of a GST object.
    package var sigmas: SigmaReport?
    /// Number of satellites in use, from a SKY object; nil if the receiver does not report which satellites it uses.
    package var satellitesUsed: Int?
    /// Number of gpsd's receivers, from a list of devices.
    package var deviceCount: Int?
    /// gpsd's release, from its greeting.
    package var release: String?
    /// gpsd's message about a request that it rejected.
    package var error: String?

    /// Report of position, velocity and time; there may be several for one epoch.
    package struct FixReport: Hashable {
        /// Time of the epoch, UTC since 1970; nil until the receiver knows the time. Unit: ns.
        package var time: Int64?
        /// Position; nil without a fix.
        package var position: Position?
        /// Whether the receiver reports a fix whose latitude or longitude is out of range.
        package var isOutOfRange = false
        /// Velocity to the east; known if and only if `north` is. Unit: m/s.
        package var east: Double?
        /// Velocity to the north. Unit: m/s.
        package var north: Double?
        /// Velocity upwards. Unit: m/s.
        package var up: Double?
        /// Whether `up` is gpsd's `climb`, which gpsd may have derived from heights.
        package var isClimb = false
        /// Small speed without a course, which was replaced by zero. Unit: m/s.
        package var restSpeed: Double?
        package var solution = Solution.plain
        /// Whether the receiver does not measure the height but repeats an earlier one, as in a fix of mode 2 or with
        /// three satellites.
        package var isHeightHeld = false
        /// Circular position error at gpsd's confidence. Unit: metres.
        package var horizontalError: Double?
        /// Position error along the east axis at gpsd's confidence. Unit: metres.
        package var eastError: Double?
        /// Position error along the north axis at gpsd's confidence. Unit: metres.
        package var northError: Double?
        /// Height error at gpsd's confidence. Unit: metres.
        package var verticalError: Double?
        /// Spatial position error (one standard deviation); nil unless the receiver reports one. Unit: metres.
        package var positionError: Double?
        /// Velocity error. Unit: m/s.
        package var velocityError: Double?

        package init() {}
    }

    /// Type of a position solution, from `TPV.status`.
    package enum Solution: Hashable, Sendable {
        /// Satellites alone, or the type is not reported.
        case plain
        /// With differential corrections, such as those of SBAS.
        case differential
        /// RTK with its integer ambiguities resolved.
        case rtkFixed
        /// RTK with integer ambiguities that are not resolved yet.
        case rtkFloat
        /// Simulated position from the receiver itself.
        case simulated
    }

    /// Geographic position with the heights that the receiver reported.
    package struct Position: Hashable {
        package var latitudeDegrees: Double
        package var longitudeDegrees: Double
        package var ellipsoidalHeight: Double?
        package var seaLevelHeight: Double?
        /// Height of mean sea level above the ellipsoid. Unit: metres.
        package var geoidSeparation: Double?

        package init(latitudeDegrees: Double, longitudeDegrees: Double) {
            self.latitudeDegrees = latitudeDegrees
            self.longitudeDegrees = longitudeDegrees
        }
    }

    /// Standard deviations of the position along each axis. Unit: metres.
    package struct SigmaReport: Hashable {
        /// Time of the epoch, UTC since 1970. Unit: ns.
        package var time: Int64
        package var east: Double
        package var north: Double
        package var up: Double?

        package init(time: Int64, east: Double, north: Double, up: Double?) {
            self.time = time
            self.east = east
            self.north = north
            self.up = up
        }
    }
}

extension GPSDReport {
    init(_ report: cgps_report) {
        device = Self.text(report.device)
        let contents = Int32(bitPattern: report.contents)
        if contents & Int32(CGPS_FIX) != 0 { fix = FixReport(report.fix) }
        if contents & Int32(CGPS_SIGMAS) != 0 { sigmas = SigmaReport(report.sigmas) }
        if contents & Int32(CGPS_SKY) != 0, report.satellites_used > 0 { satellitesUsed = Int(report.satellites_used) }
        if contents & Int32(CGPS_DEVICES) != 0 { deviceCount = Int(report.device_count) }
        if contents & Int32(CGPS_VERSION) != 0 { release = Self.text(report.text) }
        if contents & Int32(CGPS_ERROR) != 0 { error = Self.text(report.text) ?? "something" }
    }

    private static func text<Characters>(_ characters: Characters) -> String? {
        withUnsafeBytes(of: characters) { bytes in
            bytes.first == 0 ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension GPSDReport.FixReport {
    init(_ fix: cgps_fix) {
        time = fix.has_time ? fix.time : nil
        // Dead reckoning by the receiver adds no information to a filter with inertial sensors.
        guard fix.mode >= 2, Int(fix.solution) != CGPS_DEAD_RECKONING else { return }
        solution = .init(fix.solution)
        isHeightHeld = fix.mode == 2
        position = .init(fix)
        isOutOfRange = position == nil && fix.latitude.isFinite && fix.longitude.isFinite
        setHorizontalVelocity(fix)
        setVerticalVelocity(fix)
        horizontalError = GPSDLimits.error(fix.horizontal_error)
        eastError = GPSDLimits.error(fix.longitude_error)
        northError = GPSDLimits.error(fix.latitude_error)
        verticalError = GPSDLimits.error(fix.vertical_error)
        positionError = GPSDLimits.error(fix.position_error)
        velocityError = GPSDLimits.error(fix.velocity_error)
    }

    private mutating func setVerticalVelocity(_ fix: cgps_fix) {
        up = GPSDLimits.speed(-fix.velocity_down)
        guard up == nil else { return }
        up = GPSDLimits.speed(fix.climb)
        isClimb = up != nil
    }

    private mutating func setHorizontalVelocity(_ fix: cgps_fix) {
        if let north = GPSDLimits.speed(fix.velocity_north), let east = GPSDLimits.speed(fix.velocity_east) {
            self.north = north
            self.east = east
            return
        }
        guard let speed = GPSDLimits.speed(fix.speed), speed >= 0 else { return }
        if (0...360).contains(fix.track) {
            let track = fix.track * .pi / 180
            north = speed * cosine(track)
            east = speed * sine(track)
        } else if speed < GPSDLimits.restSpeed {
            // Receivers report no course at rest.
            (north, east, restSpeed) = (0, 0, speed)
        }
    }
}

extension GPSDReport.Position {
    fileprivate init?(_ fix: cgps_fix) {
        guard fix.latitude.isFinite, fix.latitude.magnitude <= 90 else { return nil }
        guard fix.longitude.isFinite, fix.longitude.magnitude <= 180 else { return nil }
        latitudeDegrees = fix.latitude
        longitudeDegrees = fix.longitude
        guard fix.mode >= 3 else {
            ellipsoidalHeight = Self.heldHeight(fix)
            return
        }
        ellipsoidalHeight = GPSDLimits.height(fix.ellipsoidal_height)
        seaLevelHeight = GPSDLimits.height(fix.sea_level_height)
        geoidSeparation = GPSDLimits.separation(fix.geoid_separation)
    }

    /// Height of a two-dimensional fix. It comes from an earlier fix or was typed in; `FixConversion` weights it
    /// accordingly. Receivers assume zero before their first fix, so zero does not count as a height.
    private static func heldHeight(_ fix: cgps_fix) -> Double? {
        isAssumed(fix.ellipsoidal_height) || isAssumed(fix.sea_level_height)
            ? nil : GPSDLimits.height(fix.ellipsoidal_height)
    }

    private static func isAssumed(_ height: Double) -> Bool { height.magnitude < 0.05 }

    /// Keeps only the heights that a two-dimensional fix can have.
    fileprivate mutating func holdHeight() {
        let isNone = [ellipsoidalHeight, seaLevelHeight].contains { $0.map(Self.isAssumed) ?? false }
        if isNone { ellipsoidalHeight = nil }
        (seaLevelHeight, geoidSeparation) = (nil, nil)
    }
}

extension GPSDReport.FixReport {
    /// Treats a three-dimensional fix as two-dimensional, because gpsd reports three dimensions whenever a receiver
    /// sends a height.
    package mutating func holdHeight() {
        guard !isHeightHeld else { return }
        position?.holdHeight()
        isHeightHeld = true
        up = nil
    }
}

extension GPSDReport.Solution {
    fileprivate init(_ solution: Int32) {
        self =
            switch Int(solution) {
            case CGPS_DIFFERENTIAL: .differential
            case CGPS_RTK_FIXED: .rtkFixed
            case CGPS_RTK_FLOAT: .rtkFloat
            case CGPS_SIMULATED: .simulated
            default: .plain
            }
    }
}

extension GPSDReport.SigmaReport {
    fileprivate init?(_ sigmas: cgps_sigmas) {
        guard sigmas.has_time, let east = GPSDLimits.error(sigmas.longitude),
            let north = GPSDLimits.error(sigmas.latitude)
        else { return nil }
        time = sigmas.time
        self.east = east
        self.north = north
        up = GPSDLimits.error(sigmas.height)
        guard let ellipse = ErrorEllipse(sigmas), ellipse.contradicts(self) else { return }
        (self.east, self.north) = (ellipse.east, ellipse.north)
        up = max(up ?? 0, ellipse.major)
    }
}

/// Error ellipse of GST.
private struct ErrorEllipse {
    /// Maximum ratio of the ellipse to the standard deviations along the axes. If it is larger, the two contradict each
    /// other, because the semi-axes of ellipses of 39 to 99 % probability are 1 to 3 standard deviations.
    private static let maximumRatio = 4.0

    var major: Double
    /// Semi-axes of the ellipse, projected on east and north.
    var east: Double
    var north: Double

    init?(_ sigmas: cgps_sigmas) {
        guard let major = GPSDLimits.error(sigmas.major), let minor = GPSDLimits.error(sigmas.minor),
            sigmas.orientation.isFinite
        else { return nil }
        let turn = sigmas.orientation * .pi / 180
        self.major = max(major, minor)
        east = hypot(major * sine(turn), minor * cosine(turn))
        north = hypot(major * cosine(turn), minor * sine(turn))
    }

    /// Whether the ellipse is much larger than the standard deviations along the axes. This happens with Skytraq
    /// receivers, whose ellipse agrees with the observed errors and whose standard deviations do not.
    func contradicts(_ sigmas: GPSDReport.SigmaReport) -> Bool {
        hypot(east, north) > Self.maximumRatio * hypot(sigmas.east, sigmas.north)
    }
}

/// Plausible values for a receiver on or above the earth. Any other value, including NaN, becomes nil.
private enum GPSDLimits {
    /// Speed below which a missing course means rest. Unit: m/s.
    static let restSpeed = 0.1

    /// Height, from the deepest mine to far above any aircraft. Unit: metres.
    static func height(_ value: Double) -> Double? { (-5000...100_000).contains(value) ? value : nil }

    /// Geoid undulation, which lies between −107 m and 86 m. Unit: metres.
    static func separation(_ value: Double) -> Double? { (-110...90).contains(value) ? value : nil }

    /// Velocity component. Export rules limit civilian receivers to 515 m/s.
    static func speed(_ value: Double) -> Double? { (-600...600).contains(value) ? value : nil }

    /// Error or standard deviation. It has to be positive, because no measurement is exact, and small enough to carry
    /// information.
    static func error(_ value: Double) -> Double? { (0.001...100_000).contains(value) ? value : nil }
}

/// Parses gpsd's lines with libgps. Not thread-safe: for use by one thread.
package final class GPSDParser {
    private let parser: OpaquePointer
    private var report = cgps_report()

    package init() {
        guard let parser = cgps_parser_new() else { preconditionFailure("no memory left at start") }
        self.parser = parser
    }

    deinit { cgps_parser_free(parser) }

    /// Parses one line.
    ///
    /// - Parameter line: JSON object, zero-terminated.
    package func parse(_ line: UnsafePointer<CChar>) -> GPSDReport {
        cgps_parse(parser, line, &report)
        return GPSDReport(report)
    }
}

func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
