import Geometry
import Model

/// Largest differences between published and replayed poses that have the same time.
package struct PoseAgreement: Sendable {
    /// Number of pairs of poses with the same time.
    package private(set) var pairs = 0
    /// Largest distance between the two positions on the earth; nil without positions. Unit: metres.
    package private(set) var largestDistance: Double?
    package private(set) var timeOfLargestDistance: BootTime?
    /// Largest difference between the two headings; nil without headings. Unit: degrees.
    package private(set) var largestYaw: Double?
    package private(set) var timeOfLargestYaw: BootTime?
    /// Number of pairs in which only one pose has a position, or only one has a heading.
    package private(set) var oneSided = 0

    /// Largest differences that rounding can explain. Coordinates are recorded to 10⁻⁹ degrees.
    package static let rounding = (metres: 0.001, degrees: 0.001)

    // Maximum number of poses that wait for their counterparts. Samples are recorded in blocks of half a second, after
    // the poses that result from them: up to 500 poses at 1 kHz.
    private var published = RecentPoses(limit: 1024)
    private var replayed = RecentPoses(limit: 1024)

    init() {}

    /// Whether all pairs are equal apart from rounding.
    package var isExact: Bool {
        oneSided == 0 && (largestDistance ?? 0) <= Self.rounding.metres && (largestYaw ?? 0) <= Self.rounding.degrees
    }

    mutating func add(published pose: PoseSample) {
        guard let other = replayed.pose(at: pose.time) else { return published.add(pose) }
        compare(pose, other)
    }

    mutating func add(replayed pose: PoseSample) {
        if let other = published.pose(at: pose.time) { compare(other, pose) }
        replayed.add(pose)
    }

    private mutating func compare(_ a: PoseSample, _ b: PoseSample) {
        pairs += 1
        if (a.position == nil) != (b.position == nil) || (a.heading == nil) != (b.heading == nil) { oneSided += 1 }
        if let from = a.position, let to = b.position {
            let distance = Geodesic(from: from, to: to).distance
            if distance > largestDistance ?? -1 { (largestDistance, timeOfLargestDistance) = (distance, a.time) }
        }
        if let first = a.heading, let second = b.heading {
            let difference = (first - second).magnitude
            let yaw = min(difference, 360 - difference)
            if yaw > largestYaw ?? -1 { (largestYaw, timeOfLargestYaw) = (yaw, a.time) }
        }
    }
}

/// The last poses of a stream, searchable by time.
struct RecentPoses {
    private var poses: [PoseSample] = []
    /// Index of the oldest pose once the ring is full.
    private var next = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ pose: PoseSample) {
        if poses.count < limit { return poses.append(pose) }
        poses[next] = pose
        next = (next + 1) % limit
    }

    /// Pose with exactly this time.
    func pose(at time: BootTime) -> PoseSample? { newestFirst { $0.time == time } }

    /// Last pose that is not later than a time, and the first pose after that.
    func around(_ time: BootTime) -> (before: PoseSample?, after: PoseSample?) {
        var after: PoseSample?
        let before = newestFirst { pose in
            if pose.time <= time { return true }
            after = pose
            return false
        }
        return (before, after)
    }

    private func newestFirst(_ matches: (PoseSample) -> Bool) -> PoseSample? {
        for back in 1...max(1, poses.count) where back <= poses.count {
            let place = (next + poses.count - back) % poses.count
            if matches(poses[place]) { return poses[place] }
        }
        return nil
    }
}
