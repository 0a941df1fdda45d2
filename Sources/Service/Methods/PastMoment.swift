import Linux
import Model
import Varlink

/// A time as clients give it: of one of two clocks.
struct TimeMessage: Decodable {
    let sec: Int64
    let nsec: Int64

    /// Nil for what is no time since the beginning of a clock.
    var nanoseconds: Int64? {
        guard sec >= 0, (0..<1_000_000_000).contains(nsec) else { return nil }
        let (whole, overflow) = sec.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, tooLarge) = whole.addingReportingOverflow(nsec)
        return tooLarge ? nil : sum
    }
}

enum ClockMessage: String, Decodable {
    case boottime
    case realtime
}

/// Brings the times that clients give to boot time.
final class PastMoments {
    private var offsets = RealtimeOffsets()

    /// Looks at the clocks; to be called a few times a second.
    func readClocks() {
        offsets.note(
            BootClock.realtimeOffsetNanoseconds, at: BootTime(nanoseconds: BootClock.nanoseconds))
    }

    func time(_ message: TimeMessage, _ clock: ClockMessage?) throws(VarlinkError) -> BootTime {
        guard let nanoseconds = message.nanoseconds else { throw .invalidParameter("time") }
        guard clock == .realtime else { return BootTime(nanoseconds: nanoseconds) }
        readClocks()
        guard let time = offsets.bootTime(ofRealtime: nanoseconds) else {
            throw VarlinkError(name: "org.waymark.Pose.SkippedTime", encoding: NoParameters())
        }
        return time
    }

    private struct NoParameters: Encodable {}
}

extension VarlinkError {
    static let noPoseYet = VarlinkError(
        name: "org.waymark.Pose.NotReady",
        ["reason": "no inertial sample has arrived yet; see `waymark devices`"])

    init(_ problem: PastPoseProblem) {
        switch problem {
        case .none: self = .noPoseYet
        case .tooEarly(let available):
            self.init(name: "org.waymark.Pose.TooEarly", encoding: AvailablePoses(available))
        case .tooLate(let available):
            self.init(name: "org.waymark.Pose.TooLate", encoding: AvailablePoses(available))
        case .inGap(let gap, let available):
            self.init(name: "org.waymark.Pose.InGap", encoding: AvailablePoses(available, gap: gap))
        }
    }
}

/// Parameters of the error for a time without a pose: the range of poses that are available.
private struct AvailablePoses: Encodable {
    struct Time: Encodable {
        let sec: Int64
        let nsec: Int64

        init(_ time: BootTime) {
            let parts = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            sec = parts.remainder < 0 ? parts.quotient - 1 : parts.quotient
            nsec = parts.remainder < 0 ? parts.remainder + 1_000_000_000 : parts.remainder
        }
    }

    let begin: Time?
    let end: Time?
    let oldest: Time
    let newest: Time

    init(_ available: ClosedRange<BootTime>, gap: ClosedRange<BootTime>? = nil) {
        begin = gap.map { Time($0.lowerBound) }
        end = gap.map { Time($0.upperBound) }
        oldest = Time(available.lowerBound)
        newest = Time(available.upperBound)
    }
}
