import Documents
import Glibc

/// Age of a calibration by the system's clock, which may have been set since.
package struct CalibrationAge {
    /// Unit: seconds; never negative.
    package let seconds: Double

    package init(_ record: CalibrationRecord) { seconds = max(0, Self.now - record.time) }

    /// Seconds since 1970 UTC, as the system's clock has it.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Age in words, such as "3 days old".
    package var text: String {
        switch seconds {
        case ..<120: "\(Int(seconds)) s old"
        case ..<7200: "\(Int(seconds / 60)) min old"
        case ..<172_800: "\(Int(seconds / 3600)) h old"
        default: "\(Int(min(seconds / 86400, 1e6))) days old"
        }
    }
}
