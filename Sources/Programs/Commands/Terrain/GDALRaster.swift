import CGDAL
import Scene

/// Raster of heights in any format and reference system, read by GDAL, which is loaded only when needed.
final class GDALRaster {
    /// Package that contains the library.
    static let package = "libgdal32 (Debian 12) or libgdal36 (Debian 13)"
    private static let maximumTileCount = 2000
    /// Tolerance of the edges of a cell, relative to the spacing of samples.
    private static let tolerance = 0.01

    private let path: String
    private let raster: OpaquePointer
    private let extent: cgdal_extent
    /// Cells that overlap the raster in more than an edge.
    private let cells: [TerrainTile.Cell]

    init(_ path: String) throws(CommandError) {
        self.path = path
        var (raster, extent): (OpaquePointer?, cgdal_extent) = (nil, cgdal_extent())
        var problem = [CChar](repeating: 0, count: 512)
        let outcome = cgdal_open(path, &raster, &extent, &problem, problem.count)
        guard outcome == CGDAL_DONE, let raster else {
            throw Self.error(path, outcome, problem)
        }
        do throws(CommandError) {
            cells = try Self.cells(extent, path)
        } catch {
            cgdal_close(raster)
            throw error
        }
        (self.raster, self.extent) = (raster, extent)
    }

    deinit { cgdal_close(raster) }

    private static func error(_ path: String, _ outcome: cgdal_outcome, _ problem: [CChar]) -> CommandError {
        let reason = Words.line(String(characters: problem))
        guard outcome == CGDAL_NO_LIBRARY else {
            return .failed("\(path) is no elevation model that GDAL reads: \(reason)")
        }
        return .failed("only .hgt files are read without GDAL: install \(package) for \(path) (\(reason))")
    }

    private static func cells(_ extent: cgdal_extent, _ path: String) throws(CommandError) -> [TerrainTile.Cell] {
        let numbers = [extent.south, extent.north, extent.west, extent.east, extent.row_spacing, extent.column_spacing]
        guard numbers.allSatisfy(\.isFinite), extent.row_spacing > 0, extent.column_spacing > 0,
            extent.south >= -90.01, extent.north <= 90.01, extent.west >= -360, extent.east <= 540
        else { throw .failed("\(path) has no place on the earth that is known: give it one with gdal_edit.py -a_srs") }
        let rows = cells(extent.south + 90, extent.north + 90, extent.row_spacing)
        let columns = cells(extent.west + 180, extent.east + 180, extent.column_spacing)
        guard rows.count * columns.count <= maximumTileCount else {
            throw .failed(
                "\(path) covers more than \(maximumTileCount) tiles of 0.1 degrees: cut it with gdal_translate -projwin"
            )
        }
        return rows.flatMap { row in columns.compactMap { TerrainTile.Cell(row: row, column: $0) } }
    }

    private static func cells(_ from: Double, _ to: Double, _ spacing: Double) -> Range<Int> {
        let first = Int(((from + tolerance * spacing) * 10).rounded(.down))
        return first..<max(first, Int(((to - tolerance * spacing) * 10).rounded(.down)) + 1)
    }

    /// Calls `take` with each tile that has a height, from south to north.
    func read(_ take: (TerrainTile) throws -> Void) throws {
        let rows = Self.intervals(extent.row_spacing), columns = Self.intervals(extent.column_spacing)
        for cell in cells {
            let tile = try tile(cell, rows, columns)
            if tile.voids < tile.samples.count { try take(tile) }
        }
    }

    /// Returns the minimum number of intervals for which the samples of a tile are at least as close together as those
    /// of the raster; at most one interval per second of arc.
    private static func intervals(_ spacing: Double) -> Int {
        (12...360).first { TerrainTile.isIntervals($0) && 0.1 / Double($0) <= spacing * (1 + tolerance) } ?? 360
    }

    private func tile(_ cell: TerrainTile.Cell, _ rows: Int, _ columns: Int) throws(CommandError) -> TerrainTile {
        var heights = [Float](repeating: .nan, count: (rows + 1) * (columns + 1))
        var problem = [CChar](repeating: 0, count: 512)
        let outcome = cgdal_heights(
            raster, cell.southDegrees, cell.westDegrees, 0.1, Int32(rows), Int32(columns), &heights, &problem,
            problem.count)
        guard outcome == CGDAL_DONE else { throw Self.error(path, outcome, problem) }
        var samples: [UInt16] = []
        samples.reserveCapacity(heights.count)
        // GDAL's rows are from north to south.
        for row in (0...rows).reversed() {
            for column in 0...columns {
                samples.append(TerrainTile.sample(Double(heights[row * (columns + 1) + column])))
            }
        }
        guard let tile = TerrainTile(cell: cell, rows: rows, columns: columns, samples: samples) else {
            throw .failed("\(path) cannot be resampled")
        }
        return tile
    }
}
