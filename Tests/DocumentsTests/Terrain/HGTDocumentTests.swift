import Documents
import JSON
import Scene
import Testing

@Suite("Heights of SRTM")
struct HGTDocumentTests {
    /// A degree whose heights are its rows from the south and, times 1000, its columns from the west, both in tens.
    private static func degree(_ intervals: Int, void: (row: Int, column: Int)? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * (intervals + 1) * (intervals + 1))
        for row in (0...intervals).reversed() {
            for column in 0...intervals {
                let isVoid = void.map { $0.row == row && $0.column == column } ?? false
                let height = UInt16(bitPattern: isVoid ? -32768 : Int16(row / 10 - column))
                bytes.append(UInt8(height >> 8))
                bytes.append(UInt8(height & 255))
            }
        }
        return bytes
    }

    private static func tiles(_ bytes: [UInt8], _ name: String) throws -> [TerrainTile] {
        var tiles: [TerrainTile] = []
        try HGTDocument.read(bytes, name: name) { tiles.append($0) }
        return tiles
    }

    @Test("behaviour 18: a degree becomes a hundred tiles with common edges, of signed heights, its void void")
    func degree() throws {
        let tiles = try Self.tiles(Self.degree(600, void: (60, 120)), "s13w077.SRTMGL3.hgt")
        #expect(tiles.count == 100 && Set(tiles.map(\.cell)).count == 100)
        #expect(tiles[0].cell.southDegrees == -13 && tiles[0].cell.westDegrees == -77 && tiles[0].rows == 60)
        for (index, tile) in tiles.enumerated() {
            let (south, west) = (60 * (index / 10), 60 * (index % 10))
            for (row, column) in [(0, 0), (60, 60), (7, 31)] {
                let found = TerrainTile.height(tile.samples[row * 61 + column])
                let expected = Double((south + row) / 10 - west - column)
                let isVoid = south + row == 60 && west + column == 120
                #expect(found == (isVoid ? nil : expected))
            }
        }
        // The void is a corner of four.
        #expect(tiles.count { $0.voids == 1 } == 4)
    }

    @Test("behaviour 18: a file of another length or name is refused, with what to do")
    func wrong() throws {
        let bytes = Self.degree(600)
        for length in [0, 1, 1201 * 1201, 2 * 1201 * 1200, bytes.count - 1, bytes.count + 2] {
            #expect { try Self.tiles([UInt8](repeating: 0, count: length), "N47E008.hgt") } throws: {
                "\($0)".contains("load the file again")
            }
        }
        let names = [
            "", "dem.hgt", "N47E08.hgt", "X47E008.hgt", "N90E008.hgt", "N47E180.hgt", "N4xE008.hgt", "S91E000.hgt",
        ]
        for name in names {
            #expect { try Self.tiles(bytes, name) } throws: { "\($0)".contains("rename the file") }
        }
        #expect(HGTDocument.isNamed("N47E008.HGT") && !HGTDocument.isNamed("N47E008.tif"))
    }

    @Test("behaviour 18: where a tile is void altogether, as in the sea, there is none")
    func sea() throws {
        let void = [UInt8]([0x80, 0]), count = 601 * 601
        #expect(try Self.tiles((0..<count).flatMap { _ in void }, "N00E000.hgt").isEmpty)
    }
}
