/// Which device a calibration belongs to: what stays the same from boot to boot, unlike the numbers that the kernel gives.
public struct CalibratedDevice: Hashable, Sendable {
    /// Of the chip, as its driver has it.
    public var name: String
    /// What the board's description calls it.
    public var label: String?
    public var serial: String?
    /// Where on the board it sits, in the driver's words.
    public var location: String?

    public init(name: String, label: String? = nil, serial: String? = nil, location: String? = nil) {
        self.name = name
        self.label = label
        self.serial = serial
        self.location = location
    }

    /// All of it as one line; two devices have the same only where nothing tells them apart.
    public var identity: String {
        let parts = [label.map { "label \($0)" }, serial.map { "serial \($0)" }, location.map { "at \($0)" }]
        return ([name] + parts.compactMap { $0 }).joined(separator: ", ")
    }

    /// For the name of a file: letters, digits, `-` and `_`, and a number that tells apart what these cannot.
    public var slug: String {
        let plain = identity.utf8.prefix(Self.longestPlainSlug).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: UInt8(ascii: "-")
            }
        }
        let number = String(FNV.hash(identity.utf8) >> 32, radix: 16)
        return String(decoding: plain, as: UTF8.self) + "-" + String(repeating: "0", count: 8 - number.count) + number
    }

    private static let longestPlainSlug = 48
}

/// The hash of Fowler, Noll and Vo, FNV-1a with 64 bits: the same on every machine and in every run.
public enum FNV {
    private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(offset) { ($0 ^ UInt64($1)) &* prime }
    }
}
