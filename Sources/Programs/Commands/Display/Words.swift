import WaymarkClient
import WaymarkInterface

package enum Words {
    package static let unknown = "-"

    package static func explanation(of reason: Waymark.Reason) -> String {
        switch reason {
        case .noInertialData: "no accelerometer or gyroscope data"
        case .noAccelerometerData: "the accelerometer is silent"
        case .noGyroscopeData: "the gyroscope is silent"
        case .noMagneticData: "no magnetometer data"
        case .noGNSSData: "no position fix"
        case .poorGNSS: "position fixes are inaccurate or contradict each other"
        case .magneticDisturbance: "magnetic disturbance (iron or a magnet nearby)"
        case .headingUncertain: "the heading is not accurate yet"
        case .headingUnconfirmed: "only the compass shows where north is"
        case .headingUnknown: "no source of heading yet"
        case .positionUncertain: "the position is not accurate yet"
        case .gyroBiasUncertain: "the gyroscope's bias is not known yet"
        case .inertialGap: "inertial samples were missing"
        case .implausibleAccelerometer: "the accelerometer does not measure gravity, or is stuck"
        case .implausibleGyroscope: "the gyroscope reports rates faster than a person turns, or is stuck"
        case .implausibleMagnetometer: "the magnetometer does not measure the earth's field, or is stuck"
        case .clockStepped: "the clock was set back, and estimation was restarted"
        }
    }

    /// Explanations of the reasons that this program knows.
    package static func explanations(of reasons: WordSet<Waymark.Reason>) -> [String] {
        reasons.known.map(explanation)
    }

    /// Names the nearest of the eight compass points.
    ///
    /// - Parameter degrees: direction, clockwise from north.
    package static func compassPoint(_ degrees: Double) -> String {
        octant(degrees, of: ["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    }

    /// Formats a bearing: "359.9°", never "360.0°".
    ///
    /// - Parameter degrees: direction, clockwise from north.
    package static func bearing(_ degrees: Double, digits: Int) -> String {
        let text = degrees.fixed(digits)
        return (text == 360.0.fixed(digits) ? 0.0.fixed(digits) : text) + "°"
    }

    /// Returns an arrow for a turn, relative to straight ahead.
    ///
    /// - Parameter degrees: turn, positive to the right.
    package static func arrow(_ degrees: Double) -> String {
        octant(degrees, of: ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"])
    }

    private static func octant(_ degrees: Double, of names: [String]) -> String {
        guard degrees.isFinite else { return unknown }
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        // Adding a full turn keeps the rounded eighth from being negative.
        return names[Int(((turn + 360) / 45).rounded()) % 8]
    }

    /// Formats an accuracy: "±2.1 m", or "±?" if it is unknown.
    package static func accuracy(_ value: Double?, _ unit: String) -> String {
        value.map { "±\($0.fixed(1))\(unit)" } ?? "±?"
    }

    /// Names the reference of the daemon's heading, such as "true north".
    package static func reference(_ reference: Waymark.HeadingReference) -> String {
        switch reference {
        case .none: "no reference"
        case .magneticNorth: "magnetic north"
        case .trueNorth: "true north"
        }
    }

    /// Formats a motion: "on foot (97 %)"; never "100 %", which would be certain.
    package static func motion(_ motion: Waymark.Motion) -> String {
        let mode =
            switch motion.mode {
            case .rest: "at rest"
            case .foot: "on foot"
            case .vehicle: "in a vehicle"
            }
        let percent = (motion.probability * 100).fixed(0)
        return "\(mode) (\(percent == "100" ? ">99" : percent) %)"
    }

    /// Formats a duration: "45 s", "3 min 20 s", "5 h 02 min", "3 d 4 h".
    package static func duration(_ seconds: Double) -> String {
        let total = Int(max(0, min(seconds, 1e12)))
        let (days, hours, minutes) = (total / 86400, total / 3600 % 24, total / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes < 10 ? "0" : "")\(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(total % 60) s" : "\(total) s"
    }

    /// Formats a size: "950 B", "1.2 kB", "34.5 MB", "1.1 GB".
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes) / 1000
        for unit in ["kB", "MB", "GB"] {
            if value < 999.95 { return "\(value.fixed(1)) \(unit)" }
            value /= 1000
        }
        return "\(value.fixed(1)) TB"
    }

    /// Formats a distance: "12.3 m" below a hundred metres, "123 m" below ten kilometres, "12.3 km" beyond.
    package static func distance(_ metres: Double) -> String {
        if metres < 99.95 { return metres.fixed(1) + " m" }
        return metres < 9999.5 ? metres.fixed(0) + " m" : (metres / 1000).fixed(1) + " km"
    }

    package static func list(_ words: WordSet<some InterfaceWord>, separator: String = " ") -> String {
        words.words.map { line($0) }.joined(separator: separator)
    }

    /// Returns a word from a daemon, which may be newer than this program, on one line.
    package static func line(_ word: OpenWord<some InterfaceWord>) -> String { line(word.description) }

    /// Reduces untrusted text to one line, because control characters could move the cursor or forge lines.
    package static func line(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars)
    }
}

extension Double {
    /// Formats a number with a fixed number of decimals: `1.25.fixed(1)` is "1.3". Halves are rounded away from zero,
    /// and a zero has no sign.
    ///
    /// - Parameter digits: number of decimals, 0 to 9.
    package func fixed(_ digits: Int) -> String {
        precondition((0...9).contains(digits), "from none to nine digits")
        guard isFinite else { return "-" }
        var power: Int64 = 1
        for _ in 0..<digits { power *= 10 }
        let scaled = (self * Double(power)).rounded(.toNearestOrAwayFromZero)
        // Numbers beyond the range of an integer have no meaningful decimals.
        guard let units = Int64(exactly: scaled) else { return "\(self)" }
        let whole = units.magnitude / power.magnitude
        let sign = units < 0 ? "-" : ""
        guard digits > 0 else { return sign + "\(whole)" }
        let fraction = "\(units.magnitude % power.magnitude)"
        return sign + "\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Formats a number like `fixed`, with "+" before numbers that are not negative.
    package func signed(_ digits: Int) -> String {
        let text = fixed(digits)
        return text.hasPrefix("-") ? text : "+" + text
    }
}

extension String {
    /// Pads with leading spaces to `width` characters.
    package func right(_ width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) + self }

    /// Pads with trailing spaces to `width` characters.
    package func left(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
