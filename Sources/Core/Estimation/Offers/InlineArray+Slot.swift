import Model

extension InlineArray {
    /// Returns the index at which a record belongs in a table: the index of the record if it is present, else a free
    /// index, else the index of the record that has been silent for longest and is to be replaced.
    ///
    /// - Parameters:
    ///   - isOwn: whether an element is the record.
    ///   - last: time of an element's newest measurement; nil for a free element.
    @inline(__always)
    func slot(isOwn: (Element) -> Bool, last: (Element) -> BootTime?) -> Int {
        var oldest = 0
        for index in indices {
            if isOwn(self[index]) { return index }
            guard let known = last(self[oldest]) else { continue }
            if last(self[index]).map({ $0 < known }) ?? true { oldest = index }
        }
        return oldest
    }
}
