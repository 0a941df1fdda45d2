import CIIO
import Glibc
import Linux

/// A libiio context. Not thread-safe: for use by the thread that created it.
final class IIOContext {
    let pointer: OpaquePointer

    /// Errors of libiio that may indicate a time-out. Over a network, a time-out appears as a broken pipe although the
    /// connection stays open. A time-out error then comes from the driver, and iiod forwards it.
    private let timeouts: [Int32]
    /// Request that a server has not answered in time. Afterwards no more requests are made, because the late answer
    /// would be taken for the answer to the next one. A scale could then get the value of another attribute.
    private var unanswered: String?

    /// Opens a context; a network server is probed first.
    ///
    /// - Throws: `.call` with the system's error, `.unusable`, or `.stopped`.
    init(uri: String, timeoutMilliseconds: UInt32, stop: StopFlag) throws(IIOError) {
        try NetworkProbe.check(uri: uri, timeoutMilliseconds: timeoutMilliseconds, stop: stop)
        try Self.openLibrary()
        errno = 0
        guard let context = iio_create_context_from_uri(uri) else {
            if errno == ENOENT, uri.hasPrefix("local") {
                throw .unusable("this computer has no IIO device: no sensor driver is loaded")
            }
            throw .call("IIO context \(uri)", code: errno == 0 ? EINVAL : errno)
        }
        pointer = context
        timeouts = uri.hasPrefix("local") ? [] : uri.hasPrefix("ip:") ? [EPIPE] : [EPIPE, ETIMEDOUT]
        setTimeout(milliseconds: timeoutMilliseconds)
    }

    private static func openLibrary() throws(IIOError) {
        var problem = [CChar](repeating: 0, count: 256)
        guard !ciio_open(&problem, problem.count) else { return }
        let reason = problem.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        throw .unusable("libiio cannot be opened: install it by `sudo apt-get install libiio0` (\(reason))")
    }

    deinit { iio_context_destroy(pointer) }

    /// Sets the timeout of all later calls.
    func setTimeout(milliseconds: UInt32) {
        _ = try? ask("setting the time-out") { Int(iio_context_set_timeout(pointer, milliseconds)) }
    }

    /// Makes a request that a server may have to answer. This is any request except reading samples of a buffer, which
    /// has a connection of its own.
    ///
    /// - Returns: libiio's result, which is not negative.
    /// - Throws: `.call` with the error, or `.unanswered` if this request or an earlier one was not answered.
    @discardableResult
    func ask(_ question: @autoclosure () -> String, _ call: () -> Int) throws(IIOError) -> Int {
        try requireAnswers()
        let result = call()
        guard result < 0 else { return result }
        let error = IIOError.result(result, of: question())
        guard case .call(let question, let code) = error, timeouts.contains(code) else { throw error }
        unanswered = question
        throw .unanswered(question)
    }

    /// - Throws: `.unanswered` if an earlier request was not answered, even if its error was ignored.
    func requireAnswers() throws(IIOError) {
        if let unanswered { throw .unanswered(unanswered) }
    }

    /// Serial number of the board that carries all devices; nil if the context has none. A context over USB has one.
    var serial: String? {
        guard let text = iio_context_get_attr_value(pointer, "hw_serial") else { return nil }
        let serial = String(cString: text).prefix(64)
        return serial.isEmpty ? nil : String(serial)
    }

    /// Devices of the context. At most 256 are returned, because a server may describe any number.
    var devices: [IIODevice] {
        (0..<min(iio_context_get_devices_count(pointer), 256)).compactMap { index in
            iio_context_get_device(pointer, index).map { IIODevice(context: self, pointer: $0) }
        }
    }
}

struct IIODevice {
    let context: IIOContext
    let pointer: OpaquePointer

    var identifier: String { String(cString: iio_device_get_id(pointer)) }
    var name: String? { iio_device_get_name(pointer).map(Self.short) }
    var label: String? { iio_device_get_label(pointer).map(Self.short) }

    /// Cuts a name to 64 characters. No driver has a longer name, but a server may send any.
    private static func short(_ text: UnsafePointer<CChar>) -> String { String(String(cString: text).prefix(64)) }
    var isTrigger: Bool { iio_device_is_trigger(pointer) }

    var channels: [IIOChannel] {
        (0..<iio_device_get_channels_count(pointer)).compactMap { index in
            iio_device_get_channel(pointer, index).map { IIOChannel(device: self, pointer: $0) }
        }
    }

    func channel(_ name: String) -> IIOChannel? {
        iio_device_find_channel(pointer, name, false).map { IIOChannel(device: self, pointer: $0) }
    }

    func hasAttribute(_ name: String) -> Bool { iio_device_find_attr(pointer, name) != nil }

    /// - Throws: `.call` with the error of the read, or `.unanswered`.
    func read(_ attribute: String) throws(IIOError) -> String {
        try context.text("\(identifier) \(attribute)") { iio_device_attr_read(pointer, attribute, $0, $1) }
    }

    /// - Throws: `.call` with the error of the write, or `.unanswered`.
    func write(_ attribute: String, _ text: String) throws(IIOError) {
        try context.ask("writing \(identifier) \(attribute)") { iio_device_attr_write(pointer, attribute, text) }
    }
}

struct IIOChannel {
    let device: IIODevice
    let pointer: OpaquePointer

    var identifier: String { String(cString: iio_channel_get_id(pointer)) }
    var isScanElement: Bool { iio_channel_is_scan_element(pointer) }
    var isOutput: Bool { iio_channel_is_output(pointer) }
    var index: Int { Int(iio_channel_get_index(pointer)) }

    /// Encoding of the channel in a scan.
    ///
    /// - Throws: if the format reported by the driver or the server cannot be decoded.
    func format() throws(ChannelFormatError) -> ChannelFormat {
        guard let raw = iio_channel_get_data_format(pointer)?.pointee else {
            throw ChannelFormatError(text: identifier, reason: "the channel has no format")
        }
        return try ChannelFormat(
            isBigEndian: raw.is_be, isSigned: raw.is_signed, bits: Int(raw.bits), storageBits: Int(raw.length),
            shift: Int(raw.shift), repeats: Int(raw.repeat))
    }

    // `withCString` is used, because passing a String as a pointer would copy it to the heap for each polled value.
    func hasAttribute(_ name: String) -> Bool { name.withCString { iio_channel_find_attr(pointer, $0) != nil } }

    /// - Throws: `.call` with the error of the read, or `.unanswered`.
    func read(_ attribute: String) throws(IIOError) -> String {
        try read(attribute, size: 4096)
    }

    /// Numeric value of an attribute; nil if its text is not a number. This code allocates no heap memory, but in a
    /// local context libiio opens a stream with a buffer for each read.
    ///
    /// - Throws: `.call` with the error of the read, or `.unanswered`.
    func value(_ attribute: String) throws(IIOError) -> Double? {
        // Temporary allocations of up to 1 KiB are on the stack.
        decimal(try read(attribute, size: 256))
    }

    private func read(_ attribute: String, size: Int) throws(IIOError) -> String {
        try device.context.text("\(device.identifier) \(identifier) \(attribute)", size: size) { text, size in
            attribute.withCString { iio_channel_attr_read(pointer, $0, text, size) }
        }
    }

    /// Value of a numeric attribute of the channel, or else of the device's attribute, which applies to all channels;
    /// `absent` if there is neither.
    ///
    /// - Throws: `.unusable` if the attribute exists and is not a finite number.
    func number(_ attribute: String, or absent: Double) throws(IIOError) -> Double {
        let isOwn = hasAttribute(attribute)
        guard isOwn || device.hasAttribute(attribute) else { return absent }
        let text = try isOwn ? read(attribute) : device.read(attribute)
        guard let value = decimal(text) else {
            throw .unusable(
                "\(device.identifier) \(identifier): \(attribute) is “\(trimmed(text).prefix(40))”, not a number")
        }
        return value
    }

    /// - Throws: `.call` with the error of the write, or `.unanswered`.
    func write(_ attribute: String, _ text: String) throws(IIOError) {
        try device.context.ask("writing \(device.identifier) \(identifier) \(attribute)") {
            iio_channel_attr_write(pointer, attribute, text)
        }
    }
}

extension IIOContext {
    /// Reads an attribute of at most `size` bytes; 4 KiB is the kernel's limit.
    fileprivate func text(
        _ attribute: @autoclosure () -> String, size: Int = 4096, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) throws(IIOError) -> String {
        // The error is passed in a `Result`, because the allocation's closure cannot throw an error of this type.
        let result = withUnsafeTemporaryAllocation(byteCount: size + 1, alignment: 1) { buffer in
            Result { () throws(IIOError) in
                let text = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
                let count = try ask("reading \(attribute())") { read(text, size) }
                return String(decoding: buffer[..<min(count, size)].prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return try result.get()
    }
}

/// Parses an attribute's text as a decimal number, ignoring white space and zero bytes around it.
///
/// - Returns: nil unless the text is exactly one finite decimal number.
func decimal(_ text: String) -> Double? {
    let bytes = trimmed(text)
    guard let value = Double(bytes), value.isFinite else { return nil }
    // `Double` also parses hexadecimal, which no attribute uses.
    return bytes.utf8.contains(where: { $0 == 0x78 || $0 == 0x58 }) ? nil : value
}

/// The text without white space and zero bytes around it.
func trimmed(_ text: String) -> Substring {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\0" }
    var rest = text[...]
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
}

/// Error of a device or its context, with advice for the user.
package enum IIOError: Error, Hashable, CustomStringConvertible {
    /// A call of libiio failed with an error number.
    case call(String, code: Int32)
    /// The device or its description cannot be used.
    case unusable(String)
    /// The device's buffer needs a trigger and there is none.
    case untriggered(String)
    /// A server did not answer this request in time, and the context is no longer usable.
    case unanswered(String)
    /// The device is no longer in the context.
    case gone(String)
    /// The stop flag was set during the call.
    case stopped

    /// Makes the error of a call that returned a negated error number. It is clamped because a server may return any
    /// number.
    static func result(_ result: Int, of what: String) -> IIOError {
        .call(what, code: Int32(clamping: 0 &- result))
    }

    package var description: String {
        switch self {
        case .call(let what, let code): "\(what): \(FileError(code: code))\(Self.advice(for: code))"
        case .unusable(let reason), .untriggered(let reason): reason
        case .unanswered(let question):
            "\(question): the server gave no answer, or too late; connecting again"
        case .gone(let name): "\(name) disconnected: waiting for it to return"
        case .stopped: "stopped"
        }
    }

    /// The failed operation and the reason, without advice.
    var cause: String {
        if case .call(let what, let code) = self { "\(what): \(FileError(code: code))" } else { description }
    }

    /// Whether a new context is needed, because the server or the device went away.
    var endsContext: Bool {
        switch self {
        case .call(_, let code): [EPIPE, ENODEV, ENOENT, ECONNRESET, ECONNREFUSED, ENOTCONN, EBADF].contains(code)
        case .unanswered, .gone, .stopped: true
        case .unusable, .untriggered: false
        }
    }

    var isBusy: Bool {
        if case .call(_, EBUSY) = self { true } else { false }
    }

    /// Whether the buffer cannot be set up at all. Errors that may pass do not count: a busy buffer is released
    /// eventually, and a missing trigger may still be created.
    var isOfBuffer: Bool {
        switch self {
        case .untriggered, .unanswered: false
        default: !isBusy
        }
    }

    private static func advice(for code: Int32) -> String {
        switch code {
        case EACCES, EPERM: " (the service's user needs access to /dev/iio:device* and sysfs: check the udev rules)"
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
