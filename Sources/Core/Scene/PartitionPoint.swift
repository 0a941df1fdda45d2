extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that does not satisfy a predicate, found by binary search; `endIndex` if
    /// all satisfy it. The elements that satisfy it must come first.
    func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
