import Glibc
import Linux

/// Waits until udev's rules have permitted a device that has only just appeared.
///
/// The kernel shows a device before the rules have run for it. Who sets it up in between is refused the buffer, or,
/// what is worse, only the rate or the clock of its stamps.
struct UdevAdmission {
    /// Beyond this nobody is at work on it any more: then the refusal itself says what is missing. A busy board takes
    /// seconds at a start, and a quarter of a minute was seen.
    private static let patienceNanoseconds: Int64 = 60_000_000_000
    private static let pauseSeconds = 0.05

    private let deadline = BootClock.nanoseconds + Self.patienceNanoseconds

    /// Longer than rules take on a board that is not busy; then the report says what is waited for.
    private static let quietNanoseconds: Int64 = 2_000_000_000

    /// Returns when the device can be set up, the stop flag is set, or it takes too long.
    func wait(for device: IIODevice, stop: StopFlag, board: ReportBoard) {
        // The last of the files that the rule permits: with it the others are.
        let path = "/sys/bus/iio/devices/\(device.identifier)/buffer/enable"
        let quietEnd = BootClock.nanoseconds + Self.quietNanoseconds
        var isTold = false
        while access(path, W_OK) != 0, errno == EACCES, BootClock.nanoseconds < deadline, !stop.isSet {
            if !isTold, BootClock.nanoseconds > quietEnd {
                // For who asks; the journal has enough with a device that goes and one that streams.
                _ = board.note(.searching, "no permission for the buffer yet: waiting for the udev rules")
                isTold = true
            }
            stop.wait(seconds: Self.pauseSeconds)
        }
    }
}
