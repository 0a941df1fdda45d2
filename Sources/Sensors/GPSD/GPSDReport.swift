import CGPS

/// What one line of gpsd said, with nothing in it but what is finite and possible.
package struct GPSDReport {
    /// The receiver that it is about; nil when gpsd does not say.
    package var device: String?
    package var fix: FixReport?
    package var sigmas: SigmaReport?
    /// How many receivers gpsd has, when it lists them.
    package var deviceCount: Int?
    /// When it greets.
    package var release: String?
    /// What gpsd refused.
    package var error: String?

    /// One report of position, velocity and time; a receiver's epoch may come in several.
    package struct FixReport: Hashable {
        /// Nanoseconds UTC since 1970; nil until the receiver knows the time.
        package var time: Int64?
        package var position: Position?
        /// m/s; the two horizontal parts are known together.
        package var east: Double?
        package var north: Double?
        package var up: Double?
        /// Errors in metres, of gpsd's confidence.
        package var horizontalError: Double?
        package var eastError: Double?
        package var northError: Double?
        package var verticalError: Double?
        /// Of the velocity, m/s.
        package var velocityError: Double?

        package init() {}
    }

    package struct Position: Hashable {
        package var latitudeDegrees: Double
        package var longitudeDegrees: Double
        package var ellipsoidalHeight: Double?
        package var seaLevelHeight: Double?
        /// Of mean sea level above the ellipsoid, metres.
        package var geoidSeparation: Double?

        package init(latitudeDegrees: Double, longitudeDegrees: Double) {
            self.latitudeDegrees = latitudeDegrees
            self.longitudeDegrees = longitudeDegrees
        }
    }

    /// Standard deviations along each axis, metres.
    package struct SigmaReport: Hashable {
        /// Nanoseconds UTC since 1970.
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
        // What a receiver reckons without satellites tells a filter with sensors of its own nothing new.
        guard fix.mode >= 2, !fix.is_dead_reckoning else { return }
        position = .init(fix)
        setHorizontalVelocity(fix)
        up = Limits.speed(-fix.velocity_down) ?? Limits.speed(fix.climb)
        horizontalError = Limits.error(fix.horizontal_error)
        eastError = Limits.error(fix.longitude_error)
        northError = Limits.error(fix.latitude_error)
        verticalError = Limits.error(fix.vertical_error)
        velocityError = Limits.error(fix.velocity_error)
    }

    private mutating func setHorizontalVelocity(_ fix: cgps_fix) {
        if let north = Limits.speed(fix.velocity_north), let east = Limits.speed(fix.velocity_east) {
            self.north = north
            self.east = east
            return
        }
        guard let speed = Limits.speed(fix.speed), speed >= 0 else { return }
        if fix.track.isFinite, (0...360).contains(fix.track) {
            let track = fix.track * .pi / 180
            north = speed * cosine(track)
            east = speed * sine(track)
        } else if speed < Limits.restSpeed {
            // Receivers give no direction to somebody who stands.
            north = 0
            east = 0
        }
    }
}

extension GPSDReport.Position {
    fileprivate init?(_ fix: cgps_fix) {
        guard fix.latitude.isFinite, fix.latitude.magnitude <= 90 else { return nil }
        guard fix.longitude.isFinite, fix.longitude.magnitude <= 180 else { return nil }
        latitudeDegrees = fix.latitude
        longitudeDegrees = fix.longitude
        if fix.mode >= 3 {
            ellipsoidalHeight = Limits.height(fix.ellipsoidal_height)
            seaLevelHeight = Limits.height(fix.sea_level_height)
            geoidSeparation = Limits.separation(fix.geoid_separation)
        }
    }
}

extension GPSDReport.SigmaReport {
    fileprivate init?(_ sigmas: cgps_sigmas) {
        guard sigmas.has_time, let east = Limits.error(sigmas.longitude), let north = Limits.error(sigmas.latitude)
        else { return nil }
        time = sigmas.time
        self.east = east
        self.north = north
        up = Limits.error(sigmas.height)
    }
}

/// What a receiver on or above the earth can mean; nil for everything else, not a number included.
private enum Limits {
    /// Below this, a missing direction is that of somebody who stands. m/s.
    static let restSpeed = 0.1

    /// From the deepest mine to far above any aircraft. Metres.
    static func height(_ value: Double) -> Double? { (-5000...100_000).contains(value) ? value : nil }

    /// The geoid lies between 107 m below the ellipsoid and 86 m above it. Metres.
    static func separation(_ value: Double) -> Double? { (-110...90).contains(value) ? value : nil }

    /// Receivers for civilians end at 515 m/s, by treaty.
    static func speed(_ value: Double) -> Double? { (-600...600).contains(value) ? value : nil }

    /// More than none, since nothing is exact, and no more than what says nothing.
    static func error(_ value: Double) -> Double? { (0.001...100_000).contains(value) ? value : nil }
}
