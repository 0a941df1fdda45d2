/// First-in first-out queue of bounded length. Its memory is reserved at the start but touched only as the queue fills.
///
/// The queue restarts at its first slot whenever it becomes empty. A queue that is emptied often therefore uses one or
/// two pages, whatever its capacity.
public struct BoundedRing<Element>: ~Copyable {
    /// Maximum number of elements.
    public let capacity: Int
    /// Number of elements.
    @inlinable public var count: Int { filled }
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline var head = 0
    @usableFromInline var filled = 0

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: at least 1.
    @inlinable
    public init(capacity: Int) {
        precondition(capacity > 0, "a ring has room for something")
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }

    @inlinable
    deinit {
        for index in 0..<filled { (slots + place(index)).deinitialize(count: 1) }
        slots.deallocate()
    }

    @inlinable
    func place(_ index: Int) -> Int {
        let sum = head + index
        return sum < capacity ? sum : sum - capacity
    }

    /// Appends an element, without allocating.
    ///
    /// - Returns: false if the queue is full; the element was then not appended.
    @inlinable
    public mutating func append(_ element: Element) -> Bool {
        guard filled < capacity else { return false }
        (slots + place(filled)).initialize(to: element)
        filled += 1
        return true
    }

    /// The element that was appended last; nil if the queue is empty.
    @inlinable public var last: Element? { filled > 0 ? slots[place(filled - 1)] : nil }

    /// Removes and returns the oldest element; nil if the queue is empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard filled > 0 else { return nil }
        let oldest = (slots + head).move()
        head = filled == 1 ? 0 : place(1)
        filled -= 1
        return oldest
    }
}
