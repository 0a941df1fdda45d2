import Model
import State

/// Choice of the offers that are used: no more often of each source and kind than they say something new, and of no
/// more sources at a time than the estimator can follow. Each late one has it integrate again.
package struct OfferGuard: Sendable, Codable {
    /// Number of sources and kinds that are followed at a time.
    private static let most = 32
    /// Time after which another takes the place of one that is silent. Unit: seconds.
    private static let silence = 2.0
    /// Least interval between two ranges of one beacon. Unit: seconds.
    private static let rangeInterval = 0.095
    /// Least interval between two other offers. Unit: seconds.
    private static let interval = 0.245

    private var recent = InlineArray<32, Entry>(repeating: Entry())

    private struct Entry: Sendable, Codable {
        var source: SourceName?
        var kind: UInt8 = 0
        var time = BootTime(nanoseconds: 0)
    }

    package init() {}

    /// Whether an offer is to be used. Those of one source and kind may come in any order.
    mutating func admit(_ aid: AidMeasurement) -> Bool {
        let kind = aid.content.kind
        var free: Int?
        for index in recent.indices {
            let apart = aid.time.seconds(since: recent[index].time).magnitude
            if recent[index].source == aid.source, recent[index].kind == kind {
                guard apart >= (kind == AidMeasurement.Content.rangeKind ? Self.rangeInterval : Self.interval) else {
                    return false
                }
                recent[index].time = aid.time
                return true
            }
            if recent[index].source == nil || apart > Self.silence { free = free ?? index }
        }
        guard let free else { return false }
        recent[free] = Entry(source: aid.source, kind: kind, time: aid.time)
        return true
    }
}

extension AidMeasurement.Content {
    fileprivate static let rangeKind: UInt8 = 3

    /// Number of the kind.
    fileprivate var kind: UInt8 {
        switch self {
        case .odometry: 0
        case .position: 1
        case .sighting: 2
        case .range: Self.rangeKind
        case .heading: 4
        case .height: 5
        }
    }
}
