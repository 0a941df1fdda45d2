import Geometry
import Model
import Documents

/// What the fixes of a recording say of all its points: the offset of UTC and the geoid.
struct TrackReference {
    /// UTC since 1970 less boot time; nil while unknown. Unit: nanoseconds.
    private(set) var offset: Int64?
    /// By the fixes, or by EGM96 where none reports it, so that a track never has both.
    private var geoid = ReceiverGeoid()

    /// Whether all has been learned.
    var isComplete: Bool { offset != nil && geoid.reported != nil }

    /// Learns from the next fix.
    mutating func learn(from fix: GNSSFix) {
        var time = UniversalTime()
        time.learn(from: fix)
        offset = time.offset ?? offset
        geoid.learn(fix.geoidSeparation)
    }

    /// Learns the offset of a pose that was published with both times.
    mutating func learn(utc: Int64?, at time: BootTime) {
        guard let utc else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(time.nanoseconds)
        if !overflow { self.offset = offset }
    }

    /// The same with what is unknown here taken from another.
    func filled(from other: TrackReference) -> TrackReference {
        var filled = self
        filled.offset = offset ?? other.offset
        if geoid.reported == nil { filled.geoid = other.geoid }
        return filled
    }

    /// Point of a track with both heights; without any where the one above the ellipsoid is nil. Units: degrees,
    /// metres.
    func position(latitude: Double, longitude: Double, height: Double?) -> TrackPosition? {
        let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
        return TrackPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height,
            geoidSeparation: place.map(geoid.separation(at:)))
    }

    /// UTC of an instant; nil while the offset is unknown. Unit: nanoseconds since 1970.
    func utc(_ time: BootTime) -> Int64? {
        guard let offset else { return nil }
        let (utc, overflow) = time.nanoseconds.addingReportingOverflow(offset)
        return overflow ? nil : utc
    }
}

/// References of a recording that is read a second time: what was learned up to here, and what is learned later.
struct RunningTrackReference {
    /// First values of the whole recording, which hold until others are known.
    private let first: TrackReference
    private var learned = TrackReference()

    init(first: TrackReference) { self.first = first }

    /// Newest values.
    var present: TrackReference { learned.filled(from: first) }

    mutating func learn(from fix: GNSSFix) { learned.learn(from: fix) }
}
