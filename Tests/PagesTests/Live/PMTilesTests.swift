import Pages
import Testing

/// Archives are written here as the specification has them, without compression; those with gzip are read by
/// `Tests/System/test_serve.py`.
@Suite("PMTiles archives of pictures")
struct PMTilesTests {
    /// Entry of a directory: first id, number of ids, length and offset.
    private typealias Entry = (first: UInt64, run: UInt64, length: UInt64, offset: UInt64)

    /// What an archive consists of; the header is made of the rest.
    private struct Archive {
        var root: [UInt8]
        var metadata = Array(#"{"attribution":"Survey 1905"}"#.utf8)
        var leaves: [UInt8] = []
        var tiles = Array("abcdefgh".utf8)
        /// Bytes of the header in place of usual ones, by their places.
        var header: [Int: UInt8] = [:]

        var bytes: [UInt8] {
            var bytes = Array("PMTiles".utf8) + [3]
            var offset = 127
            for section in [root, metadata, leaves, tiles] {
                for number in [offset, section.count] { bytes += (0..<8).map { UInt8(number >> (8 * $0) & 0xff) } }
                offset += section.count
            }
            bytes += [UInt8](repeating: 0, count: 127 - bytes.count)
            (bytes[97], bytes[98], bytes[99], bytes[101]) = (1, 1, 2, 3)
            for (place, byte) in header { bytes[place] = byte }
            return bytes + root + metadata + leaves + tiles
        }
    }

    private static func varint(_ number: UInt64) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number & 0x7f) | 0x80] + varint(number >> 7)
    }

    /// The columns of a directory, one after the other; ids as their differences.
    private static func directory(_ entries: [Entry]) -> [UInt8] {
        let steps = zip(entries, [0] + entries.map(\.first)).map { $0.first &- $1 }
        let numbers = steps + entries.map(\.run) + entries.map(\.length) + entries.map { $0.offset &+ 1 }
        return varint(UInt64(entries.count)) + numbers.flatMap(varint)
    }

    private func open(_ bytes: [UInt8]) throws(TileProblem) -> PMTiles {
        try PMTiles { offset, count in
            let begin = Int(exactly: offset).map { min($0, bytes.count) } ?? bytes.count
            return Array(bytes[begin...].prefix(count))
        }
    }

    private func problem(of archive: Archive, zoom: Int = 0) -> String? {
        do throws(TileProblem) {
            _ = try open(archive.bytes).tile(zoom: zoom, column: 0, row: 0)
            return nil
        } catch {
            return error.description
        }
    }

    private func text(_ map: PMTiles, _ zoom: Int, _ column: Int, _ row: Int) throws -> String? {
        try map.tile(zoom: zoom, column: column, row: row).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("the ids of tiles follow a Hilbert curve through each zoom")
    func ids() {
        // Examples of the specification.
        let known = [(0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5)]
        for (zoom, column, row, id) in known {
            #expect(HilbertTile.id(zoom: zoom, column: column, row: row) == UInt64(id))
        }
        #expect(HilbertTile.id(zoom: 12, column: 3423, row: 1763) == 19_078_479)
        // Each id once, and from one to the next a step to a neighbour.
        let side = 1 << 5
        var places: [UInt64: (Int, Int)] = [:]
        for column in 0..<side {
            for row in 0..<side { places[HilbertTile.id(zoom: 5, column: column, row: row)] = (column, row) }
        }
        let ordered = places.sorted { $0.key < $1.key }
        #expect(ordered.count == side * side && ordered[0].key == 341 && ordered.last?.key == 341 + 1023)
        for (one, other) in zip(ordered, ordered.dropFirst()) {
            #expect(abs(one.value.0 - other.value.0) + abs(one.value.1 - other.value.1) == 1)
        }
    }

    @Test("a tile is found by its id, also one that is there several times, or has no entry of its own")
    func tiles() throws {
        let map = try open(Archive(root: Self.directory([(0, 1, 2, 0), (2, 2, 3, 2)])).bytes)
        #expect(map.mediaType == "image/png" && map.zooms == 0...3 && map.attribution == "Survey 1905")
        #expect(try text(map, 0, 0, 0) == "ab")
        #expect(try text(map, 1, 0, 0) == nil)
        #expect(try text(map, 1, 0, 1) == "cde" && text(map, 1, 1, 1) == "cde")
        #expect(try text(map, 1, 1, 0) == nil && text(map, 4, 0, 0) == nil, "the map ends there")
    }

    @Test("an offset of 0 is behind the entry before, and a leaf has the ids from its first on")
    func leaves() throws {
        let leaf = [2, 1, 1, 1, 1, 2, 3, 1, 0].map(UInt8.init)
        var archive = Archive(root: Self.directory([(1, 0, UInt64(leaf.count), 0)]))
        archive.leaves = leaf
        let map = try open(archive.bytes)
        #expect(try text(map, 0, 0, 0) == nil)
        #expect(try text(map, 1, 0, 0) == "ab" && text(map, 1, 0, 1) == "cde" && text(map, 1, 1, 1) == nil)
    }

    @Test("a leaf that leads to itself is given up")
    func loop() throws {
        let leaf = Self.directory([(0, 0, 5, 0)])
        var archive = Archive(root: Self.directory([(0, 0, UInt64(leaf.count), 0)]))
        archive.leaves = leaf
        #expect(leaf.count == 5)
        #expect(problem(of: archive) == "its directories are nested deeper than 4")
    }

    @Test(
        "what is no archive of pictures is refused by what it is",
        arguments: [
            (7, 4, "it is PMTiles version 4, of which only 3"), (97, 3, "compressed by Brotli"),
            (97, 77, "compressed by 77"),
            (98, 2, "its tiles are compressed by gzip"), (99, 1, "'pbf': only png, jpg and webp"),
            (99, 5, "'avif': only png"), (99, 200, "'200': only png"), (100, 9, "wrong order"), (0, 0, "no PMTiles"),
        ] as [(Int, UInt8, String)])
    func refusals(place: Int, byte: UInt8, words: String) {
        var archive = Archive(root: Self.directory([(0, 1, 2, 0)]))
        archive.header[place] = byte
        #expect(problem(of: archive)?.contains(words) == true)
    }

    @Test(
        "a damaged directory is refused, whatever it announces",
        arguments: [
            [], [0], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1], [1], [1, 0, 1], [1, 0, 1, 0, 1],
            [1, 0, 1, 1, 0],
            [2, 0, 0, 1, 1, 1, 1, 1, 1], [1, 0, 1, 255, 255, 255, 255, 127, 1], [100, 0, 1, 1, 1],
            [1, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 1, 1, 1, 1],
            [1, 0, 1, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
        ] as [[UInt8]])
    func damage(root: [UInt8]) {
        #expect(problem(of: Archive(root: root))?.contains("damaged") == true)
    }

    @Test("an entry that leads out of its section is damage, and one of a huge tile is none")
    func bounds() {
        for entry: Entry in [(0, 1, 9, 0), (0, 1, 1, 8), (0, 1, 1, 1 << 62), (0, 0, 1, 0), (0, 0, 1 << 31, 1 << 63)] {
            let archive = Archive(root: Self.directory([entry]))
            #expect(problem(of: archive)?.contains("leads out of its section") == true, "\(entry)")
        }
        #expect(problem(of: Archive(root: Self.directory([(0, 1, 1 << 31, 0)]))) == nil)
    }

    @Test("each section that is longer than it can be, or beyond the end, is refused without being read")
    func sections() {
        let archive = Archive(root: Self.directory([(0, 1, 2, 0)]))
        for place in [16, 32] {
            var huge = archive
            for byte in 0..<8 { huge.header[place + byte] = 0xff }
            #expect(problem(of: huge)?.contains("longer than 512 KiB") == true)
        }
        for place in [8, 24, 56] {
            var far = archive
            for byte in 0..<7 { far.header[place + byte] = 0xff }
            #expect(problem(of: far)?.contains("it ends before its") == true)
        }
        var nonsense = archive
        nonsense.metadata = Array("[1]".utf8)
        #expect(problem(of: nonsense) == "its metadata is no JSON object, or too large")
    }

    @Test("an archive that ends early is incomplete, wherever it ends")
    func truncation() throws {
        let bytes = Archive(root: Self.directory([(0, 1, 8, 0)])).bytes
        for count in 0..<bytes.count {
            #expect(throws: TileProblem.self) { try open(Array(bytes.prefix(count))).tile(zoom: 0, column: 0, row: 0) }
        }
        #expect(try text(try open(bytes), 0, 0, 0) == "abcdefgh")
    }
}
