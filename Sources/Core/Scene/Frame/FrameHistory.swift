import Geometry
import Model

/// Corrections of the scene frame during the last ten minutes. They explain why content moved.
///
/// A large correction is one entry from its beginning to its end. A series of large corrections that lasts longer than
/// an episode is split into several entries. Consecutive small corrections with the same cause are one entry.
public struct FrameHistory: Sendable {
    private var corrections: Ring<FrameCorrection>

    package init() { corrections = Ring(capacity: Self.capacity) }

    /// Time for which corrections are kept. Unit: seconds.
    public static let span = 600.0
    /// Time after the beginning of an entry during which corrections are joined to it. Unit: seconds.
    private static let episode = 10.0
    /// Number of corrections that are kept: one for each second of `span`, and some that began earlier.
    private static let capacity = 768

    package var count: Int { corrections.count }

    package var newest: FrameCorrection? { corrections.last }

    /// Correction at an index, from 0 for the oldest to `count - 1` for the newest.
    public subscript(_ index: Int) -> FrameCorrection { corrections[index] }

    /// Returns the corrections of the last `seconds` before a time, oldest first.
    public func corrections(during seconds: Double, before time: BootTime) -> [FrameCorrection] {
        (0..<corrections.count).map { corrections[$0] }.filter {
            // A correction in progress is included, no matter when it began.
            time.seconds(since: max($0.last, $0.slewEnd ?? $0.last)) <= min(seconds, Self.span)
        }
    }

    /// Adds an announced frame estimate.
    ///
    /// - Parameters:
    ///   - wearer: position of the wearer, about which the frame rotates. Frame: scene. Unit: metres.
    ///   - monitor: last reading of the heading monitor.
    ///   - plan: floor plan that has moved the frame; nil if no plan has moved it.
    /// - Returns: the large correction that ends with this estimate, with the values for its whole duration; nil if no
    ///   large correction ends.
    @discardableResult
    public mutating func add(
        _ frame: FrameEstimate, at time: BootTime, wearer: Vector3, monitor: HeadingReading? = nil,
        plan: PlanUse? = nil
    ) -> FrameCorrection? {
        defer { forget(before: time) }
        var next = FrameCorrection(frame, at: time, wearer: wearer, monitor: monitor, plan: plan)
        guard var last = corrections.last else {
            corrections.append(next)
            return nil
        }
        let wasInProgress = last.slewEnd != nil
        if last.isContinued(by: next, within: Self.episode) {
            last.join(next)
            corrections[corrections.count - 1] = last
        } else {
            if wasInProgress { last.end(with: next) }
            if next.isLarge { next.explain(by: last) }
            corrections[corrections.count - 1] = last
            corrections.append(next)
        }
        return wasInProgress && last.slewEnd == nil ? last : nil
    }
    private mutating func forget(before time: BootTime) {
        while let first = corrections.first, time.seconds(since: first.last) > Self.span { corrections.removeFirst() }
    }
}
