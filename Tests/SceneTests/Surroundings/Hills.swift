import Geometry
import Scene
import Testing

/// Terrain of a formula, as tests of it share.
enum Hills {
    /// Seconds of arc north of 47° and east of 8°.
    typealias Shape = @Sendable (_ north: Double, _ east: Double) -> Double?

    /// Plane that rises by 3 m with each second of latitude, about 9.7 %, exactly as samples of 0.2 m can have it.
    static let slope: Shape = { north, _ in 3 * (north - 1000) }

    static func tile(
        _ cell: TerrainTile.Cell, rows: Int = 360, columns: Int = 360, _ shape: Shape
    ) throws -> TerrainTile {
        let (south, west) = (cell.southDegrees - 47, cell.westDegrees - 8)
        var samples: [UInt16] = []
        for row in 0...rows {
            for column in 0...columns {
                let north = (south * 3600).rounded() + Double(row * 360 / rows)
                let east = (west * 3600).rounded() + Double(column * 360 / columns)
                samples.append(TerrainTile.sample(shape(north, east)))
            }
        }
        return try #require(TerrainTile(cell: cell, rows: rows, columns: columns, samples: samples))
    }

    static func terrain(
        around position: GeodeticPosition, intervals: Int = 360,
        without missing: (TerrainTile.Cell) -> Bool = { _ in false }, _ shape: Shape
    ) throws -> Terrain {
        var terrain = try #require(Terrain(around: position))
        for cell in terrain.cells where !missing(cell) {
            terrain.fill(try tile(cell, rows: intervals, columns: intervals, shape))
        }
        return terrain
    }

    static func seconds(_ position: GeodeticPosition) -> (north: Double, east: Double) {
        ((position.latitudeDegrees - 47) * 3600, (position.longitudeDegrees - 8) * 3600)
    }
}
