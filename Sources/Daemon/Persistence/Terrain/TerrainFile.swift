import CZlib
import Scene

/// Format of a stored tile: a header of 24 bytes, and the samples.
///
/// The header consists of `wmterr01`, the row and the column of the cell, the numbers of intervals of rows and of
/// columns, the number of voids, and the CRC-32 of these five numbers and the samples. All numbers are little-endian;
/// the first four have 16 bits, the others 32. An import is a sequence of such tiles.
package enum TerrainFile {
    /// Properties of a tile that are known without its samples.
    package struct Header: StoredHeader {
        typealias Failure = TerrainStore.Failure

        package let cell: TerrainTile.Cell
        package let rows: Int
        package let columns: Int
        /// Number of samples without a height.
        package let voids: Int
        let checksum: UInt32

        static let texts = StoredTexts(
            ending: ".terrain", all: "terrain", owner: "its tile", inside: "tile", loss: "its heights are",
            lost: "the terrain")
        static let maximumLength = headerCount

        var key: TerrainTile.Cell { cell }
        package var count: Int { headerCount + 2 * (rows + 1) * (columns + 1) }

        static func fileName(_ cell: TerrainTile.Cell) -> String { "\(cell.row)-\(cell.column)" }
    }

    /// Length of the header. Unit: bytes.
    package static let headerCount = 24
    /// Maximum length of a tile. Unit: bytes.
    package static let maximumSize = headerCount + 2 * 361 * 361
    private static let mark: [UInt8] = Array("wmterr".utf8)
    private static let version: [UInt8] = Array("01".utf8)
    /// Byte range of the header's five numbers; the checksum follows it.
    private static let numbers = 8..<20

    package static func bytes(of tile: TerrainTile) -> [UInt8] {
        let header =
            [tile.cell.row, tile.cell.column, tile.rows, tile.columns].flatMap { bytes(UInt16($0)) }
            + bytes(UInt32(tile.voids))
        var samples: [UInt8] = []
        samples.reserveCapacity(2 * tile.samples.count)
        for sample in tile.samples {
            samples.append(UInt8(truncatingIfNeeded: sample))
            samples.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return mark + version + header + bytes(checksum(header[...], samples[...])) + samples
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        bytes(UInt16(truncatingIfNeeded: number)) + bytes(UInt16(truncatingIfNeeded: number >> 16))
    }

    /// Reads a header from the first bytes of a tile.
    static func header(_ bytes: ArraySlice<UInt8>) throws(StoredFlaw) -> Header {
        guard bytes.count >= headerCount, bytes.starts(with: mark) else {
            throw .damaged("beginning is not that of a tile of heights")
        }
        let start = bytes.startIndex
        guard bytes[(start + mark.count)...].starts(with: version) else { throw .newer }
        func number(_ index: Int) -> Int {
            let offset = start + numbers.lowerBound + 2 * index
            return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
        }
        guard number(1) < 3600, let cell = TerrainTile.Cell(row: number(0), column: number(1)) else {
            throw .damaged("cell is not on the earth")
        }
        guard TerrainTile.isIntervals(number(2)), TerrainTile.isIntervals(number(3)) else {
            throw .damaged("number of intervals is no divisor of 360")
        }
        return Header(
            cell: cell, rows: number(2), columns: number(3), voids: number(4) | number(5) << 16,
            checksum: UInt32(number(6)) | UInt32(number(7)) << 16)
    }

    /// Decodes a tile from exactly these bytes.
    package static func tile(_ bytes: ArraySlice<UInt8>) throws(StoredFlaw) -> TerrainTile {
        let header = try header(bytes)
        guard bytes.count == header.count else {
            throw .damaged("length is \(bytes.count) bytes, not \(header.count)")
        }
        let body = bytes.dropFirst(headerCount)
        let numbers = bytes.startIndex + numbers.lowerBound..<bytes.startIndex + numbers.upperBound
        guard checksum(bytes[numbers], body) == header.checksum else {
            throw .damaged("heights do not match their checksum")
        }
        let samples = stride(from: body.startIndex, to: body.endIndex, by: 2).map {
            UInt16(body[$0]) | UInt16(body[$0 + 1]) << 8
        }
        guard
            let tile = TerrainTile(cell: header.cell, rows: header.rows, columns: header.columns, samples: samples)
        else { throw .damaged("heights are not as many as its intervals need") }
        guard tile.voids == header.voids else { throw .damaged("number of voids is not that of its heights") }
        return tile
    }

    /// Reason why a sequence of tiles cannot be read: index of the tile, from 0, and its flaw.
    package struct Problem: Error, Equatable {
        package let tile: Int
        package let flaw: StoredFlaw
    }

    /// Decodes a sequence of tiles; no two may be of the same cell.
    package static func tiles(_ bytes: [UInt8]) throws(Problem) -> [TerrainTile] {
        var (tiles, rest): ([TerrainTile], ArraySlice<UInt8>) = ([], bytes[...])
        var cells: Set<TerrainTile.Cell> = []
        while !rest.isEmpty || tiles.isEmpty {
            do throws(StoredFlaw) {
                let header = try header(rest)
                guard cells.insert(header.cell).inserted else { throw .damaged("cell has come before") }
                tiles.append(try tile(rest.prefix(header.count)))
                rest = rest.dropFirst(header.count)
            } catch {
                throw Problem(tile: tiles.count, flaw: error)
            }
        }
        return tiles
    }

    private static func checksum(_ header: ArraySlice<UInt8>, _ samples: ArraySlice<UInt8>) -> UInt32 {
        [header, samples].reduce(0) { sum, bytes in
            bytes.withUnsafeBufferPointer {
                UInt32(truncatingIfNeeded: crc32_z(UInt(sum), $0.baseAddress, $0.count))
            }
        }
    }
}

extension TerrainFile.Header {
    init(beginning bytes: [UInt8]) throws(StoredFlaw) { self = try TerrainFile.header(bytes[...]) }
}
