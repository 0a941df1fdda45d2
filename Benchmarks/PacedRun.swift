import Engine
import Glibc
import Model

/// What a sample costs when it comes at its own time, as on a board: caches have forgotten the estimator meanwhile.
enum PacedRun {
    /// Interval of the inertial samples. Unit: nanoseconds.
    private static let interval = 5_000_000

    /// Feeds the walk's first minute at once, and the samples after it one by one, by a timer.
    ///
    /// - Parameter started: called before the first of those samples.
    /// - Returns: processor time of a sample, with that of its wake-up. Unit: nanoseconds.
    static func run(_ walk: RecordedWalk, samples: Int, started: () -> Void) -> Double {
        var odometry = Odometry()
        var next = walk.index(seconds: Round.warmUp)
        for measurement in walk.measurements[..<next] { odometry.feed(measurement) { _ in } }
        started()
        var due = timespec()
        clock_gettime(CLOCK_MONOTONIC, &due)
        let begin = ThreadClock.now
        for _ in 0..<samples {
            let nanoseconds = due.tv_nsec + interval
            due = timespec(tv_sec: due.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil)
            var isComplete = false
            while !isComplete, next < walk.measurements.endIndex {
                if case .angularRate = walk.measurements[next] { isComplete = true }
                odometry.feed(walk.measurements[next]) { _ in }
                next += 1
            }
            precondition(isComplete, "the walk has that many samples")
        }
        return (ThreadClock.now - begin) / Double(samples)
    }
}
