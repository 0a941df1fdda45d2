import CIIO
import Glibc

/// What went wrong with a device or its context, and what helps.
public enum IIOError: Error, Hashable, CustomStringConvertible {
    /// A call of libiio failed with an error number.
    case call(String, code: Int32)
    /// The device or its description cannot be used.
    case unusable(String)
    /// The device is not in the context any more.
    case gone(String)
    /// The stop flag was set meanwhile.
    case stopped

    /// Of a call that returned a negated error number; a server may return any number.
    static func result(_ result: Int, of what: String) -> IIOError {
        .call(what, code: Int32(clamping: 0 &- result))
    }

    public var description: String {
        switch self {
        case .call(let what, let code): "\(what): \(Self.text(of: code))\(Self.advice(for: code))"
        case .unusable(let reason): reason
        case .gone(let name): "\(name) disconnected: waiting for it to return"
        case .stopped: "stopped"
        }
    }

    /// Whether only a new context can help: the server or the device went away.
    var endsContext: Bool {
        switch self {
        case .call(_, let code): [EPIPE, ENODEV, ENOENT, ECONNRESET, ECONNREFUSED, ENOTCONN, EBADF].contains(code)
        case .gone, .stopped: true
        case .unusable: false
        }
    }

    var isBusy: Bool {
        if case .call(_, EBUSY) = self { true } else { false }
    }

    private static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            iio_strerror(code, buffer.baseAddress!, buffer.count)
            buffer[buffer.count - 1] = 0
            return String(cString: buffer.baseAddress!)
        }
    }

    private static func advice(for code: Int32) -> String {
        switch code {
        case EACCES, EPERM: " (the service's group needs access to /dev/iio:device* and sysfs: check the udev rules)"
        case EROFS: " (/sys is read-only here: the service unit needs ReadWritePaths=/sys/devices)"
        case EBUSY: " (another program uses this device: stop it; retrying every second)"
        case ECONNREFUSED: " (is iiod running there?)"
        case EPIPE, ECONNRESET: " (the connection to iiod broke)"
        case EHOSTUNREACH, ENETUNREACH: " (no route: check sensors.iio.context and the network)"
        case ENOSYS: " (this libiio was built without the backend)"
        default: ""
        }
    }
}
