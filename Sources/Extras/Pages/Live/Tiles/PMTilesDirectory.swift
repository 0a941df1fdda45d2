/// A directory of a PMTiles archive. It gives the positions of tiles, or of other directories, in order of tile id.
struct PMTilesDirectory: Sendable {
    /// Position of a tile that one or more successive ids share, or of another directory.
    struct Entry: Sendable {
        /// First id of the entry.
        fileprivate(set) var first: UInt64
        /// Number of successive ids that share the tile; 0 if the entry is a directory of the ids from `first` on.
        fileprivate(set) var run: UInt32 = 0
        /// Length of the tile or directory. Unit: bytes.
        fileprivate(set) var length: UInt32 = 0
        /// Offset within the section of tiles or of directories. Unit: bytes.
        fileprivate(set) var offset: UInt64 = 0

        var isLeaf: Bool { run == 0 }
    }

    private let entries: [Entry]

    /// Minimum size of an entry: one number in each of the four columns. Unit: bytes.
    private static let minimumByteCount: UInt64 = 4

    /// - Parameter bytes: uncompressed bytes.
    init(_ bytes: [UInt8]) throws(TileProblem) {
        var numbers = Varints(bytes: bytes)
        let count = try numbers.next()
        guard count > 0, count <= UInt64(bytes.count) / Self.minimumByteCount else { throw .damagedDirectory }
        entries = try Self.entries(Int(count), &numbers)
    }

    private static func entries(_ count: Int, _ numbers: inout Varints) throws(TileProblem) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for place in 0..<count {
            let step = try numbers.next()
            let (first, isBeyond) = (entries.last?.first ?? 0).addingReportingOverflow(step)
            guard !isBeyond, place == 0 || step > 0 else { throw .damagedDirectory }
            entries.append(Entry(first: first))
        }
        for place in 0..<count { entries[place].run = try numbers.nextShort() }
        for place in 0..<count {
            entries[place].length = try numbers.nextShort()
            guard entries[place].length > 0 else { throw .damagedDirectory }
        }
        var end: UInt64?
        for place in 0..<count {
            // 0 means that the entry directly follows the previous one. Any other number is the offset plus one.
            let number = try numbers.next()
            guard let offset = number == 0 ? end : number - 1 else { throw .damagedDirectory }
            entries[place].offset = offset
            let (next, isBeyond) = offset.addingReportingOverflow(UInt64(entries[place].length))
            guard !isBeyond else { throw .damagedDirectory }
            end = next
        }
        return entries
    }

    /// Finds the entry for an id, or the directory that may contain it.
    func entry(of id: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.isLeaf || id - entry.first < UInt64(entry.run) ? entry : nil
    }
}

/// Variable-length integers of seven bits per byte, lowest bits first. All bytes but the last have the highest bit set.
private struct Varints {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(TileProblem) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: UInt64(64), by: 7) {
            guard place < bytes.count else { throw .damagedDirectory }
            let byte = bytes[place]
            place += 1
            // The tenth byte may have only one bit, which is the last of the 64.
            guard shift < 63 || byte <= 1 else { throw .damagedDirectory }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        throw .damagedDirectory
    }

    mutating func nextShort() throws(TileProblem) -> UInt32 {
        guard let number = UInt32(exactly: try next()) else { throw .damagedDirectory }
        return number
    }
}

extension TileProblem {
    fileprivate static let damagedDirectory = TileProblem("a directory is damaged: load the archive again")
}

/// Tile ids in PMTiles. They count along a Hilbert curve through each zoom level, one level after the other.
package enum HilbertTile {
    /// - Parameters:
    ///   - zoom: 0 to 31.
    ///   - column: column from the west, below 2 to the power of `zoom`.
    ///   - row: row from the north, below 2 to the power of `zoom`.
    package static func id(zoom: Int, column: Int, row: Int) -> UInt64 {
        var (x, y) = (column, row)
        // Number of tiles on all lower zoom levels.
        var id = ((UInt64(1) << UInt64(2 * zoom)) - 1) / 3
        for level in (0..<zoom).reversed() {
            let side = 1 << level
            let (east, south) = (x & side == 0 ? 0 : 1, y & side == 0 ? 0 : 1)
            id += UInt64(side) * UInt64(side) * UInt64((3 * east) ^ south)
            (x, y) = (x & (side - 1), y & (side - 1))
            // In each quarter, the curve is the whole curve, transformed so that the ends of the quarters' curves meet.
            guard south == 0 else { continue }
            (x, y) = east == 1 ? (side - 1 - y, side - 1 - x) : (y, x)
        }
        return id
    }
}
