/// Where the channels of one scan lie: in the order of their indices, each aligned to its own size, the whole to the
/// largest.
public struct ScanLayout: Hashable, Sendable {
    /// One enabled channel.
    public struct Element: Hashable, Sendable {
        public var index: Int
        public var format: ChannelFormat

        public init(index: Int, format: ChannelFormat) {
            self.index = index
            self.format = format
        }
    }

    /// The first byte of each element, in the order they were given.
    public let offsets: [Int]
    /// From one scan to the next. Unit: bytes.
    public let stride: Int

    /// The kernel's rule.
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

    /// As found in a buffer that holds other channels as well.
    ///
    /// - Returns: nil when an element would reach beyond the stride.
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
