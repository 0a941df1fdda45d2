/// Layout of one scan: channels in the order of their indices, each aligned to its own size, the scan to the largest.
public struct ScanLayout: Hashable, Sendable {
    /// An enabled channel.
    public struct Element: Hashable, Sendable {
        /// The kernel's scan index.
        public var index: Int
        /// Encoding of the channel.
        public var format: ChannelFormat

        /// Pairs an index with a format.
        public init(index: Int, format: ChannelFormat) {
            self.index = index
            self.format = format
        }
    }

    /// Offset of each element's first byte, in the order of the elements as given.
    public let offsets: [Int]
    /// Distance from one scan to the next. Unit: bytes.
    public let stride: Int

    /// Computes the layout by the kernel's alignment rule.
    public init(_ elements: [Element]) {
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

    /// Takes over the layout of a buffer that contains other channels as well.
    ///
    /// - Returns: nil if an element would extend beyond the stride.
    public init?(offsets: [Int], elements: [Element], stride: Int) {
        guard offsets.count == elements.count, stride > 0 else { return nil }
        for (offset, element) in zip(offsets, elements) {
            guard offset >= 0, offset <= stride - element.format.byteCount else { return nil }
        }
        self.offsets = offsets
        self.stride = stride
    }

    private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }
}
