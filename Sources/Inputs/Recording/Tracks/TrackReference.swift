import Geometry
import Model
import Documents

/// Values from the fixes of a recording that apply to all its points: the UTC offset and the geoid.
struct TrackReference {
    /// UTC since 1970 minus boot time; nil while unknown. Unit: nanoseconds.
    private(set) var offset: Int64?
    /// Geoid from the fixes, or EGM96 if no fix reports it, so that a track never mixes the two.
    private var geoid = ReceiverGeoid()

    /// Whether both values are known.
    var isComplete: Bool { offset != nil && geoid.reported != nil }

    /// Adopts the values of the next fix.
    mutating func learn(from fix: GNSSFix) {
        var time = UniversalTime()
        time.learn(from: fix)
        offset = time.offset ?? offset
        geoid.learn(fix.geoidSeparation)
    }

    /// Adopts the offset of a published pose that has both times.
    mutating func learn(utc: Int64?, at time: BootTime) {
        guard let utc else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(time.nanoseconds)
        if !overflow { self.offset = offset }
    }

    /// A copy with unknown values taken from another reference.
    func filled(from other: TrackReference) -> TrackReference {
        var filled = self
        filled.offset = offset ?? other.offset
        if geoid.reported == nil { filled.geoid = other.geoid }
        return filled
    }

    /// Position of a point, with both heights, or without any if the height above the ellipsoid is nil. Units: degrees,
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

/// References for the second reading of a recording: the values learned so far or, while there are none, the first
/// values that the first reading found.
struct RunningTrackReference {
    /// First values of the whole recording, used until newer values are known.
    private let first: TrackReference
    private var learned = TrackReference()

    init(first: TrackReference) { self.first = first }

    /// Newest values, or the first values while there are none.
    var present: TrackReference { learned.filled(from: first) }

    mutating func learn(from fix: GNSSFix) { learned.learn(from: fix) }
}
