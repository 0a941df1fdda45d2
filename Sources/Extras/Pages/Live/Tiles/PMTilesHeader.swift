/// Header of a PMTiles archive. It gives the positions of the sections, and the type of the tiles.
struct PMTilesHeader {
    /// Size of the header. Unit: bytes.
    static let size = 127
    private static let version: UInt8 = 3

    struct Section {
        /// Offset from the start of the archive. Unit: bytes.
        let offset: UInt64
        /// Length. Unit: bytes.
        let length: UInt64

        /// Finds the part of this section to which a directory's entry points.
        func part(_ entry: PMTilesDirectory.Entry) throws(TileProblem) -> Section {
            let (end, isBeyond) = entry.offset.addingReportingOverflow(UInt64(entry.length))
            let (start, isFar) = offset.addingReportingOverflow(entry.offset)
            guard !isBeyond, !isFar, end <= length else {
                throw TileProblem("it is damaged: a directory leads out of its section")
            }
            return Section(offset: start, length: UInt64(entry.length))
        }
    }

    let root: Section
    let metadata: Section
    let leaves: Section
    let tiles: Section
    /// Whether directories and metadata are compressed with gzip.
    let isCompressed: Bool
    let mediaType: String
    let zooms: ClosedRange<Int>

    private static let compressions = ["unknown", "none", "gzip", "Brotli", "Zstandard"]
    private static let formats = ["unknown", "pbf", "png", "jpg", "webp", "avif"]
    private static let mediaTypes: [UInt8: String] = [2: "image/png", 3: "image/jpeg", 4: "image/webp"]

    /// - Parameter bytes: first bytes of the archive.
    init(_ bytes: [UInt8]) throws(TileProblem) {
        guard bytes.count == Self.size, bytes.starts(with: PMTiles.magic) else {
            throw TileProblem("it is no PMTiles archive, or incomplete")
        }
        guard bytes[7] == Self.version else {
            throw TileProblem("it is PMTiles version \(bytes[7]), of which only 3 can be read")
        }
        func number(at place: Int) -> UInt64 { bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        func section(at place: Int) -> Section { Section(offset: number(at: place), length: number(at: place + 8)) }
        (root, metadata, leaves, tiles) = (section(at: 8), section(at: 24), section(at: 40), section(at: 56))
        isCompressed = try Self.isCompressed(bytes[97])
        guard let type = Self.mediaTypes[bytes[99]] else {
            throw .notPictures(Self.name(bytes[99], of: Self.formats))
        }
        // Picture formats have their own compression, so that no other is permitted here.
        guard bytes[98] <= 1 else {
            let compression = Self.name(bytes[98], of: Self.compressions)
            throw TileProblem("its tiles are compressed by \(compression), which pictures are not")
        }
        mediaType = type
        guard bytes[100] <= bytes[101] else { throw TileProblem("its zooms are in the wrong order") }
        zooms = Int(bytes[100])...Int(bytes[101])
    }

    private static func isCompressed(_ word: UInt8) throws(TileProblem) -> Bool {
        switch word {
        case 1: return false
        case 2: return true
        default:
            throw TileProblem(
                "its directories are compressed by \(name(word, of: compressions)): only gzip and none can be read")
        }
    }

    private static func name(_ word: UInt8, of names: [String]) -> String {
        Int(word) < names.count ? names[Int(word)] : "\(word)"
    }
}
