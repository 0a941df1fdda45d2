/// First-in, first-out queue of bounded length. Its memory is allocated once, and a full queue drops its oldest
/// element.
///
/// All members are inlinable. Otherwise, reading one field of an element from another module would copy the whole
/// element, which may have fifteen kilobytes.
@usableFromInline
package struct Ring<Element> {
    /// Memory is reserved at the start. The array grows within it until each slot has been used.
    @usableFromInline var slots: [Element] = []
    @usableFromInline package let capacity: Int
    @usableFromInline var head = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
        slots.reserveCapacity(capacity)
    }

    @inlinable
    package var isEmpty: Bool { count == 0 }
    @inlinable
    package var first: Element? { count == 0 ? nil : slots[head] }
    @inlinable
    package var last: Element? { count == 0 ? nil : slots[place(count - 1)] }

    /// Element by index, from 0 for the oldest to `count - 1` for the newest.
    @inlinable
    package subscript(_ index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count, "outside the ring")
            return slots[place(index)]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < count, "outside the ring")
            slots[place(index)] = newValue
        }
    }

    @inlinable func place(_ index: Int) -> Int {
        let sum = head + index
        return sum < capacity ? sum : sum - capacity
    }

    /// Appends an element; returns whether the oldest was dropped to make room.
    @discardableResult @inlinable @inline(__always)
    package mutating func append(_ element: Element) -> Bool {
        let isFull = count == capacity
        if isFull { removeFirst() }
        let next = place(count)
        if next < slots.count { slots[next] = element } else { slots.append(element) }
        count += 1
        return isFull
    }

    // MARK: Large elements, which an assignment would copy through the stack

    /// Appends an element that consists of plain numbers, without references.
    ///
    /// - Parameter element: element to append; it is only read.
    @inlinable @inline(__always)
    package mutating func append(copying element: inout Element) {
        if count == capacity { removeFirst() }
        let next = place(count)
        count += 1
        guard next < slots.count else { return slots.append(element) }
        withUnsafePointer(to: &element) { source in
            slots.withUnsafeMutableBufferPointer { Self.copy(source, to: $0.baseAddress?.advanced(by: next)) }
        }
    }

    /// Copies the newest element, which must exist, into `element`.
    @inlinable @inline(__always)
    package func copyLast(to element: inout Element) {
        precondition(count > 0, "an empty ring has no last")
        let last = place(count - 1)
        withUnsafeMutablePointer(to: &element) { target in
            slots.withUnsafeBufferPointer { Self.copy($0.baseAddress?.advanced(by: last), to: target) }
        }
    }

    /// Copies an element's size rather than its stride, because the padding after the element may contain the next
    /// property of its owner.
    @inlinable @inline(__always)
    static func copy(_ source: UnsafePointer<Element>?, to target: UnsafeMutablePointer<Element>?) {
        guard let source, let target else { return }
        UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: MemoryLayout<Element>.size)
    }

    @inlinable
    package mutating func removeFirst() {
        precondition(count > 0, "an empty ring has no first")
        head = place(1)
        count -= 1
    }

    @inlinable
    package mutating func removeLast() {
        precondition(count > 0, "an empty ring has no last")
        count -= 1
    }

    @inlinable
    package mutating func removeAll() {
        head = 0
        count = 0
    }

    /// Returns the index of the first element that does not satisfy `isBefore`. All elements that satisfy it must come
    /// before all others.
    @inlinable @inline(__always)
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
