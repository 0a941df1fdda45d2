import Geometry
import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// Content of the sentences of one instant; fields of unknown values are empty.
package struct NMEAEpoch: Sendable {
    /// UTC since 1970-01-01. Unit: nanoseconds.
    package var utc: Int64?
    /// Position; nil if unknown, in which case the sentences are marked as invalid.
    package var position: TrackPosition?
    /// Standard deviations of the position.
    package var standardDeviation = TrackDeviation()
    /// Horizontal speed. Unit: m/s.
    package var speed: Double?
    /// Direction of motion. Unit: degrees clockwise from true north.
    package var courseDegrees: Double?
    /// Direction of the line of sight. Unit: degrees clockwise from true north.
    package var headingDegrees: Double?
    /// Whether the position is dead-reckoned from earlier fixes, without support by a recent fix.
    package var isDeadReckoned = false
    /// Number of satellites in use and their horizontal dilution of precision.
    package var satellites: Int?
    package var horizontalDilution: Double?

    /// Makes an instant without any known value.
    package init() {}
}

/// Writer of NMEA 0183 sentences.
///
/// A position without a recent fix has the quality 6 and the mode E, estimated, and is marked valid, as receivers with
/// dead reckoning do. Source: NMEA 0183 version 2.30, which added the mode.
package struct NMEASentences: Sendable {
    /// Factor from m/s to knots; one knot is 1852 m in an hour. Unit: knots per m/s.
    private static let knots = 3600 / 1852.0
    /// Factor from m/s to kilometres per hour. Unit: km/h per m/s.
    private static let kilometresPerHour = 3.6

    private let talker: String
    private var sentence = TextBuffer(capacity: 128)

    /// - Parameter talker: two upper-case letters. IN (integrated navigation) would be correct for estimates from
    ///   several sensors, but QGIS and other programs accept only GP and GN.
    package init(talker: String = "GP") { self.talker = talker }

    /// Appends position, quality and heights.
    package mutating func appendGGA(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        begin("GGA")
        time(epoch)
        coordinates(epoch.position)
        field(epoch.position == nil ? "0" : epoch.isDeadReckoned ? "6" : "1")
        field("")
        if let satellites = epoch.satellites { digits(Int64(min(max(satellites, 0), 99)), 2) }
        field(epoch.horizontalDilution, decimals: 1)
        field(epoch.position?.seaLevelHeight, decimals: 2)
        field("M")
        field(epoch.position?.geoidSeparation, decimals: 2)
        field("M")
        field("")
        field("")
        end(&text)
    }

    /// Appends the standard deviations; appends nothing if they are unknown.
    package mutating func appendGST(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        let deviation = epoch.standardDeviation
        guard epoch.position != nil, deviation.north != nil || deviation.up != nil else { return }
        begin("GST")
        time(epoch)
        // Residuals and error ellipse are unknown.
        for _ in 0..<4 { field("") }
        field(deviation.north, decimals: 2)
        field(deviation.east, decimals: 2)
        field(deviation.up, decimals: 2)
        end(&text)
    }

    /// Appends position, motion and date.
    package mutating func appendRMC(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        begin("RMC")
        time(epoch)
        field(epoch.position == nil ? "V" : "A")
        coordinates(epoch.position)
        field(epoch.speed.map { $0 * Self.knots }, decimals: 2)
        field(epoch.courseDegrees.flatMap(tenths), decimals: 1)
        field("")
        if let time = epoch.utc.map(NMEATime.init) {
            digits(time.day, 2)
            digits(time.month, 2)
            digits(time.year % 100, 2)
        }
        // The magnetic variation and its direction are left empty.
        field("")
        field("")
        field(mode(epoch))
        end(&text)
    }

    /// Appends course and speed over ground.
    package mutating func appendVTG(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        begin("VTG")
        field(epoch.courseDegrees.flatMap(tenths), decimals: 1)
        field("T")
        // The magnetic course is left empty.
        field("")
        field("M")
        field(epoch.speed.map { $0 * Self.knots }, decimals: 2)
        field("N")
        field(epoch.speed.map { $0 * Self.kilometresPerHour }, decimals: 2)
        field("K")
        field(mode(epoch))
        end(&text)
    }

    /// Appends the true heading; appends nothing if it is unknown.
    package mutating func appendHDT(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        guard let heading = epoch.headingDegrees.flatMap(tenths) else { return }
        begin("HDT")
        field(heading, decimals: 1)
        field("T")
        end(&text)
    }

    private func mode(_ epoch: NMEAEpoch) -> StaticString {
        epoch.position == nil ? "N" : epoch.isDeadReckoned ? "E" : "A"
    }

    /// Direction rounded to tenths, from 0 to 359.9. Unit: degrees.
    private func tenths(_ degrees: Double) -> Double? {
        let tenths = (Angle.positive(degrees * .pi / 180) * 1800 / .pi).rounded()
        return tenths.isFinite ? (tenths >= 3600 ? 0 : tenths / 10) : nil
    }

    // MARK: - Fields

    private mutating func begin(_ kind: StaticString) {
        sentence.removeAll()
        sentence.append(talker.utf8)
        sentence.append(kind)
    }

    private mutating func time(_ epoch: NMEAEpoch) {
        field("")
        guard let time = epoch.utc.map(NMEATime.init) else { return }
        digits(time.hour, 2)
        digits(time.minute, 2)
        digits(time.milliseconds / 1000, 2)
        sentence.append(UInt8(ascii: "."))
        digits(time.milliseconds % 1000, 3)
    }

    private mutating func end(_ text: inout TextBuffer) {
        let checksum = sentence.bytes.reduce(0 as UInt8, ^)
        text.append(UInt8(ascii: "$"))
        text.append(sentence.bytes)
        text.append(UInt8(ascii: "*"))
        for digit in [checksum >> 4, checksum & 15] {
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
        text.append("\r\n" as StaticString)
    }

    private mutating func field(_ word: StaticString) {
        sentence.append(UInt8(ascii: ","))
        sentence.append(word)
    }

    private mutating func field(_ value: Double?, decimals: Int) {
        sentence.append(UInt8(ascii: ","))
        if let value { sentence.append(value, decimals: decimals) }
    }

    private mutating func digits(_ value: Int64, _ count: Int) {
        let text = String(value)
        sentence.append(repeatElement(UInt8(ascii: "0"), count: max(0, count - text.utf8.count)))
        sentence.append(text.utf8)
    }

    private mutating func coordinates(_ position: TrackPosition?) {
        guard let position else {
            for _ in 0..<4 { field("") }
            return
        }
        coordinate(position.latitudeDegrees, 2, "N", "S")
        coordinate(position.longitudeDegrees, 3, "E", "W")
    }

    /// Degrees and minutes, rounded as a single number, so that 59.99999999 minutes become the next degree.
    private mutating func coordinate(
        _ degrees: Double, _ width: Int, _ positive: StaticString, _ negative: StaticString
    ) {
        let perMinute: Int64 = 10_000_000
        let units = Int64((degrees.magnitude * 60 * Double(perMinute)).rounded())
        field("")
        digits(units / (60 * perMinute), width)
        digits(units / perMinute % 60, 2)
        sentence.append(UInt8(ascii: "."))
        digits(units % perMinute, 7)
        field(degrees < 0 && units > 0 ? negative : positive)
    }
}
