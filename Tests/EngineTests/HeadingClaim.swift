import Geometry
import Model

/// Whether the published accuracy of the heading is true: the share of the time, and the longest time that it is not.
struct HeadingClaim {
    /// Multiple of the published standard deviation within which the heading has to be.
    static let limit = 3.0

    private var known = 0.0
    private var outside = 0.0
    private var last: Double?
    private var began: Double?
    /// Longest time without a break outside of the limit. Unit: seconds.
    private(set) var longestOutside = 0.0

    /// Share of the time with a known heading in which it was within the limit; 1 where it was never known.
    var shareWithin: Double { known > 0 ? 1 - outside / known : 1 }

    /// Time with a known heading. Unit: seconds.
    var knownSeconds: Double { known }

    /// One pose after the other.
    ///
    /// - Parameters:
    ///   - error: of the heading against its reference, radians.
    ///   - seconds: since the start.
    mutating func add(_ pose: PoseEstimate, error: Double, at seconds: Double) {
        defer { last = seconds }
        guard pose.headingReference != .none, let standardDeviation = pose.accuracy.yaw else {
            began = nil
            return
        }
        let interval = last.map { seconds - $0 } ?? 0
        known += interval
        guard error.magnitude > Self.limit * standardDeviation else {
            began = nil
            return
        }
        outside += interval
        let begin = began ?? seconds
        began = begin
        longestOutside = max(longestOutside, seconds - begin)
    }
}
