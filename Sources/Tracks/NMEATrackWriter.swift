import Geometry
import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// NMEA 0183: GGA, GST and RMC for each point. Fields of what is unknown are empty.
///
/// The order matters: gpsd takes a GGA without a number of satellites for no fix unless an RMC follows.
///
/// The talker is IN (integrated navigation) for estimates of several sensors and GN for fixes of a receiver. A position
/// without a recent fix has the quality 6 and the mode E, estimated, and is valid as that of receivers with dead
/// reckoning is. Source: NMEA 0183 version 2.30, which added the mode.
struct NMEATrackWriter: TrackWriter {
    /// One knot is 1852 m in an hour. Unit: knots for each m/s.
    private static let knots = 3600 / 1852.0
    /// Below this a direction is mostly noise. Unit: m/s.
    private static let slowestCourse = 0.5

    private let description: TrackDescription
    private var sentence = TextBuffer(capacity: 128)

    init(_ description: TrackDescription) { self.description = description }

    /// The sentences count for nothing without a time.
    func accepts(_ point: TrackSample) -> Bool { point.position != nil && point.utc != nil }

    mutating func begin(into text: inout TextBuffer) {}
    mutating func end(into text: inout TextBuffer) {}

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard let position = point.position, let utc = point.utc else { return }
        let time = NMEATime(utc)
        appendGGA(point, position, time, to: &text)
        let deviation = point.standardDeviation
        if deviation.north != nil || deviation.up != nil { appendGST(deviation, time, to: &text) }
        appendRMC(point, position, time, to: &text)
    }

    private mutating func appendRMC(
        _ point: TrackSample, _ position: TrackPosition, _ time: NMEATime, to text: inout TextBuffer
    ) {
        begin("RMC", time)
        field("A")
        coordinates(position)
        let (east, north) = (point.velocityENU.east, point.velocityENU.north)
        let speed = east.flatMap { east in north.map { (east * east + $0 * $0).squareRoot() } }
        field(speed.map { $0 * Self.knots }, decimals: 2)
        field(speed ?? 0 < Self.slowestCourse ? nil : course(east: east ?? 0, north: north ?? 0), decimals: 1)
        field("")
        digits(time.day, 2)
        digits(time.month, 2)
        digits(time.year % 100, 2)
        // No magnetic variation.
        field("")
        field("")
        field(point.isDeadReckoned ? "E" : "A")
        end(&text)
    }

    private mutating func appendGGA(
        _ point: TrackSample, _ position: TrackPosition, _ time: NMEATime, to text: inout TextBuffer
    ) {
        begin("GGA", time)
        coordinates(position)
        field(point.isDeadReckoned ? "6" : "1")
        // Number of satellites and dilution of precision are not recorded.
        field("")
        field("")
        field(position.seaLevelHeight, decimals: 2)
        field("M")
        field(position.geoidSeparation, decimals: 2)
        field("M")
        field("")
        field("")
        end(&text)
    }

    private mutating func appendGST(_ deviation: TrackDeviation, _ time: NMEATime, to text: inout TextBuffer) {
        begin("GST", time)
        // Neither residuals nor an ellipse.
        for _ in 0..<4 { field("") }
        field(deviation.north, decimals: 2)
        field(deviation.east, decimals: 2)
        field(deviation.up, decimals: 2)
        end(&text)
    }

    /// Direction of motion, 0 to 359.9. Unit: degrees clockwise from true north.
    private func course(east: Double, north: Double) -> Double? {
        let tenths = (Angle.positive(atan2(east, north)) * 1800 / .pi).rounded()
        return tenths.isFinite ? (tenths >= 3600 ? 0 : tenths / 10) : nil
    }

    // MARK: - Fields

    private mutating func begin(_ kind: StaticString, _ time: NMEATime) {
        sentence.removeAll()
        sentence.append(description.origin == .receiver ? "GN" : "IN" as StaticString)
        sentence.append(kind)
        field("")
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

    private mutating func coordinates(_ position: TrackPosition) {
        coordinate(position.latitudeDegrees, 2, "N", "S")
        coordinate(position.longitudeDegrees, 3, "E", "W")
    }

    /// Degrees and minutes, rounded as one whole number: 59.99999999 minutes are the next degree.
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

/// UTC to the millisecond, rounded as a whole, so that the last half millisecond of a day belongs to the next.
struct NMEATime: Hashable {
    let year: Int64
    let month: Int64
    let day: Int64
    let hour: Int64
    let minute: Int64
    /// Within the minute.
    let milliseconds: Int64

    /// - Parameter utc: since 1970-01-01. Unit: nanoseconds.
    init(_ utc: Int64) {
        let dayLength: Int64 = 86_400_000
        let total = floorDivision(utc &+ (utc > .max - 500_000 ? 0 : 500_000), 1_000_000)
        let days = floorDivision(total, dayLength)
        let date = CivilDate(daysSince1970: days)
        (year, month, day) = (date.year, date.month, date.day)
        let rest = total - days * dayLength
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        milliseconds = rest % 60_000
    }
}

private func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
}
