import CAllocations
import Model
import Engine

/// What one run through the walk cost.
struct Round {
    /// Of everything that was fed, by inertial sample. Unit: nanoseconds.
    var nanosecondsPerSample: Double
    /// From a fix, 0.3 s late, to the next pose: the median over the walk. Unit: nanoseconds.
    var nanosecondsPerLateFix: Double
    /// Blocks taken from the heap after the first minute, by inertial sample.
    var allocationsPerSample: Double
    /// Copies of 4 KiB and more after the first minute, by inertial sample: snapshots, and no other.
    var largeCopiesPerSample: Double

    /// Until then everything has been met for the first time: position, heading, the field's reference. Unit: seconds.
    static let warmUp = 60.0

    init(_ walk: RecordedWalk) {
        nanosecondsPerSample = Self.time(walk)
        nanosecondsPerLateFix = Self.timeFixes(walk)
        (allocationsPerSample, largeCopiesPerSample) = Self.countMemory(walk)
    }

    private static func time(_ walk: RecordedWalk) -> Double {
        var odometry = Odometry()
        var poses = 0
        let begin = ThreadClock.now
        for measurement in walk.measurements { odometry.feed(measurement) { if $0.pose != nil { poses += 1 } } }
        let spent = ThreadClock.now - begin
        precondition(poses == walk.inertialCount, "each inertial sample gives a pose")
        return spent / Double(walk.inertialCount)
    }

    private static func timeFixes(_ walk: RecordedWalk) -> Double {
        var odometry = Odometry()
        var begin: Double?
        var spans: [Double] = []
        spans.reserveCapacity(walk.fixCount)
        for measurement in walk.measurements {
            if case .fix = measurement { begin = ThreadClock.now }
            var hasPose = false
            odometry.feed(measurement) { _ in hasPose = true }
            guard hasPose, let since = begin else { continue }
            spans.append(ThreadClock.now - since)
            begin = nil
        }
        return spans.sorted()[spans.count / 2]
    }

    private static func countMemory(_ walk: RecordedWalk) -> (allocations: Double, largeCopies: Double) {
        var odometry = Odometry()
        var allocations: UInt64 = 0
        var copies: UInt64 = 0
        var samples = 0
        guard let start = walk.measurements.first?.time else { return (0, 0) }
        for measurement in walk.measurements {
            if samples == 0, measurement.arrival.seconds(since: start) >= warmUp {
                allocations = waymark_allocations()
                copies = waymark_large_copies()
            }
            odometry.feed(measurement) { _ in }
            if measurement.arrival.seconds(since: start) >= warmUp, case .angularRate = measurement { samples += 1 }
        }
        let count = Double(max(1, samples))
        return (
            Double(waymark_allocations() - allocations) / count, Double(waymark_large_copies() - copies) / count
        )
    }
}
