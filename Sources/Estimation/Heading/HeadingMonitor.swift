import Geometry
import Measurements

/// Independent integrity monitor of the yaw: robust rotation between inertial and GNSS motion over the last minutes.
/// The inertial motion is in the gyro frame, which no correction of the filter turns.
///
/// Two comparisons are made: of velocity changes, and of the track of the steps with the positions of fixes. Positions
/// of the scene would not do: under fixes they follow the receiver, by the yaw that is being checked.
///
/// Equations: docs/filter.md (48) to (50), (85) to (88).
package struct HeadingMonitor: Sendable {
    private var velocities = VelocityComparison()
    private var positions = TrackComparison()
    /// Newest reading; nil while no comparison is conclusive.
    package private(set) var reading: HeadingReading?
    private var nextReading: BootTime?
    private var contradictions = 0

    package init() {}

    /// Interval between two readings. Unit: seconds.
    private static let readingSeconds = 10.0
    /// Number of successive readings that must contradict the filter.
    private static let contradictionsToDoubt = 2

    // MARK: Pairs, in the order of their time

    /// Adds a pair of velocity changes.
    package mutating func add(_ pair: MotionPair) { velocities.add(pair) }

    /// Adds a pair of positions.
    package mutating func add(_ point: TrackPoint) { positions.add(point) }

    /// Forgets pairs after a time, from which the measurements will be repeated.
    mutating func forget(after time: BootTime) {
        velocities.forget(after: time)
        positions.forget(after: time)
    }

    mutating func restart() {
        velocities.removeAll()
        positions.removeAll()
        reading = nil
        nextReading = nil
        contradictions = 0
    }

    /// Moves to a new origin of ENU, at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { positions.shift(by: offset) }

    // MARK: Readings

    /// Makes a reading when one is due, of pairs that no late fix can change any more.
    ///
    /// - Returns: the reading, if the filter has been contradicted for long enough.
    mutating func watch(at now: BootTime, settledBefore end: BootTime) -> HeadingReading? {
        guard let due = nextReading else {
            nextReading = now.shifted(by: Int64(Self.readingSeconds * 1e9))
            return nil
        }
        guard now >= due else { return nil }
        nextReading = due.shifted(by: Int64(Self.readingSeconds * 1e9))
        guard let found = read(upTo: end) else {
            contradictions = 0
            reading = nil
            return nil
        }
        let isNew = reading?.time != found.time
        reading = found
        guard isNew else { return nil }
        let isContradicted = found.correction.map { found.contradicts(found.yaw - $0) } ?? false
        contradictions = isContradicted ? contradictions + 1 : 0
        guard contradictions >= Self.contradictionsToDoubt else { return nil }
        contradictions = 0
        return found
    }

    /// Reading by all pairs up to an instant; nil where they are inconclusive.
    package func read(upTo end: BootTime) -> HeadingReading? {
        HeadingReading.fused(velocities: velocities.read(upTo: end), positions: positions.read(upTo: end))
    }
}
