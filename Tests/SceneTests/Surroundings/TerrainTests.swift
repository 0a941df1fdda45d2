import Geometry
import Scene
import Testing

@Suite("Terrain around the wearer")
struct TerrainTests {
    private func position(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
    }

    @Test(
        "behaviour 18: between the samples of four tiles, fine or coarse, a plane is a plane",
        arguments: [360, 120, 12])
    func seams(intervals: Int) throws {
        // A plane of whole steps at each 30th second.
        let plane: Hills.Shape = { north, east in 0.2 * north + 0.4 * east }
        let terrain = try Hills.terrain(around: try position(47.4, 8.6), intervals: intervals, plane)
        #expect(terrain.cells.count >= 4)
        for number in 0..<500 {
            // Fractions of the golden ratio and of the root of two lie everywhere.
            let (one, other) = (Double(number) * 0.6180339887, Double(number) * 0.4142135624)
            let place = try position(
                47.34 + 0.12 * (one - one.rounded(.down)), 8.52 + 0.16 * (other - other.rounded(.down)))
            let (north, east) = Hills.seconds(place)
            let height = terrain.height(at: place) ?? .infinity
            #expect(abs(height - (plane(north, east) ?? 0)) < 1e-3)
        }
        let beyond = try [position(47.6, 8.6), position(47.4, 8.2)].map { terrain.height(at: $0) }
        #expect(beyond == [nil, nil])
    }

    @Test("behaviour 18: about a void, and where a tile is missing, no height is known; on the far side of it, it is")
    func voids() throws {
        let shape: Hills.Shape = { north, east in north == 1500 && east == 1900 ? nil : -430 }
        let center = try position(47.42, 8.52)
        let terrain = try Hills.terrain(around: center, without: { $0.westDegrees < 8.45 }, shape)
        func height(_ north: Double, _ east: Double) throws -> Double? {
            terrain.height(at: try position(47 + north / 3600, 8 + east / 3600))
        }
        let unknown = [try height(1500.4, 1900), try height(1499.6, 1899.5), try height(1450, 1798)]
        #expect(unknown == [nil, nil, nil])
        let known = [try height(1501.01, 1900), try height(1500, 1901.01), try height(1450, 1801)]
        #expect(known == [-430, -430, -430])
    }

    @Test("behaviour 18: a window crosses the antimeridian, shrinks with the meridians, and ends before the poles")
    func edges() throws {
        let centers = [
            (-16.8, 179.99), (-16.8, -179.99), (0.001, 0), (70, 25.4), (88.9, 179.95), (-88.9, 10),
        ]
        for (latitude, longitude) in centers {
            let center = try position(latitude, longitude)
            var terrain = try #require(Terrain(around: center))
            #expect(terrain.isEmpty && terrain.height(at: center) == nil)
            for cell in terrain.cells {
                let samples = [UInt16](repeating: TerrainTile.sample(-12.4), count: 13 * 13)
                terrain.fill(try #require(TerrainTile(cell: cell, rows: 12, columns: 12, samples: samples)))
            }
            for bearing in stride(from: 0.0, to: 6.2, by: 0.4) {
                let near = try #require(center.destination(bearing: bearing, distance: 9900))
                #expect(abs(try #require(terrain.height(at: near)) + 12.4) < 1e-4)
                let far = try #require(center.destination(bearing: bearing, distance: 15_000))
                #expect(terrain.height(at: far) == nil)
            }
        }
        #expect(try Terrain(around: position(89.5, 0)) == nil)
        #expect(try Terrain(around: position(-90, 0)) == nil)
    }

    @Test("behaviour 18: a tile has samples on all edges, at whole seconds of arc, of heights that are on earth")
    func tiles() throws {
        let cell = try #require(TerrainTile.Cell(row: 1370, column: -1))
        #expect(cell.column == 3599 && cell.westDegrees == 179.9 && cell.southDegrees == 47)
        #expect(TerrainTile.Cell(row: 1800, column: 0) == nil && TerrainTile.Cell(row: -1, column: 0) == nil)
        let samples = [UInt16](repeating: 0, count: 49)
        #expect(TerrainTile(cell: cell, rows: 6, columns: 6, samples: samples) != nil)
        #expect(TerrainTile(cell: cell, rows: 6, columns: 6, samples: Array(samples.dropLast())) == nil)
        #expect(TerrainTile(cell: cell, rows: 7, columns: 6, samples: samples + [1, 2, 3, 4, 5, 6, 7]) == nil)
        #expect(TerrainTile(cell: cell, rows: 0, columns: 0, samples: [0]) == nil)
        for height in [-999.8, -430, 0, 0.2, 8849] {
            #expect(abs(try #require(TerrainTile.height(TerrainTile.sample(height))) - height) < 1e-9)
        }
        // Rounding puts some positions on an edge beside it.
        let flat = [UInt16](repeating: TerrainTile.sample(7), count: 49)
        for tenths in -899...899 {
            let edge = try position(Double(tenths) / 10, Double(2 * tenths) / 10)
            let tile = try #require(
                TerrainTile(cell: TerrainTile.Cell(containing: edge), rows: 6, columns: 6, samples: flat))
            #expect(tile.height(at: edge) == 7, "\(edge)")
        }
        for height in [nil, .nan, .infinity, -32768, 12_001] as [Double?] {
            #expect(TerrainTile.height(TerrainTile.sample(height)) == nil)
        }
    }
}
