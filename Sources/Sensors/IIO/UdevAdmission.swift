import Glibc
import Linux

/// Wait for udev's rules to grant access to a device that has just appeared.
///
/// The kernel presents a device before the rules have run for it. A setup in between fails to open the buffer, or,
/// worse, fails only to set the rate or the clock of the timestamps.
struct UdevPermission {
    /// Time limit, after which the error of the setup itself reports what is missing. A busy board takes seconds at
    /// boot; 15 s were observed.
    private static let patienceNanoseconds: Int64 = 60_000_000_000
    private static let pauseSeconds = 0.05

    private let deadline = BootClock.nanoseconds + Self.patienceNanoseconds

    /// Time after which the wait is reported: longer than the rules take on an idle board.
    private static let quietNanoseconds: Int64 = 2_000_000_000

    /// Returns when access is granted, the stop flag is set, or the time is over.
    func wait(for device: IIODevice, stop: StopFlag, status: DeviceStatus) {
        // The last of the files to which the rule grants access.
        let path = "/sys/bus/iio/devices/\(device.identifier)/buffer/enable"
        let quietEnd = BootClock.nanoseconds + Self.quietNanoseconds
        var isTold = false
        while access(path, W_OK) != 0, errno == EACCES, BootClock.nanoseconds < deadline, !stop.isSet {
            if !isTold, BootClock.nanoseconds > quietEnd {
                // Only for the report: the journal already has a line for a lost and for a streaming device.
                _ = status.change(.searching, "its buffer is not permitted yet: waiting for udev's rules")
                isTold = true
            }
            stop.wait(seconds: Self.pauseSeconds)
        }
    }
}
