/// How one channel is packed into a scan, as the kernel writes it: `le:s12/16>>4`, `be:u24/32X2>>8`.
///
/// Only formats that can be decoded exist: anything else is refused when it is made.
public struct ChannelFormat: Hashable, Sendable, CustomStringConvertible {
    public let isBigEndian: Bool
    public let isSigned: Bool
    /// The bits that carry the value.
    public let bits: Int
    /// What it takes in the scan: 8, 16, 32 or 64 bits.
    public let storageBits: Int
    /// The bits under the value that are to be thrown away.
    public let shift: Int
    /// How many values the channel has in a row.
    public let repeats: Int

    /// - Throws: when no such packing exists in the kernel.
    public init(
        isBigEndian: Bool, isSigned: Bool, bits: Int, storageBits: Int, shift: Int, repeats: Int = 1
    ) throws(ChannelFormatError) {
        let described = Self.text(isBigEndian, isSigned, bits, storageBits, shift, repeats)
        guard [8, 16, 32, 64].contains(storageBits) else {
            throw ChannelFormatError(text: described, reason: "the storage is not 8, 16, 32 or 64 bits")
        }
        guard (1...storageBits).contains(bits), (0...(storageBits - bits)).contains(shift) else {
            throw ChannelFormatError(text: described, reason: "the value does not fit into its storage")
        }
        guard (1...16).contains(repeats) else {
            throw ChannelFormatError(text: described, reason: "a channel repeats 1 to 16 times")
        }
        self.isBigEndian = isBigEndian
        self.isSigned = isSigned
        self.bits = bits
        self.storageBits = storageBits
        self.shift = shift
        self.repeats = repeats
    }

    /// Reads the kernel's text.
    ///
    /// - Throws: when it is not of the form `[be|le]:[s|u]bits/storage[Xrepeat][>>shift]`.
    public init(parsing text: String) throws(ChannelFormatError) {
        let malformed = ChannelFormatError(text: text, reason: "not of the form le:s16/16>>0")
        var rest = Substring(text)
        guard let order = rest.take(upTo: ":"), order == "le" || order == "be" else { throw malformed }
        guard let sign = rest.popFirst(), "suSU".contains(sign) else { throw malformed }
        guard let bits = rest.take(upTo: "/").flatMap(Self.number) else { throw malformed }
        var shift = 0
        if let mark = rest.firstRange(of: ">>") {
            guard let amount = Self.number(rest[mark.upperBound...]) else { throw malformed }
            shift = amount
            rest = rest[..<mark.lowerBound]
        }
        let parts = rest.split(separator: "X", omittingEmptySubsequences: false)
        guard parts.count <= 2, let storage = Self.number(parts[0]) else { throw malformed }
        guard let repeats = parts.count == 2 ? Self.number(parts[1]) : 1 else { throw malformed }
        try self.init(
            isBigEndian: order == "be", isSigned: sign == "s" || sign == "S", bits: bits, storageBits: storage,
            shift: shift, repeats: repeats)
    }

    /// What the channel takes in a scan, and what it is aligned to.
    public var byteCount: Int { storageBits / 8 * repeats }

    public var description: String { Self.text(isBigEndian, isSigned, bits, storageBits, shift, repeats) }

    /// The counts of one value; nil when it does not lie within `bytes`.
    ///
    /// - Parameters:
    ///   - offset: of the channel's first byte.
    ///   - element: which of the repeated values.
    /// - Returns: unsigned 64-bit counts beyond the signed range saturate.
    @inline(__always)
    public func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int, element: Int = 0) -> Int64? {
        let size = storageBits / 8
        guard offset >= 0, element >= 0, element < repeats, bytes.count >= byteCount,
            offset <= bytes.count - byteCount
        else { return nil }
        var word: UInt64 = 0
        let first = offset + element * size
        for place in 0..<size {
            let byte = UInt64(bytes[first + (isBigEndian ? place : size - 1 - place)])
            word = word << 8 | byte
        }
        // To the top, so that one arithmetic shift both drops what is under the value and extends the sign.
        let top = word << UInt64(64 - shift - bits)
        if isSigned { return Int64(bitPattern: top) >> Int64(64 - bits) }
        return Int64(clamping: top >> UInt64(64 - bits))
    }

    /// At most five decimal digits: what `Int` cannot hold is no number of bits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func text(
        _ isBigEndian: Bool, _ isSigned: Bool, _ bits: Int, _ storage: Int, _ shift: Int, _ repeats: Int
    ) -> String {
        let times = repeats == 1 ? "" : "X\(repeats)"
        return "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storage)\(times)>>\(shift)"
    }
}

/// A packing that cannot be: from a broken driver or a hostile server.
public struct ChannelFormatError: Error, Hashable, CustomStringConvertible {
    public var text: String
    public var reason: String

    public var description: String { "channel format “\(text.prefix(40))” cannot be decoded: \(reason)" }
}

extension Substring {
    /// Takes what stands before `mark`, and the mark; nil when there is none.
    fileprivate mutating func take(upTo mark: Character) -> Substring? {
        guard let end = firstIndex(of: mark) else { return nil }
        defer { self = self[index(after: end)...] }
        return self[..<end]
    }
}
