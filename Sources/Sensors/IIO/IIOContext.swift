import CIIO
import Glibc
import Linux

/// A libiio context and what is read from it; belongs to the thread that made it.
final class IIOContext {
    let pointer: OpaquePointer

    /// Opens a context; over a network the server is asked for a sign of life first.
    ///
    /// - Throws: `.call` with the system's error, `.stopped`.
    init(uri: String, timeoutMilliseconds: UInt32, stop: StopFlag) throws(IIOError) {
        try NetworkProbe.check(uri: uri, timeoutMilliseconds: timeoutMilliseconds, stop: stop)
        errno = 0
        guard let context = iio_create_context_from_uri(uri) else {
            if errno == ENOENT, uri.hasPrefix("local") {
                throw .unusable("this computer has no IIO device: no sensor driver is loaded")
            }
            throw .call("IIO context \(uri)", code: errno == 0 ? EINVAL : errno)
        }
        pointer = context
        setTimeout(milliseconds: timeoutMilliseconds)
    }

    deinit { iio_context_destroy(pointer) }

    /// How long a call may take from now on.
    func setTimeout(milliseconds: UInt32) { _ = iio_context_set_timeout(pointer, milliseconds) }

    /// Of the board that holds all of the devices, where it is one by itself, such as on USB.
    var serial: String? {
        guard let text = iio_context_get_attr_value(pointer, "hw_serial") else { return nil }
        let serial = String(cString: text).prefix(64)
        return serial.isEmpty ? nil : String(serial)
    }

    var devices: [IIODevice] {
        (0..<iio_context_get_devices_count(pointer)).compactMap { index in
            iio_context_get_device(pointer, index).map { IIODevice(context: self, pointer: $0) }
        }
    }
}

/// One device of a context.
struct IIODevice {
    let context: IIOContext
    let pointer: OpaquePointer

    var identifier: String { String(cString: iio_device_get_id(pointer)) }
    var name: String? { iio_device_get_name(pointer).map(Self.short) }
    var label: String? { iio_device_get_label(pointer).map(Self.short) }

    /// No driver's name is longer; a server's may be.
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

    /// - Throws: `.call` with the error of the read.
    func read(_ attribute: String) throws(IIOError) -> String {
        try readAttribute("\(identifier) \(attribute)") { iio_device_attr_read(pointer, attribute, $0, $1) }
    }

    /// - Throws: `.call` with the error of the write.
    func write(_ attribute: String, _ text: String) throws(IIOError) {
        let result = iio_device_attr_write(pointer, attribute, text)
        if result < 0 { throw .result(result, of: "writing \(identifier) \(attribute)") }
    }
}

/// One channel of a device.
struct IIOChannel {
    let device: IIODevice
    let pointer: OpaquePointer

    var identifier: String { String(cString: iio_channel_get_id(pointer)) }
    var isScanElement: Bool { iio_channel_is_scan_element(pointer) }
    var isOutput: Bool { iio_channel_is_output(pointer) }
    var index: Int { Int(iio_channel_get_index(pointer)) }

    /// - Throws: when the packing the driver or the server names cannot be decoded.
    func format() throws(ChannelFormatError) -> ChannelFormat {
        guard let raw = iio_channel_get_data_format(pointer)?.pointee else {
            throw ChannelFormatError(text: identifier, reason: "the channel has no format")
        }
        return try ChannelFormat(
            isBigEndian: raw.is_be, isSigned: raw.is_signed, bits: Int(raw.bits), storageBits: Int(raw.length),
            shift: Int(raw.shift), repeats: Int(raw.repeat))
    }

    func hasAttribute(_ name: String) -> Bool { iio_channel_find_attr(pointer, name) != nil }

    /// - Throws: `.call` with the error of the read.
    func read(_ attribute: String) throws(IIOError) -> String {
        try readAttribute("\(device.identifier) \(identifier) \(attribute)") {
            iio_channel_attr_read(pointer, attribute, $0, $1)
        }
    }

    /// A number that has to be one where the attribute exists.
    ///
    /// - Throws: `.unusable` when it is there and no finite number.
    func number(_ attribute: String, or absent: Double) throws(IIOError) -> Double {
        guard hasAttribute(attribute) else { return absent }
        let text = try read(attribute)
        guard let value = decimal(text) else {
            throw .unusable(
                "\(device.identifier) \(identifier): \(attribute) is “\(trimmed(text).prefix(40))”, not a number")
        }
        return value
    }

    /// - Throws: `.call` with the error of the write.
    func write(_ attribute: String, _ text: String) throws(IIOError) {
        let result = iio_channel_attr_write(pointer, attribute, text)
        if result < 0 { throw .result(result, of: "writing \(device.identifier) \(identifier) \(attribute)") }
    }
}

/// Reads an attribute of at most 4 KiB, the kernel's own limit.
private func readAttribute(
    _ what: String, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(IIOError) -> String {
    var result = 0
    let text = withUnsafeTemporaryAllocation(byteCount: 4097, alignment: 1) { buffer in
        result = read(buffer.baseAddress!.assumingMemoryBound(to: CChar.self), 4096)
        let count = min(max(result, 0), 4096)
        return String(decoding: buffer[..<count].prefix { $0 != 0 }, as: UTF8.self)
    }
    if result < 0 { throw .result(result, of: "reading \(what)") }
    return text
}
