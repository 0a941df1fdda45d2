import Glibc
import SQLite

/// Rates how well a place matches the words of a search.
struct PlaceFit {
    private let words: [SearchWord]
    private let splitter: WordSplitter

    /// Costs of matches, from a match of the whole name to a match of the address. Unit: doublings of the distance.
    enum Cost {
        static let wholeName = 0.0
        /// The name begins with the words. Either all of them are whole words of the name, or the last one is a prefix.
        static let beginningWhole = 0.5
        static let beginningBegun = 1.0
        /// The name contains the words anywhere. Either all of them are whole words of the name, or some are prefixes.
        static let insideWhole = 2.0
        static let insideBegun = 3.0
        /// Some word matches the name only with a typo.
        static let typo = 5.0
        /// Some word matches only the kind, or only the address.
        static let category = 5.5
        static let address = 6.0
        /// Additional cost of a name other than the place's main one, and of a typo in kind or address.
        static let otherName = 0.25
        static let otherTypo = 0.25
    }

    init(_ words: [SearchWord], _ splitter: WordSplitter) { (self.words, self.splitter) = (words, splitter) }

    /// Returns the cost of a place; nil if some word has no match in it, or if the cost is certainly above `maximum`.
    func cost(name: String, kind: String, tags: @autoclosure () -> String, maximum: Double) -> Double? {
        let nameWords = splitter.words(name)
        var best = fits(nameWords).flatMap { cost($0, nameWords) }
        // The other texts of the place cannot match better.
        if let best, best <= Cost.insideBegun { return best }
        let tags = tags()
        // Without other names, some word is matched by kind or address only. Reading the tags takes most of the time.
        guard maximum >= Cost.category || PlaceWords.mayHaveNames(tags) else { return best }
        let others = PlaceWords(kind: kind, sortedTags: TagText.list(tags))
        for other in others.names {
            let otherWords = splitter.words(other)
            guard let cost = fits(otherWords).flatMap({ cost($0, otherWords) }) else { continue }
            best = min(best ?? .infinity, cost + Cost.otherName)
        }
        return best ?? mixedCost(others, nameWords)
    }

    /// Returns the best match of each word within a text; nil if some word has no match.
    private func fits(_ text: [[UInt8]]) -> [SearchWord.Fit]? {
        var fits: [SearchWord.Fit] = []
        for word in words {
            guard let fit = text.lazy.compactMap({ word.fit($0) }).min() else { return nil }
            fits.append(fit)
        }
        return fits
    }

    /// Returns the cost of a name that contains all words.
    private func cost(_ fits: [SearchWord.Fit], _ name: [[UInt8]]) -> Double {
        let worst = fits.max() ?? .whole
        if worst == .typo { return Cost.typo }
        guard isBeginning(of: name) else { return worst == .whole ? Cost.insideWhole : Cost.insideBegun }
        if worst == .whole { return name.count == words.count ? Cost.wholeName : Cost.beginningWhole }
        return Cost.beginningBegun
    }

    /// Whether a name begins with the words in order; the last word may be a prefix.
    private func isBeginning(of name: [[UInt8]]) -> Bool {
        guard name.count >= words.count, let last = words.last else { return false }
        return zip(words.dropLast(), name).allSatisfy { $0.bytes == $1 }
            && name[words.count - 1].starts(with: last.bytes)
    }

    /// Returns the cost if the words are in different texts of a place. It is the highest cost of any word; nil if some
    /// word has no match.
    private func mixedCost(_ others: PlaceWords, _ name: [[UInt8]]) -> Double? {
        let texts = [
            (Cost.insideBegun, Cost.typo, name + others.names.flatMap(splitter.words)),
            (Cost.category, Cost.category + Cost.otherTypo, others.categories.flatMap(splitter.words)),
            (Cost.address, Cost.address + Cost.otherTypo, others.address.flatMap(splitter.words)),
        ]
        var worst = 0.0
        for word in words {
            let costs = texts.compactMap { (cost, typo, text) -> Double? in
                guard let fit = text.lazy.compactMap({ word.fit($0) }).min() else { return nil }
                return fit == .typo ? typo : cost
            }
            guard let cost = costs.min() else { return nil }
            worst = max(worst, cost)
        }
        return worst
    }
}
