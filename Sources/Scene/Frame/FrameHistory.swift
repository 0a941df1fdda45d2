import Geometry
import Model

/// The corrections of the scene frame during the last ten minutes, so that it can be told why content moved.
///
/// A large correction is one from its beginning to its end, or until the origin of east, north and up comes along; small ones
/// of the same cause that follow each other are one.
public struct FrameHistory: Sendable {
    private var corrections: Ring<FrameCorrection>

    public init() { corrections = Ring(capacity: Self.capacity) }

    /// How far it reaches back. Unit: seconds.
    public static let span = 600.0
    /// Small corrections within this of the first make one. Unit: seconds.
    private static let episode = 10.0
    /// Enough for one a second, and some that begin earlier.
    private static let capacity = 768

    public var count: Int { corrections.count }

    public var newest: FrameCorrection? { corrections.last }

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
    /// - Parameters:
    ///   - wearer: where the wearer was at the time, about whom the frame turns. Frame: scene.
    ///   - monitor: what the monitor of the heading read last.
    /// - Returns: whether a large correction has begun.
    @discardableResult
    public mutating func add(
        _ frame: FrameEstimate, at time: BootTime, wearer: Vector3, monitor: HeadingReading? = nil
    ) -> Bool {
        while let first = corrections.first, time.seconds(since: first.last) > Self.span { corrections.removeFirst() }
        var correction = FrameCorrection(frame, at: time, wearer: wearer, monitor: monitor)
        guard let last = corrections.last else {
            corrections.append(correction)
            return correction.isLarge
        }
        if last.takes(correction, within: Self.episode) {
            corrections[corrections.count - 1].join(correction)
            return false
        }
        if correction.isLarge { correction.explain(by: last) }
        corrections.append(correction)
        // By another origin the same large correction goes on, which has been told.
        return correction.isLarge && !last.lasts(until: correction)
    }
}
