/// A first-in first-out row of bounded length, its memory taken once: a full one forgets its oldest.
package struct Ring<Element> {
    private var slots: [Element?]
    private var head = 0
    package private(set) var count = 0

    package init(capacity: Int) {
        precondition(capacity > 0)
        slots = Array(repeating: nil, count: capacity)
    }

    package var capacity: Int { slots.count }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { count == 0 ? nil : slots[head] }
    package var last: Element? { count == 0 ? nil : slots[place(count - 1)] }

    /// From the oldest, 0, to the newest, `count - 1`.
    package subscript(_ index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "outside the ring")
            return slots[place(index)].unsafelyUnwrapped
        }
        set {
            precondition(index >= 0 && index < count, "outside the ring")
            slots[place(index)] = newValue
        }
    }

    private func place(_ index: Int) -> Int {
        let sum = head + index
        return sum < slots.count ? sum : sum - slots.count
    }

    /// Returns whether the oldest was forgotten to make room.
    @discardableResult
    package mutating func append(_ element: Element) -> Bool {
        let isFull = count == slots.count
        if isFull { removeFirst() }
        slots[place(count)] = element
        count += 1
        return isFull
    }

    package mutating func removeFirst() {
        precondition(count > 0, "an empty ring has no first")
        head = place(1)
        count -= 1
    }

    package mutating func removeLast() {
        precondition(count > 0, "an empty ring has no last")
        count -= 1
    }

    package mutating func removeAll() {
        head = 0
        count = 0
    }

    /// The first index whose element does not satisfy `isBefore`, in a row sorted by it.
    package func partition(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Ring: Sendable where Element: Sendable {}
