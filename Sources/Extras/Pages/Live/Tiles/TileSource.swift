/// Raster tiles of a map in the spherical Mercator projection.
package protocol TileSource: Sendable {
    /// Media type, such as `image/png`.
    var mediaType: String { get }
    var zooms: ClosedRange<Int> { get }
    /// Attribution of the map, which is untrusted text; empty if it is unknown.
    var attribution: String { get }

    /// Reads the picture of a tile; nil if the map has none, or if it is larger than `TileLimits.maximumSize`.
    ///
    /// - Parameters:
    ///   - zoom: zoom level within `TileLimits.zooms`.
    ///   - column: column from the west, below 2 to the power of `zoom`.
    ///   - row: row from the north, below 2 to the power of `zoom`.
    func tile(zoom: Int, column: Int, row: Int) throws(TileProblem) -> [UInt8]?
}

/// Reason why the page cannot use a file's tiles.
package struct TileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static func notPictures(_ format: String) -> TileProblem {
        TileProblem("its tiles are '\(format)': only png, jpg and webp can be shown, not vectors")
    }
}

/// Limits that apply to all maps.
enum TileLimits {
    static let zooms = 0...22
    /// Maximum size of a tile. Unit: bytes.
    static let maximumSize = 1 << 20
    /// Maximum length of an attribution. Unit: characters.
    static let maximumAttributionLength = 500
}
