import Geometry
import Glibc
import JSON

/// Content of the sentences for one instant. Unknown values become empty fields.
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
    /// Whether the position is dead-reckoned from earlier fixes, without a recent fix.
    package var isDeadReckoned = false
    /// Number of satellites in use and their horizontal dilution of precision.
    package var satellites: Int?
    package var horizontalDilution: Double?

    package init() {}
}

/// Writer of NMEA 0183 sentences.
///
/// As in receivers with dead reckoning, a position without a recent fix is marked valid and has quality 6 and mode E
/// (estimated). Source: NMEA 0183 version 2.30, which added the mode.
package struct NMEASentences: Sendable {
    /// Factor from m/s to knots. One knot is 1852 m per hour. Unit: knots per m/s.
    private static let knots = 3600 / 1852.0
    /// Factor from m/s to kilometres per hour. Unit: km/h per m/s.
    private static let kilometresPerHour = 3.6

    private let talker: String

    /// - Parameter talker: two upper-case letters. IN (integrated navigation) would be correct for estimates from
    ///   several sensors, but QGIS and other programs accept only GP and GN.
    package init(talker: String = "GP") { self.talker = talker }

    /// Appends position, quality and heights.
    package func appendGGA(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        let position = epoch.position
        let quality = position == nil ? "0" : epoch.isDeadReckoned ? "6" : "1"
        let satellites = epoch.satellites.map { digits(Int64(min(max($0, 0), 99)), 2) } ?? ""
        let use: TrackText = "\(quality),\(satellites),\(epoch.horizontalDilution, 1)"
        let heights: TrackText = "\(position?.seaLevelHeight, 2),M,\(position?.geoidSeparation, 2),M"
        append("GGA,\(time(epoch)),\(coordinates(position)),\(use),\(heights),,", to: &text)
    }

    /// Appends the standard deviations; appends nothing if they are unknown.
    package func appendGST(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        let deviation = epoch.standardDeviation
        guard epoch.position != nil, deviation.north != nil || deviation.up != nil else { return }
        // The residuals and the error ellipse are unknown.
        append(
            "GST,\(time(epoch)),,,,,\(deviation.north, 2),\(deviation.east, 2),\(deviation.up, 2)", to: &text)
    }

    /// Appends position, motion and date. The fields for the magnetic variation are left empty.
    package func appendRMC(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        let position: TrackText = "\(epoch.position == nil ? "V" : "A"),\(coordinates(epoch.position))"
        let knots = epoch.speed.map { $0 * Self.knots }
        let motion: TrackText = "\(knots, 2),\(epoch.courseDegrees.flatMap(tenths), 1)"
        let time = epoch.utc.map(NMEATime.init)
        let date = time.map { digits($0.day, 2) + digits($0.month, 2) + digits($0.year % 100, 2) } ?? ""
        append("RMC,\(self.time(epoch)),\(position),\(motion),\(date),,,\(mode(epoch))", to: &text)
    }

    /// Appends course and speed over ground; the magnetic course is left empty.
    package func appendVTG(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        let (course, speed) = (epoch.courseDegrees.flatMap(tenths), epoch.speed)
        let (knots, kilometresPerHour) = (speed.map { $0 * Self.knots }, speed.map { $0 * Self.kilometresPerHour })
        append("VTG,\(course, 1),T,,M,\(knots, 2),N,\(kilometresPerHour, 2),K,\(mode(epoch))", to: &text)
    }

    /// Appends the true heading; appends nothing if it is unknown.
    package func appendHDT(_ epoch: NMEAEpoch, to text: inout TextBuffer) {
        guard let heading = epoch.headingDegrees.flatMap(tenths) else { return }
        append("HDT,\(heading, 1),T", to: &text)
    }

    private func append(_ fields: TrackText, to text: inout TextBuffer) {
        let sentence: TrackText = "\(talker)\(fields)"
        let checksum = String(sentence.bytes.reduce(0 as UInt8, ^), radix: 16, uppercase: true)
        text.write("$\(sentence)*\(checksum.utf8.count < 2 ? "0" : "")\(checksum)\r\n")
    }

    // MARK: - Fields

    private func mode(_ epoch: NMEAEpoch) -> String { epoch.position == nil ? "N" : epoch.isDeadReckoned ? "E" : "A" }

    /// Direction rounded to tenths, from 0 to 359.9. Unit: degrees.
    private func tenths(_ degrees: Double) -> Double? {
        let tenths = (Angle.positive(degrees * .pi / 180) * 1800 / .pi).rounded()
        return tenths.isFinite ? (tenths >= 3600 ? 0 : tenths / 10) : nil
    }

    private func time(_ epoch: NMEAEpoch) -> String {
        guard let time = epoch.utc.map(NMEATime.init) else { return "" }
        let (seconds, milliseconds) = (digits(time.milliseconds / 1000, 2), digits(time.milliseconds % 1000, 3))
        return "\(digits(time.hour, 2))\(digits(time.minute, 2))\(seconds).\(milliseconds)"
    }

    private func digits(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private func coordinates(_ position: TrackPosition?) -> String {
        guard let position else { return ",,," }
        let latitude = coordinate(position.latitudeDegrees, 2, "N", "S")
        return "\(latitude),\(coordinate(position.longitudeDegrees, 3, "E", "W"))"
    }

    /// Coordinate in degrees and minutes. They are rounded as one number, so that 59.99999999 minutes become the next
    /// degree.
    private func coordinate(_ degrees: Double, _ width: Int, _ positive: String, _ negative: String) -> String {
        let perMinute: Int64 = 10_000_000
        let units = Int64((degrees.magnitude * 60 * Double(perMinute)).rounded())
        let minutes = "\(digits(units / perMinute % 60, 2)).\(digits(units % perMinute, 7))"
        return "\(digits(units / (60 * perMinute), width))\(minutes),\(degrees < 0 && units > 0 ? negative : positive)"
    }
}
