/// Decimated series of unknown length: all elements of a short one, every second, fourth … of a long one.
///
/// Between half of the limit and the limit are kept, evenly spaced, so that the page's size does not depend on the
/// recording's length.
public struct ThinnedSeries<Element> {
    /// The elements that were kept, in order.
    public private(set) var elements: [Element] = []
    /// Number of elements appended.
    public private(set) var count = 0
    /// Decimation factor: one of `stride` elements is kept.
    public private(set) var stride = 1
    private let limit: Int

    /// Creates an empty series that keeps at most `limit` elements, which is at least 2.
    public init(limit: Int) {
        precondition(limit >= 2, "a series of fewer than two has no course")
        self.limit = limit
    }

    /// Whether the next element is kept if appended; otherwise the caller need not create it.
    public var isDue: Bool { count % stride == 0 }

    /// Appends an element.
    ///
    /// - Parameter element: the element; nil if it was not due.
    public mutating func append(_ element: Element?) {
        defer { count += 1 }
        guard isDue, let element else { return }
        if elements.count == limit {
            elements = elements.indices.filter { $0 % 2 == 0 }.map { elements[$0] }
            stride *= 2
            guard isDue else { return }
        }
        elements.append(element)
    }
}

extension ThinnedSeries: Sendable where Element: Sendable {}
