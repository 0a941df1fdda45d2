import Sensors

extension ChannelFormat {
    /// Parses the kernel's notation.
    ///
    /// - Throws: if it is not of the form `[be|le]:[s|u]bits/storage[Xrepeat][>>shift]`.
    init(parsing text: String) throws(ChannelFormatError) {
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

    /// Parses at most five decimal digits, so that the value cannot overflow.
    private static func number(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension Substring {
    /// Removes and returns the text before `mark`, and removes the mark; nil if there is none.
    fileprivate mutating func take(upTo mark: Character) -> Substring? {
        guard let end = firstIndex(of: mark) else { return nil }
        defer { self = self[index(after: end)...] }
        return self[..<end]
    }
}
