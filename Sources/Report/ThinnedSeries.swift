/// What is kept of a series that may be of any length: all of a short one, every second, fourth … of a long one.
///
/// Between half of the limit and the limit are kept, evenly; so the page stays of one size, however long the recording.
public struct ThinnedSeries<Element> {
    /// What was kept, in order.
    public private(set) var elements: [Element] = []
    /// How many came.
    public private(set) var count = 0
    /// One of so many is kept.
    public private(set) var stride = 1
    private let limit: Int

    public init(limit: Int) {
        precondition(limit >= 2, "a series of fewer than two has no course")
        self.limit = limit
    }

    /// Whether the next one that comes may be kept; one that is not due need not be made.
    public var isDue: Bool { count % stride == 0 }

    /// - Parameter element: nil where it was not due.
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
