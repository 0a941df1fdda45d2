import Glibc
import Linux
import WaymarkClient

/// Poses as the daemon publishes them, from the first one on: a daemon that has none yet is asked again.
final class PoseStream {
    private let client: Waymark.Client
    private let rate: Double
    private let withFrames: Bool
    private let predictAhead: Double?
    private var updates: Waymark.Updates<Waymark.PoseUpdate>?

    /// Interval of retries while the daemon has no poses.
    private static let pauseMicroseconds: UInt32 = 250_000

    /// - Parameters:
    ///   - withFrames: with corrections of the scene frame in between.
    ///   - predictAhead: seconds; nil for poses as they are.
    init(rate: Double, withFrames: Bool, predictAhead: Double? = nil) throws(WaymarkError) {
        client = try Waymark.Client()
        self.rate = rate
        self.withFrames = withFrames
        self.predictAhead = predictAhead
    }

    /// Waits for the next message; nil when `deadline` passes first.
    func next(until deadline: Deadline) throws(WaymarkError) -> Waymark.PoseUpdate? {
        while !deadline.hasPassed {
            do {
                return try next(timeout: deadline.left)
            } catch .timedOut where deadline.hasPassed {
                break
            } catch .pose(.notReady) {
                updates = nil
                usleep(Self.pauseMicroseconds)
            }
        }
        return nil
    }

    private func next(timeout: Duration?) throws(WaymarkError) -> Waymark.PoseUpdate {
        if updates == nil { updates = try client.poses(rate: rate, frames: withFrames, predictAhead: predictAhead) }
        // A stream without an end has ended: the daemon is going.
        guard let update = try updates?.next(timeout: timeout) else { throw .disconnected }
        return update
    }
}
