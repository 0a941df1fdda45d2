/// A queue is encoded as its elements. The owner knows the capacity and restores it with `limit`.
extension Ring: Encodable where Element: Encodable {
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        try (0..<count).map { self[$0] }.encode(to: encoder)
    }
}

extension Ring: Decodable where Element: Decodable {
    @usableFromInline package init(from decoder: any Decoder) throws {
        let elements = try [Element](from: decoder)
        self.init(capacity: max(1, elements.count))
        for element in elements { append(element) }
    }
}

extension Ring {
    /// Restores the capacity of a decoded queue. Returns false if the queue has more elements.
    package mutating func limit(to capacity: Int) -> Bool {
        guard count <= capacity else { return false }
        let read = self
        self = Ring(capacity: capacity)
        for index in 0..<read.count { append(read[index]) }
        return true
    }
}
