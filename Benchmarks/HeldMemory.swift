import CAllocations
import Estimation
import Engine

/// What one estimator holds.
struct HeldMemory {
    /// The value of one filter, of which a bank and the snapshots hold many. Unit: bytes.
    let filter = MemoryLayout<ErrorStateKalmanFilter>.size
    /// On the heap while the search for north is under way: bank and queues. Unit: bytes.
    let bankOpen: Int
    /// On the heap after the first minute, when the bank has been let go: the queues alone. Unit: bytes.
    let bankClosed: Int

    init(_ walk: RecordedWalk) {
        let before = waymark_held_bytes()
        var odometry = Odometry()
        var index = 0
        while !odometry.hasOpenBank {
            odometry.feed(walk.measurements[index]) { _ in }
            index += 1
        }
        let open = waymark_held_bytes()
        for measurement in walk.measurements[index..<walk.index(seconds: Round.warmUp)] {
            odometry.feed(measurement) { _ in }
        }
        let closed = waymark_held_bytes()
        precondition(!odometry.hasOpenBank, "motion has decided where north is")
        // Estimator and measurements stay alive until the memory has been read.
        withExtendedLifetime(walk.measurements) {}
        bankOpen = Int(open - before)
        bankClosed = Int(closed - before)
    }
}
