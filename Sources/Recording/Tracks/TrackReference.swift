import Geodesy
import Model
import Tracks

/// What the fixes of a recording say of all its points: the offset of UTC and the reference surface of heights.
struct TrackReference {
    /// UTC since 1970 less boot time; nil while unknown. Unit: nanoseconds.
    private(set) var offset: Int64?
    /// Height of the geoid above the ellipsoid; nil while unknown. Unit: metres.
    private(set) var separation: Double?
    /// Surface of the first height, to which the estimator keeps until it learns the separation.
    private(set) var heightKind: GNSSFix.HeightKind?

    /// Whether all has been learned.
    var isComplete: Bool { offset != nil && separation != nil && heightKind != nil }

    /// Learns from the next fix.
    mutating func learn(from fix: GNSSFix) {
        var time = UniversalTime()
        time.learn(from: fix)
        offset = time.offset ?? offset
        separation = fix.geoidSeparation ?? separation
        if heightKind == nil, fix.heightKind != .unknown { heightKind = fix.heightKind }
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
        filled.separation = separation ?? other.separation
        filled.heightKind = heightKind ?? other.heightKind
        return filled
    }

    /// Height of the geoid above the ellipsoid at a position: by the fixes, or by EGM96 where none has it, so that a
    /// track never has both. Units: degrees, metres.
    func separation(latitude: Double, longitude: Double) -> Double? {
        let position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
        return separation ?? position.map(Geoid.undulation(at:))
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

    /// Whether heights of poses are above mean sea level here, because the receiver gave no separation yet.
    private var areHeightsAboveSea: Bool {
        guard present.heightKind == .meanSeaLevel, learned.separation == nil else { return false }
        // Without a fix so far, the separation may have been learned before the recording began.
        return learned.heightKind != nil || first.separation == nil
    }

    /// Position of a pose. Units: degrees, metres.
    func position(latitude: Double, longitude: Double, height: Double) -> TrackPosition? {
        let isAboveSea = areHeightsAboveSea
        return TrackPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: isAboveSea ? nil : height,
            seaLevelHeight: isAboveSea ? height : nil,
            geoidSeparation: present.separation(latitude: latitude, longitude: longitude))
    }
}
