/// Raster tiles of a map in the spherical Mercator projection.
package protocol TileSource: Sendable {
    /// Such as `image/png`.
    var mediaType: String { get }
    /// Zooms that there are tiles of.
    var zooms: ClosedRange<Int> { get }
    /// Whom the map is by, a text of others; empty if unknown.
    var attribution: String { get }

    /// The picture of a tile; nil where the map has none, or one that is larger than `TileLimits.longest`.
    ///
    /// - Parameters:
    ///   - zoom: within `TileLimits.zooms`.
    ///   - column: from the west, below 2 to the power of `zoom`.
    ///   - row: from the north, likewise.
    func tile(zoom: Int, column: Int, row: Int) throws(TileProblem) -> [UInt8]?
}

/// Why a file has no tiles for the page.
package struct TileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    package let description: String

    init(_ description: String) { self.description = description }

    /// Tiles that are no pictures.
    static func notPictures(_ format: String) -> TileProblem {
        TileProblem("its tiles are '\(format)': only png, jpg and webp can be shown, not vectors")
    }
}

/// What is served of any map.
enum TileLimits {
    /// Zooms that are served.
    static let zooms = 0...22
    /// Size of a tile. Unit: bytes.
    static let longest = 1 << 20
    /// Unit: characters.
    static let longestAttribution = 500
}
