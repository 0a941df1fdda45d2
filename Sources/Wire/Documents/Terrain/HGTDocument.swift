import JSON
import Scene

/// Reader of SRTM's height files. Such a file covers a square degree, including all four edges, with big-endian 16-bit
/// integers in metres, in rows from north to south.
///
/// A sample of −32768 is void.
///
/// Source: USGS, "The Shuttle Radar Topography Mission (SRTM) Collection User Guide", 2015.
public enum HGTDocument {
    /// Maximum length, with one sample per second of arc. Unit: bytes.
    public static let maximumSize = 2 * 3601 * 3601
    private static let void = -32768
    /// Number of tiles along an edge of the square degree.
    private static let tilesAcross = 10

    /// Whether a file name is that of an HGT file: it ends with `.hgt`.
    public static func isNamed(_ name: String) -> Bool { name.lowercased().hasSuffix(".hgt") }

    /// Calls `take` with each tile that contains any height, from south to north.
    ///
    /// - Parameter name: name of the file, which begins with the south-western corner, such as `N47E008`.
    public static func read(
        _ bytes: [UInt8], name: String, _ take: (TerrainTile) throws -> Void
    ) throws {
        guard let corner = corner(name) else {
            throw DocumentProblem(
                "the name does not begin with the south-western corner, such as N47E008: rename the file")
        }
        guard let intervals = intervals(bytes.count) else {
            throw DocumentProblem(
                "\(bytes.count) bytes are not 1201 x 1201 or 3601 x 3601 heights: load the file again")
        }
        for row in 0..<tilesAcross {
            for column in 0..<tilesAcross {
                let tile = tile(bytes, corner, row, column, intervals)
                if let tile, tile.voids < tile.samples.count { try take(tile) }
            }
        }
    }

    /// Number of intervals between the samples along an edge; nil for a length that no HGT file has.
    private static func intervals(_ count: Int) -> Int? {
        [3600, 1800, 1200, 600].first { 2 * ($0 + 1) * ($0 + 1) == count }
    }

    /// Row and column of the cell at the south-western corner.
    private static func corner(_ name: String) -> (row: Int, column: Int)? {
        let letters = Array(name.uppercased().utf8.prefix(7))
        guard letters.count == 7, let latitude = number(letters[1..<3]), let longitude = number(letters[4..<7])
        else { return nil }
        let (south, west): (Int, Int)
        switch letters[0] {
        case UInt8(ascii: "N"): south = latitude
        case UInt8(ascii: "S"): south = -latitude
        default: return nil
        }
        switch letters[3] {
        case UInt8(ascii: "E"): west = longitude
        case UInt8(ascii: "W"): west = -longitude
        default: return nil
        }
        guard (-90..<90).contains(south), (-180..<180).contains(west) else { return nil }
        return ((south + 90) * tilesAcross, (west + 180) * tilesAcross)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0 as Int?) { sum, digit in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) ? sum.map { 10 * $0 + Int(digit) - 48 } : nil
        }
    }

    private static func tile(
        _ bytes: [UInt8], _ corner: (row: Int, column: Int), _ row: Int, _ column: Int, _ intervals: Int
    ) -> TerrainTile? {
        let edge = intervals / tilesAcross
        var samples: [UInt16] = []
        samples.reserveCapacity((edge + 1) * (edge + 1))
        for north in 0...edge {
            let line = intervals - row * edge - north
            for east in 0...edge {
                let offset = 2 * (line * (intervals + 1) + column * edge + east)
                let height = Int(Int16(bitPattern: UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])))
                samples.append(TerrainTile.sample(height == void ? nil : Double(height)))
            }
        }
        return TerrainTile.Cell(row: corner.row + row, column: corner.column + column).flatMap {
            TerrainTile(cell: $0, rows: edge, columns: edge, samples: samples)
        }
    }
}
