import Geometry
import Model

/// Watches over the filter's yaw from outside: the robust turn between what the inertial sensors felt in a frame that no
/// correction turns and what the receiver measured, over the last minutes.
///
/// Two comparisons answer: changes of velocity, and the track of the steps with the positions of fixes. The positions of
/// the scene would not do: under fixes those follow the receiver itself, by the very yaw that is in question.
///
/// Equations: docs/filter.md (48) to (50), (85) to (88).
package struct HeadingMonitor: Sendable {
    private var velocities = VelocityComparison()
    private var positions = TrackComparison()
    package private(set) var reading: HeadingReading?
    private var nextReading: BootTime?
    private var contradictions = 0

    package init() {}

    /// Between readings. Unit: seconds.
    private static let readingSeconds = 10.0
    /// Readings in a row that must contradict the filter.
    private static let contradictionsToDoubt = 2

    // MARK: Pairs, in the order of their time

    package mutating func add(_ pair: MotionPair) { velocities.add(pair) }

    package mutating func add(_ point: TrackPoint) { positions.add(point) }

    /// What came after is going to be repeated.
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

    /// Follows a new origin of ENU, which lies at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { positions.shift(by: offset) }

    // MARK: Readings

    /// Looks at the pairs that no late fix can change any more, when it is time.
    ///
    /// - Returns: a doubt, when the filter has been contradicted for long enough.
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

    /// The turn by what was compared up to an instant; nil where nothing shows it.
    package func read(upTo end: BootTime) -> HeadingReading? {
        HeadingReading.fused(velocities: velocities.read(upTo: end), positions: positions.read(upTo: end))
    }
}
