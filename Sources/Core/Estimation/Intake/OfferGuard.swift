import Geometry
import Model

/// Selects the offers to use. Offers of one source and kind, or ranges from one source to one beacon, are accepted only
/// as often as they contain new information. The total rate is limited to what the estimator can process, because each
/// late offer makes it repeat the integration.
package struct OfferGuard: Sendable, Codable {
    /// Largest number of entries tracked at a time; each is one kind of offer of a source, or one beacon of a source.
    private static let maximumCount = 32
    /// Time without an offer after which another source, kind or beacon may take over an entry of the table. Unit:
    /// seconds.
    private static let silence = 2.0
    /// Shortest interval between two ranges to one beacon. Unit: seconds.
    private static let rangeInterval = 0.095
    /// Largest number of ranges per second, over all beacons.
    private static let rangesPerSecond = 60
    /// Shortest interval between two offers that are not ranges. Unit: seconds.
    private static let interval = 0.245

    private var recent = InlineArray<32, Entry>(repeating: Entry())

    /// Start of the second in which ranges are counted.
    private var second = BootTime(nanoseconds: 0)
    /// Number of ranges counted since `second`.
    private var rangeCount = 0

    private struct Entry: Sendable, Codable {
        var source: SourceName?
        var kind: UInt8 = 0
        /// Beacon to which ranges are measured; nil for other kinds of offer.
        var beacon: GeodeticPosition?
        var time = BootTime(nanoseconds: 0)
    }

    /// Returns whether an offer should be used. Offers of one source and kind may arrive in any order.
    mutating func admit(_ aid: AidMeasurement) -> Bool {
        let (kind, beacon) = (aid.content.kind, aid.content.beacon)
        if beacon != nil, !admitRange(at: aid.time) { return false }
        var free: Int?
        for index in recent.indices {
            let apart = aid.time.seconds(since: recent[index].time).magnitude
            if recent[index].source == aid.source, recent[index].kind == kind, recent[index].beacon == beacon {
                guard apart >= (beacon == nil ? Self.interval : Self.rangeInterval) else { return false }
                recent[index].time = aid.time
                return true
            }
            if recent[index].source == nil || apart > Self.silence { free = free ?? index }
        }
        guard let free else { return false }
        recent[free] = Entry(source: aid.source, kind: kind, beacon: beacon, time: aid.time)
        return true
    }

    /// Counts a range; returns whether it is within the limit per second.
    private mutating func admitRange(at time: BootTime) -> Bool {
        if time.seconds(since: second) >= 1 { (second, rangeCount) = (time, 0) }
        rangeCount += 1
        return rangeCount <= Self.rangesPerSecond
    }
}

/// Selects the poses of camera odometry to use. Poses are accepted from one camera at a time, in order, and only as
/// often as they contain new information.
package struct CameraGuard: Sendable, Codable {
    private var source: SourceName?
    private var last: BootTime?

    /// Time without a pose after which another camera is selected. Unit: seconds.
    private static let silence = 2.0

    /// Returns the verdict on a pose; nil if the pose is skipped without being counted, because it is from another
    /// camera or follows the previous pose too soon.
    mutating func admit(_ aid: AidMeasurement, minimumInterval: Double) -> StreamGuard.Verdict? {
        if let last, let source {
            let interval = aid.time.seconds(since: last)
            guard source == aid.source || interval > Self.silence else { return nil }
            if source == aid.source, interval <= 0 { return interval == 0 ? .duplicate : .reordered }
            if source == aid.source, interval < minimumInterval { return nil }
        }
        source = aid.source
        last = aid.time
        return .accepted
    }
}

extension AidMeasurement.Content {
    /// Beacon to which a range is measured; nil for other kinds.
    fileprivate var beacon: GeodeticPosition? {
        if case .range(let range) = self { range.beacon } else { nil }
    }

    fileprivate var kind: UInt8 {
        switch self {
        case .odometry: 0
        case .position: 1
        case .sighting: 2
        case .range: 3
        case .heading: 4
        case .height: 5
        }
    }
}
