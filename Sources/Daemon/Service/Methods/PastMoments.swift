import Linux
import Model
import Varlink
import WaymarkInterface

/// Converts times that clients give to boot time.
final class PastMoments {
    private var offsets = RealtimeOffsets()

    /// Reads the clocks and notes their difference; to be called a few times a second.
    func readClocks() {
        offsets.note(
            BootClock.realtimeOffsetNanoseconds, at: BootTime(nanoseconds: BootClock.nanoseconds))
    }

    func time(_ time: PoseInterface.Time, _ clock: PoseInterface.Clock?) throws(VarlinkError) -> BootTime {
        guard let nanoseconds = time.nanoseconds else { throw .invalidParameter("time") }
        switch clock ?? .boottime {
        case .boottime: return BootTime(nanoseconds: nanoseconds)
        case .realtime:
            readClocks()
            guard let time = offsets.bootTime(ofRealtime: nanoseconds) else {
                throw VarlinkError(PoseInterface.Failure.skippedTime)
            }
            return time
        }
    }
}
