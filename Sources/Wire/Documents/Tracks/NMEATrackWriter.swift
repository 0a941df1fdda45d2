import JSON

/// NMEA 0183: GGA, GST and RMC for each point.
///
/// The order matters, because gpsd ignores the fix of a GGA without a number of satellites unless an RMC follows.
struct NMEATrackWriter: TrackWriter {
    private let sentences: NMEASentences

    init(_ description: TrackDescription) {
        sentences = NMEASentences(talker: description.origin == .receiver ? "GN" : "GP")
    }

    /// Readers ignore sentences without a time.
    func accepts(_ point: TrackSample) -> Bool { point.position != nil && point.utc != nil }

    mutating func begin(into text: inout TextBuffer) {}

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        guard accepts(point) else { return }
        let epoch = Self.epoch(point)
        sentences.appendGGA(epoch, to: &text)
        sentences.appendGST(epoch, to: &text)
        sentences.appendRMC(epoch, to: &text)
    }

    /// Content of the sentences for a point. The number of satellites and the dilution of precision are not recorded.
    private static func epoch(_ point: TrackSample) -> NMEAEpoch {
        var epoch = NMEAEpoch()
        epoch.utc = point.utc
        epoch.position = point.position
        epoch.standardDeviation = point.standardDeviation
        epoch.isDeadReckoned = point.isDeadReckoned
        epoch.speed = point.groundSpeed
        epoch.courseDegrees = point.courseDegrees
        return epoch
    }
}

/// UTC rounded to milliseconds before it is divided into fields, so that the last half millisecond of a day belongs to
/// the next day.
struct NMEATime: Hashable {
    let year: Int64
    let month: Int64
    let day: Int64
    let hour: Int64
    let minute: Int64
    /// Milliseconds within the minute.
    let milliseconds: Int64

    /// - Parameter utc: UTC since 1970-01-01. Unit: nanoseconds.
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
