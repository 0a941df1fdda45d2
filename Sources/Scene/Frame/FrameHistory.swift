import Estimation
import Geometry
import Measurements

/// The corrections of the scene frame during the last ten minutes, so that it can be told why content moved.
public struct FrameHistory: Sendable {
    private var corrections: Ring<FrameCorrection>

    public init() { corrections = Ring(capacity: Self.capacity) }

    /// How far it reaches back. Unit: seconds.
    public static let span = 600.0
    /// Announcements within this of the first make one correction. Unit: seconds.
    private static let episode = 1.0
    /// Enough for one a second, and some that begin earlier.
    private static let capacity = 768
    /// So large a turn or shift is a correction of its own. Units: radians, metres.
    private static let ownTurn = 0.05
    private static let ownShift = 2.0

    public var count: Int { corrections.count }

    /// From the oldest, 0, to the newest, `count - 1`.
    public subscript(_ index: Int) -> FrameCorrection { corrections[index] }

    /// Those of the last `seconds` before a time, the oldest first.
    public func corrections(during seconds: Double, before time: BootTime) -> [FrameCorrection] {
        (0..<corrections.count).map { corrections[$0] }.filter {
            // One that is still under way counts, whenever it began.
            time.seconds(since: max($0.last, $0.slewEnd ?? $0.last)) <= min(seconds, Self.span)
        }
    }

    /// Takes what was announced.
    ///
    /// - Parameter wearer: where the wearer was at the time, about whom the frame turns. Frame: scene.
    public mutating func add(_ frame: FrameEstimate, at time: BootTime, wearer: Vector3) {
        while let first = corrections.first, time.seconds(since: first.last) > Self.span { corrections.removeFirst() }
        let correction = FrameCorrection(frame, at: time, wearer: wearer)
        guard let last = corrections.last, canJoin(last, correction) else {
            corrections.append(correction)
            return
        }
        corrections[corrections.count - 1].join(correction)
    }

    private func canJoin(_ last: FrameCorrection, _ next: FrameCorrection) -> Bool {
        let isOne = next.time.seconds(since: last.time) < Self.episode && next.time >= last.time
        let isLarge = next.turn.magnitude > Self.ownTurn || next.shift > Self.ownShift
        return isOne && !isLarge && last.generation == next.generation && last.origin == next.origin
            && next.causes.isDisjoint(with: .events) && last.causes.isDisjoint(with: .events)
    }
}
