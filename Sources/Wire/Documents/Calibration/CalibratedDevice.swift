/// Identity of the device that a calibration belongs to: properties that do not change from boot to boot, unlike the
/// numbers assigned by the kernel.
public struct CalibratedDevice: Hashable, Sendable {
    /// Name of the chip as reported by its driver.
    public var name: String
    /// Name in the board's description (IIO attribute `label`).
    public var label: String?
    /// Serial number of the part, if its driver reports one.
    public var serial: String?
    /// Location of the part on the board, as reported by the driver.
    public var location: String?

    /// Makes the identity of a device; parts that the driver does not report are nil.
    public init(name: String, label: String? = nil, serial: String? = nil, location: String? = nil) {
        self.name = name
        self.label = label
        self.serial = serial
        self.location = location
    }

    /// Name, label, serial number and location in one line; equal for two devices only if all four are equal.
    public var identity: String {
        let parts = [label.map { "label \($0)" }, serial.map { "serial \($0)" }, location.map { "at \($0)" }]
        return ([name] + parts.compactMap { $0 }).joined(separator: ", ")
    }

    /// File name: letters, digits, `-` and `_`, and a hash of the identity, which makes it unique.
    public var slug: String {
        let plain = identity.utf8.prefix(Self.maximumPlainSlugLength).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: UInt8(ascii: "-")
            }
        }
        let number = String(FNV.hash(identity.utf8) >> 32, radix: 16)
        return String(decoding: plain, as: UTF8.self) + "-" + String(repeating: "0", count: 8 - number.count) + number
    }

    private static let maximumPlainSlugLength = 48
}

/// The 64-bit FNV-1a hash of Fowler, Noll and Vo, which is the same on every machine and in every run.
public enum FNV {
    private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    /// Hash of the bytes, in order.
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(offset) { ($0 ^ UInt64($1)) &* prime }
    }
}
