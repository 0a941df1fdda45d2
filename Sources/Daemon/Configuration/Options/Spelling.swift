/// Suggestions for misspelled names.
package enum Spelling {
    /// Returns the name most similar to `word`; nil if more than two letters differ, or in a long name more than a
    /// third of its letters.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.utf8.prefix(64))
        let candidates = names.map { (name: $0, distance: distance(letters, Array($0.utf8))) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, best.name.utf8.count / 3) ? best.name : nil
    }

    /// Returns the Levenshtein distance: the number of inserted, deleted and replaced bytes.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
