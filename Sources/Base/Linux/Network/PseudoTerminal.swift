import Glibc

/// A pseudo-terminal for programs that read a serial port, with a link at a given path.
///
/// This process writes to one end. Any number of programs may open the other end, but they share the output, as they
/// would with a serial port.
package final class PseudoTerminal {
    package let path: String
    /// Path of the terminal itself, such as `/dev/pts/3`.
    package let device: String
    private let owner: OwnedDescriptor

    private static let mode: mode_t = 0o640
    /// TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h. They are needed because Swift's module of the C library lacks
    /// the functions that unlock and name the terminal.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Creates the terminal in raw mode, and the link to it. Replaces a link that an earlier run left.
    ///
    /// - Parameter group: group whose members may read; nil for the group of the process.
    package init(path: String, group: gid_t?) throws(SystemError) {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("make a pseudo terminal", code: errno) }
        owner = OwnedDescriptor(descriptor)
        var (locked, number): (Int32, Int32) = (0, 0)
        guard ioctl(descriptor, Self.setLock, &locked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0 else {
            throw SystemError("make a pseudo terminal", code: errno)
        }
        device = "/dev/pts/\(number)"
        self.path = path
        try Self.prepare(device, group)
        try Self.link(path, to: device)
    }

    deinit { close() }

    /// Sets the terminal to raw mode. The terminal is opened and closed here once. From then on, the kernel reports
    /// whether a reader has it open.
    private static func prepare(_ device: String, _ group: gid_t?) throws(SystemError) {
        let descriptor = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(device)", code: errno) }
        let owner = OwnedDescriptor(descriptor)
        var settings = termios()
        guard tcgetattr(owner.descriptor, &settings) == 0 else { throw SystemError("set up \(device)", code: errno) }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B38400))
        guard tcsetattr(owner.descriptor, TCSANOW, &settings) == 0 else {
            throw SystemError("set up \(device)", code: errno)
        }
        if let group, fchown(owner.descriptor, uid_t.max, group) != 0 {
            throw SystemError("give \(device) to group \(group)", code: errno)
        }
        guard fchmod(owner.descriptor, mode) == 0 else { throw SystemError("set the mode of \(device)", code: errno) }
    }

    private static func link(_ path: String, to device: String) throws(SystemError) {
        var information = stat()
        if lstat(path, &information) == 0 {
            guard information.st_mode & S_IFMT == S_IFLNK else {
                throw SystemError("\(path) exists but is not a link: remove it, or choose another path", code: EEXIST)
            }
            unlink(path)
        }
        guard symlink(device, path) == 0 else { throw SystemError("make the link \(path)", code: errno) }
    }

    /// Whether a program has the terminal open.
    package var hasReader: Bool {
        var state = pollfd(fd: owner.descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) == 0 || state.revents & Int16(POLLHUP) == 0
    }

    /// Writes a whole message or nothing. A slow reader misses messages, but it never lags behind by more than the
    /// kernel's buffer, as with a serial port.
    package func send(_ message: [UInt8]) {
        discardInput()
        unsent.removeFirst(write(unsent))
        guard unsent.isEmpty else { return }
        unsent = Array(message.dropFirst(write(message)))
    }

    /// Rest of a message for which the kernel had no room.
    private var unsent: [UInt8] = []

    private func write(_ bytes: [UInt8]) -> Int {
        guard !bytes.isEmpty else { return 0 }
        return max(0, bytes.withUnsafeBytes { Glibc.write(owner.descriptor, $0.baseAddress, $0.count) })
    }

    /// Discards commands from programs that mistake this terminal for a GNSS receiver.
    private func discardInput() {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) {
            _ = read(owner.descriptor, $0.baseAddress, $0.count)
        }
    }

    /// Removes the link, if it still leads to this terminal.
    package func close() {
        var target = [CChar](repeating: 0, count: 64)
        let length = readlink(path, &target, target.count - 1)
        guard length > 0, target.withUnsafeBufferPointer({ String(cString: $0.baseAddress!) }) == device else { return }
        unlink(path)
    }
}
