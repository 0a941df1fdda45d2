import JSON
import Synchronization

/// Raster tiles in one archive: a header, directories of tiles, and the tiles.
///
/// Source: PMTiles 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
package final class PMTiles: TileSource {
    /// Reads `count` bytes from an offset, or fewer if the archive ends earlier.
    package typealias Bytes = @Sendable (_ offset: UInt64, _ count: Int) throws(TileProblem) -> [UInt8]

    static let magic = Array("PMTiles".utf8)

    package let mediaType: String
    package let zooms: ClosedRange<Int>
    package let attribution: String
    private let header: PMTilesHeader
    private let parts: Parts
    private let root: PMTilesDirectory
    /// Most recently used leaf directories with their offsets, newest last. Neighbouring tiles usually share them.
    private let newest = Mutex<[(offset: UInt64, directory: PMTilesDirectory)]>([])

    /// Maximum number of cached leaves. A view may cross the border between two leaves on each of two zoom levels.
    private static let maximumLeafCount = 4
    /// Maximum size of a compressed directory or of the metadata. Usual ones are a tenth of it. Unit: bytes.
    private static let maximumSize = 512 << 10
    /// Maximum size of a directory or of the metadata after decompression. A request reads a few of them on the thread
    /// that serves all requests. Unit: bytes.
    private static let maximumInflatedSize = 1 << 20
    /// Maximum depth to which directories are nested. Archives of the whole earth have two levels.
    private static let maximumDepth = 4

    /// - Throws: `TileProblem` if the archive has another version, is damaged, or its tiles are not pictures.
    package init(_ bytes: @escaping Bytes) throws(TileProblem) {
        let header = try PMTilesHeader(try bytes(0, PMTilesHeader.size))
        parts = Parts(bytes: bytes, isCompressed: header.isCompressed)
        root = try PMTilesDirectory(try parts.inflated(header.root, what: "root directory"))
        attribution = try Self.attribution(try parts.inflated(header.metadata, what: "metadata"))
        (mediaType, zooms) = (header.mediaType, header.zooms)
        self.header = header
    }

    package func tile(zoom: Int, column: Int, row: Int) throws(TileProblem) -> [UInt8]? {
        guard zooms.contains(zoom), TileLimits.zooms.contains(zoom) else { return nil }
        let id = HilbertTile.id(zoom: zoom, column: column, row: row)
        var directory = root
        for depth in 1...Self.maximumDepth {
            guard let entry = directory.entry(of: id) else { return nil }
            guard entry.isLeaf else {
                guard entry.length <= TileLimits.maximumSize else { return nil }
                return try parts.bytes(try header.tiles.part(entry), what: "tile")
            }
            if depth < Self.maximumDepth { directory = try leaf(entry) }
        }
        throw TileProblem("its directories are nested deeper than \(Self.maximumDepth)")
    }

    private func leaf(_ entry: PMTilesDirectory.Entry) throws(TileProblem) -> PMTilesDirectory {
        if let known = newest.withLock({ $0.first { $0.offset == entry.offset }?.directory }) { return known }
        let text = try parts.inflated(try header.leaves.part(entry), what: "directory")
        let directory = try PMTilesDirectory(text)
        newest.withLock { leaves in
            if leaves.count == Self.maximumLeafCount { leaves.removeFirst() }
            leaves.append((entry.offset, directory))
        }
        return directory
    }

    /// Reads the attribution from the metadata, which is a JSON object. It is empty if either is missing.
    private static func attribution(_ metadata: [UInt8]) throws(TileProblem) -> String {
        guard !metadata.isEmpty else { return "" }
        let limits = JSONLimits(depth: 32, values: 100_000, text: maximumInflatedSize)
        guard let object = try? JSONReader.read(metadata, limits: limits), object.kind == .object else {
            throw TileProblem("its metadata is no JSON object, or too large")
        }
        let text = object["attribution"]?.string ?? ""
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(TileLimits.maximumAttributionLength)))
    }

    /// Reads parts of the archive, and checks their lengths.
    private struct Parts: Sendable {
        let bytes: Bytes
        let isCompressed: Bool

        func bytes(_ part: PMTilesHeader.Section, what: String) throws(TileProblem) -> [UInt8] {
            let found = try bytes(part.offset, Int(part.length))
            guard found.count == part.length else {
                throw TileProblem("it ends before its \(what): it is incomplete, load it again")
            }
            return found
        }

        func inflated(_ part: PMTilesHeader.Section, what: String) throws(TileProblem) -> [UInt8] {
            guard part.length <= PMTiles.maximumSize else {
                throw TileProblem("its \(what) is longer than \(PMTiles.maximumSize >> 10) KiB")
            }
            let found = try bytes(part, what: what)
            guard isCompressed, !found.isEmpty else { return found }
            guard let inflated = GZip.inflate(found, atMost: PMTiles.maximumInflatedSize) else {
                throw TileProblem("its \(what) is damaged, or longer than \(PMTiles.maximumInflatedSize >> 20) MiB")
            }
            return inflated
        }
    }
}
