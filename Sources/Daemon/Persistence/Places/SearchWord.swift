/// Word of a search, which is matched with the words of places.
struct SearchWord {
    let bytes: [UInt8]
    let scalars: [Unicode.Scalar]
    /// Whether one typo is tolerated.
    let mayHaveTypo: Bool

    /// Minimum length of a word in which a typo is tolerated. A shorter word would match too much. Unit: characters.
    static let minimumTypoLength = 4
    /// Minimum length of a word that may have a typo and also be only a prefix of its match. Unit: characters.
    private static let minimumBegunTypoLength = 6
    /// Maximum length of a word in which a typo is tolerated. Unit: characters.
    private static let maximumTypoLength = 40

    /// Whether a longer word also matches if its beginning equals this word up to a typo.
    var mayBeBegunWithTypo: Bool { mayHaveTypo && scalars.count >= Self.minimumBegunTypoLength }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        // A word with a digit tolerates no typo, because another number is another house.
        mayHaveTypo =
            (Self.minimumTypoLength...Self.maximumTypoLength).contains(scalars.count)
            && !scalars.contains { $0.properties.numericType != nil }
    }

    /// Quality of the match with another word.
    enum Fit: Comparable {
        /// The other word equals the search word.
        case whole
        /// The other word begins with the search word.
        case begun
        /// The other word equals the search word, or begins with it, up to a typo.
        case typo
    }

    /// Whether the first two letters allow a match up to a typo. Reading the letters of all words takes much longer.
    private func mayBeWithinTypo(_ other: [UInt8]) -> Bool {
        guard other.count > 1, other[0] != bytes[0] else { return other.count > 1 }
        // One of the first letters is wrong, missing, additional or swapped, so that the next one is in either place.
        // A letter of several bytes may differ in any of them.
        return other[0] == bytes[1] || other[1] == bytes[0] || other[1] == bytes[1]
            || [other[0], other[1], bytes[0], bytes[1]].contains { $0 >= 0x80 }
    }

    /// Returns how well another word matches; nil if it does not match.
    func fit(_ other: [UInt8]) -> Fit? {
        if other.starts(with: bytes) { return other.count == bytes.count ? .whole : .begun }
        guard mayHaveTypo, mayBeWithinTypo(other) else { return nil }
        let others = Array(String(decoding: other, as: UTF8.self).unicodeScalars)
        guard others.count + 1 >= scalars.count else { return nil }
        if mayBeBegunWithTypo { return scalars.isWithinTypo(ofPrefixOf: others) ? .typo : nil }
        return scalars.isWithinTypo(of: others[...]) ? .typo : nil
    }
}

extension [Unicode.Scalar] {
    /// Whether these characters equal the others up to one typo: a wrong, missing or additional character, or two
    /// swapped neighbours.
    func isWithinTypo(of others: ArraySlice<Unicode.Scalar>) -> Bool {
        guard abs(count - others.count) <= 1 else { return false }
        let same = zip(self, others).prefix { $0 == $1 }.count
        let (rest, other) = (self[same...], others.dropFirst(same))
        if rest.count > other.count { return rest.dropFirst().elementsEqual(other) }
        if rest.count < other.count { return rest.elementsEqual(other.dropFirst()) }
        guard rest.count > 0 else { return true }
        if rest.dropFirst().elementsEqual(other.dropFirst()) { return true }
        return rest.count > 1 && rest.prefix(2).elementsEqual(other.prefix(2).reversed())
            && rest.dropFirst(2).elementsEqual(other.dropFirst(2))
    }

    /// Whether these characters equal a prefix of the others, up to one typo.
    func isWithinTypo(ofPrefixOf others: [Unicode.Scalar]) -> Bool {
        (count - 1...count + 1).contains { $0 <= others.count && isWithinTypo(of: others.prefix($0)) }
    }
}
