/// Encoding of one channel in a scan, in the kernel's notation: `le:s12/16>>4`, `be:u24/32X2>>8`.
///
/// Every instance is a format that can be decoded, because the initializers throw for any other format.
package struct ChannelFormat: Hashable, Sendable, CustomStringConvertible {
    package let isBigEndian: Bool
    /// Whether the value is in two's complement.
    package let isSigned: Bool
    package let bits: Int
    /// Number of bits stored per value: 8, 16, 32 or 64.
    package let storageBits: Int
    /// Number of padding bits below the value, which a right shift discards.
    package let shift: Int
    /// Number of consecutive values of the channel, 1 to 16.
    package let repeats: Int

    /// Checks and stores the parts of a format.
    ///
    /// - Throws: if no such encoding exists in the kernel.
    package init(
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

    /// Size of the channel in a scan, to which the channel is also aligned. Unit: bytes.
    package var byteCount: Int { storageBits / 8 * repeats }

    /// The kernel's notation.
    package var description: String { Self.text(isBigEndian, isSigned, bits, storageBits, shift, repeats) }

    /// Decodes one value in counts; nil if it does not lie within `bytes`.
    ///
    /// - Parameters:
    ///   - offset: offset of the channel's first byte.
    ///   - element: index among the repeated values.
    /// - Returns: the counts; unsigned 64-bit values beyond the signed range saturate.
    @inline(__always)
    package func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int, element: Int = 0) -> Int64? {
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
        // The value is left-aligned first. One arithmetic right shift then drops the padding and extends the sign.
        let top = word << UInt64(64 - shift - bits)
        if isSigned { return Int64(bitPattern: top) >> Int64(64 - bits) }
        return Int64(clamping: top >> UInt64(64 - bits))
    }

    private static func text(
        _ isBigEndian: Bool, _ isSigned: Bool, _ bits: Int, _ storage: Int, _ shift: Int, _ repeats: Int
    ) -> String {
        let times = repeats == 1 ? "" : "X\(repeats)"
        return "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storage)\(times)>>\(shift)"
    }
}

/// Error for an invalid channel format, as a broken driver or a hostile server may report it.
package struct ChannelFormatError: Error, Hashable, CustomStringConvertible {
    package var text: String
    package var reason: String

    package init(text: String, reason: String) {
        self.text = text
        self.reason = reason
    }

    /// Message with the format, cut to 40 characters, and the reason.
    package var description: String { "channel format “\(text.prefix(40))” cannot be decoded: \(reason)" }
}

/// Layout of one scan. Channels are in the order of their indices, each aligned to its own size. The scan is aligned to
/// the largest channel.
package struct ScanLayout: Hashable, Sendable {
    /// An enabled channel.
    package struct Element: Hashable, Sendable {
        /// The kernel's scan index.
        package var index: Int
        package var format: ChannelFormat

        package init(index: Int, format: ChannelFormat) {
            self.index = index
            self.format = format
        }
    }

    /// Offset of each element's first byte, in the order of the elements as given.
    package let offsets: [Int]
    /// Distance from one scan to the next. Unit: bytes.
    package let stride: Int

    /// Computes the layout by the kernel's alignment rule.
    package init(_ elements: [Element]) {
        var offsets = [Int](repeating: 0, count: elements.count)
        var end = 0
        var largest = 1
        for place in elements.indices.sorted(by: { elements[$0].index < elements[$1].index }) {
            let size = elements[place].format.byteCount
            offsets[place] = Self.aligned(end, to: size)
            end = offsets[place] + size
            largest = max(largest, size)
        }
        self.offsets = offsets
        stride = Self.aligned(end, to: largest)
    }

    /// Adopts the layout of a buffer that also contains other channels.
    ///
    /// - Returns: nil if an element would extend beyond the stride.
    package init?(offsets: [Int], elements: [Element], stride: Int) {
        guard offsets.count == elements.count, stride > 0 else { return nil }
        for (offset, element) in zip(offsets, elements) {
            guard offset >= 0, offset <= stride - element.format.byteCount else { return nil }
        }
        self.offsets = offsets
        self.stride = stride
    }

    private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }
}
